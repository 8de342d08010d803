/**
 * Describes the relations of a Prisma model as joins: by key, through Prisma's own join table, through a join model.
 */

import type { PrismaHopDescription, PrismaRelationDescription } from '../describe/description.ts';
import { annotationsOf } from './annotations.ts';
import type { DmmfField, DmmfModel } from './dmmf.ts';
import { columnOf, delegateOf, fieldNamed, refuse, tableOf } from './dmmf.ts';

type Models = ReadonlyMap<string, DmmfModel>;

/** The inputs of a description. */
export interface RelationContext {
  /** Every model by its Prisma name. */
  readonly models: Models;
  /** Models that are left out of the registry. */
  readonly hidden: ReadonlySet<string>;
}

/** The relations of a model; those with hidden targets are left out. */
export function describeRelations(
  context: RelationContext,
  model: DmmfModel,
): { [path: string]: PrismaRelationDescription } {
  const described: { [path: string]: PrismaRelationDescription } = {};
  for (const field of model.fields) {
    if (field.kind !== 'object') continue;
    const target = context.models.get(field.type);
    // A composite type is not a model.
    if (!target)
      refuse(model.name, field.name, 'it holds no model; leave it out with @sluice.hidden.');
    const annotations = annotationsOf('relation', field.documentation, model.name, field.name);
    const through = annotations.get('through');
    if (through) {
      const [path = '', reference = ''] = through;
      if (model.fields.some((other) => other.name === path) || Object.hasOwn(described, path)) {
        refuse(model.name, path, `@sluice.through on ${field.name} needs an unused name.`);
      }
      described[path] = throughModel(context, model, field, reference);
    }
    if (annotations.has('hidden') || context.hidden.has(target.name)) continue;
    described[field.name] = {
      target: delegateOf(target.name),
      cardinality: field.isList ? 'many' : 'one',
      ...(!field.isList && !field.isRequired && { nullable: true as const }),
      hops: hopsOf(model, field, target),
    };
  }
  return described;
}

const schemaOf = ({ schema }: DmmfModel) => (schema ? { schema } : {});

const columnsOf = (model: DmmfModel, names: readonly string[]): string[] =>
  names.map((name) => columnOf(fieldNamed(model, name)));

/** The field at the other end of a relation. */
function oppositeOf(model: DmmfModel, field: DmmfField, target: DmmfModel): DmmfField {
  const sides = target.fields.filter(
    (other) =>
      other.relationName === field.relationName &&
      other.type === model.name &&
      (target !== model || other.name !== field.name),
  );
  return sides[0] ?? refuse(model.name, field.name, 'the relation has no other side.');
}

function hopsOf(model: DmmfModel, field: DmmfField, target: DmmfModel): PrismaHopDescription[] {
  const table = { ...schemaOf(target), table: tableOf(target) };
  const { relationFromFields: from = [], relationToFields: to = [] } = field;
  if (from && to && from.length > 0) {
    return [{ ...table, from: columnsOf(model, from), to: columnsOf(target, to) }];
  }
  const opposite = oppositeOf(model, field, target);
  const { relationFromFields: back = [], relationToFields: own = [] } = opposite;
  if (back && own && back.length > 0) {
    return [{ ...table, from: columnsOf(model, own), to: columnsOf(target, back) }];
  }
  return joinTableHops(model, field, target, opposite);
}

/**
 * Prisma keeps the pairs of an implicit many-to-many relation in a table `_Name` with columns `A` and `B`: `A` holds
 * the key of the model, or of the field within one model, that comes first in alphabetical order.
 */
function joinTableHops(
  model: DmmfModel,
  field: DmmfField,
  target: DmmfModel,
  opposite: DmmfField,
): PrismaHopDescription[] {
  const first = model === target ? field.name < opposite.name : model.name < target.name;
  const [own, other] = first ? (['A', 'B'] as const) : (['B', 'A'] as const);
  return [
    {
      ...schemaOf(model),
      table: `_${field.relationName}`,
      from: columnsOf(model, keyOf(model)),
      to: [own],
    },
    {
      ...schemaOf(target),
      table: tableOf(target),
      from: [other],
      to: columnsOf(target, keyOf(target)),
    },
  ];
}

function throughModel(
  { models, hidden }: RelationContext,
  model: DmmfModel,
  field: DmmfField,
  reference: string,
): PrismaRelationDescription {
  const join = models.get(field.type);
  const referring = join?.fields.find(({ name, kind }) => name === reference && kind === 'object');
  const target = referring && models.get(referring.type);
  if (!join || !referring || !target || referring.isList || !field.isList) {
    refuse(
      model.name,
      field.name,
      `@sluice.through takes a new name and the field of ${field.type} that refers to the other model.`,
    );
  }
  if (hidden.has(target.name)) {
    refuse(model.name, field.name, `@sluice.through leads to ${target.name}, which is hidden.`);
  }
  return {
    target: delegateOf(target.name),
    cardinality: 'many',
    hops: [...hopsOf(model, field, join), ...hopsOf(join, referring, target)],
    through: [field.name, reference],
  };
}

/** The fields of the primary key: `@id`, `@@id`, else a unique key without nullable fields. */
export function keyOf(model: DmmfModel): readonly string[] {
  if (model.primaryKey) return model.primaryKey.fields;
  const single =
    model.fields.find((field) => field.isId) ??
    model.fields.find((field) => field.isUnique && field.isRequired);
  if (single) return [single.name];
  const several = model.uniqueFields.find((names) =>
    names.every((name) => fieldNamed(model, name).isRequired),
  );
  return (
    several ??
    refuse(model.name, null, 'it has no key that is never null; give it one, or hide it.')
  );
}
