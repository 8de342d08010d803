/** Rules that use most of a model: every field, every operator that its kind has, every relation. */

import {
  type FieldDescriptor,
  type OperatorName,
  type QueryRulesDeclaration,
  type SchemaRegistry,
  defineQueryRules,
} from '../../src/index.ts';
import { kindRow, type QuerySchema } from '../../src/schema/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { equality, folded, order, text as exact } from '../matrix/corpus/rule.ts';

const text = [...exact, ...folded] as const;

/** The operators of a field in rules for one family. */
export function operatorsOf({ kind, nullable }: FieldDescriptor): OperatorName[] {
  const row = kindRow(kind);
  if (row.order === 'none') return [];
  return [
    ...equality,
    ...order,
    ...(row.textual ? text : []),
    ...(nullable ? (['isNull'] as const) : []),
  ];
}

const visible = ({ fields }: QuerySchema) => fields.filter(({ internal }) => !internal);

/** The declaration of every rule of a model. */
function everything(registry: SchemaRegistry, model: string): QueryRulesDeclaration {
  const schema = registry.get(model) as QuerySchema;
  const ordered = visible(schema).filter((field) => operatorsOf(field).length > 0);
  const through = schema.relations.flatMap(({ path, target }) =>
    visible(registry.get(target) as QuerySchema)
      .filter((field) => operatorsOf(field).length > 0)
      .map((field) => ({ path: `${path}.${field.path}`, operators: operatorsOf(field) })),
  );
  return {
    filters: [
      ...ordered.map((field) => ({ path: field.path, operators: operatorsOf(field) })),
      ...schema.relations.map(({ path }) => ({ path, operators: ['isNull'] as const })),
      ...through,
    ],
    sorts: ordered.map(({ path }) => path),
    search: ordered.filter(({ kind }) => kindRow(kind).textual).map(({ path }) => path),
    fields: 'all',
    includes: schema.relations.map(({ path }) => path),
    pagination: { mode: 'both' },
  };
}

/** The compiled rules of a model. */
export const everyRule = (registry: SchemaRegistry, model: string) =>
  defineQueryRules(registry, model, everything(registry, model), { cursorKeys });
