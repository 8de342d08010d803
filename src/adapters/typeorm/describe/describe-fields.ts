/** Describes the columns of an entity, or of an embedded one, from its declarations. */

import { type FieldKind, companionRoles, isArrayKind } from '../../../schema/index.ts';
import type { SchemaColumn, SchemaTable } from '../../../relational/index.ts';
import { type PropertyAnnotation, annotatedProperties } from './annotations.ts';
import { kindOfColumn } from './column-kinds.ts';
import type { DeclaredColumn, DeclaredPart } from './declared-entity.ts';
import type { Refuse } from './refuse.ts';
import { shownKind } from './shown-type.ts';

/** How the names of companions end by TypeORM's convention for columns. */
const suffixes = { foldedField: '_folded', portableOrderField: '_order' } as const;

/** Modes of columns that are computed, counted or not there: none of them is a field. */
const unmapped = new Set(['virtual', 'virtual-property', 'treeChildrenCount', 'objectId', 'array']);

/**
 * The columns of a part by path. A text column that is called `<path>_folded`, as property or in the database, is the
 * folded companion of `<path>`, `<path>_order` its order companion. Columns without a kind are refused.
 */
export function describeFields(
  owner: string,
  part: DeclaredPart,
  refuse: Refuse,
): SchemaTable['columns'] {
  const annotations = annotatedProperties(part.target);
  const fields = new Map<string, SchemaColumn>();
  const texts = new Map<string, string>();
  for (const column of part.columns) {
    const { property: path, mode, options } = column;
    if (unmapped.has(mode)) continue;
    const said = annotations.get(path) ?? {};
    const kind = said.kind ?? derivedKind(owner, column, said, refuse);
    if (!kind) continue;
    if (kind === 'string') {
      for (const name of [path, options.name ?? path]) if (!texts.has(name)) texts.set(name, path);
    }
    const isHidden = said.hidden || options.select === false;
    const preset = mode === 'deleteDate' || options.default === null;
    fields.set(path, {
      kind,
      sqlType: `${options.type === Number ? 'int' : String(options.type)}${options.unsigned ? ' unsigned' : ''}`,
      nullable: said.nullable ?? (!options.primary && (options.nullable ?? preset)),
      enumValues: said.enumValues ?? enumMembers(options.enum),
      said: { ...said, internal: said.internal ?? (isHidden || undefined) },
    });
  }
  return new Map(
    [...fields].map(([path, { said, ...field }]) => {
      const companions = companionRoles.map(({ role, kinds }) => {
        const byName = kinds.has(field.kind) ? texts.get(path + suffixes[role]) : undefined;
        return [role, said[role] ?? byName ?? false];
      });
      return [path, { ...field, said: { ...said, ...Object.fromEntries(companions) } }];
    }),
  );
}

function derivedKind(
  owner: string,
  { mode, property, options, designType }: DeclaredColumn,
  said: PropertyAnnotation,
  refuse: Refuse,
): FieldKind | undefined {
  const { type, transformer } = options;
  if (mode === 'version' || mode === 'treeLevel') return 'integer';
  const isInstant = mode === 'createDate' || mode === 'updateDate' || mode === 'deleteDate';
  if (isInstant && type === undefined) return 'datetime';
  if (type !== undefined) {
    const kind = kindOfColumn({ type, designType, isArray: options.array });
    if (transformer && isArrayKind(kind)) return 'opaque';
    return transformer ? shownKind(kind, { designType, transformer }) : kind;
  }
  if (said.hidden && !options.primary) return undefined;
  refuse(
    owner,
    property,
    'the column has no type; give it one with @QueryField({ kind: ... }), or keep it out with @QueryHidden().',
  );
  return undefined;
}

/** Members of TypeORM's `enum` option: a list, or a TypeScript enum, whose numbers also stand as keys. */
function enumMembers(members: object | undefined): string[] | undefined {
  if (members === undefined) return undefined;
  if (Array.isArray(members)) return members.map(String);
  return Object.entries(members)
    .filter(([key, value]) => Number.isNaN(Number(key)) && typeof value !== 'function')
    .map(([, value]) => String(value));
}
