/** Derives the fields of a query schema from the columns of an entity or of an embedded one. */

import type { FieldDescriptor, FieldKind } from '../../schema/index.ts';
import { type PropertyAnnotation, annotatedProperties } from './annotations.ts';
import { unsignedMark } from '../../relational/index.ts';
import { kindOfColumn } from './column-kinds.ts';
import type { DeclaredColumn, DeclaredPart } from './declared-entity.ts';
import type { Refuse } from './refuse.ts';
import { shownKind } from './shown-type.ts';

/** One companion role: which kinds may have it and how its column's name ends. */
interface CompanionRole {
  readonly role: 'foldedField' | 'portableOrderField';
  readonly kinds: ReadonlySet<FieldKind>;
  readonly suffix: string;
}

const companionRoles: readonly CompanionRole[] = [
  { role: 'foldedField', kinds: new Set(['string', 'uuid', 'enum']), suffix: '_folded' },
  { role: 'portableOrderField', kinds: new Set(['uuid', 'enum', 'decimal']), suffix: '_order' },
];

interface Derived {
  readonly path: string;
  readonly column: DeclaredColumn;
  readonly kind: FieldKind;
  readonly said: PropertyAnnotation;
}

/** Modes of columns that are computed, counted or not there: none of them is a field. */
const unmapped = new Set(['virtual', 'virtual-property', 'treeChildrenCount', 'objectId', 'array']);

/**
 * The fields of a part. A text column that is called `<path>_folded`, as property or in the database, is the folded
 * companion of `<path>`, `<path>_order` its order companion; both are internal. Columns without a kind are refused.
 */
export function describeFields(
  owner: string,
  part: DeclaredPart,
  refuse: Refuse,
): FieldDescriptor[] {
  const annotations = annotatedProperties(part.target);
  const fields = new Map<string, Derived>();
  for (const column of part.columns) {
    if (unmapped.has(column.mode)) continue;
    const path = column.property;
    const said = annotations.get(path) ?? {};
    const kind = said.kind ?? derivedKind(owner, column, said, refuse);
    if (kind) fields.set(path, { path, column, kind, said });
  }
  const companions = new Map(
    [...fields.values()].map((each) => [each.path, companionsOf(each, fields)]),
  );
  const internal = new Set([...companions.values()].flatMap((found) => Object.values(found)));
  return [...fields.values()].map(({ path, column, kind, said }): FieldDescriptor => {
    const { options, mode } = column;
    const isKey = options.primary === true;
    const enumValues = kind === 'enum' ? (said.enumValues ?? enumMembers(options.enum)) : undefined;
    const hidden = said.hidden || options.select === false;
    return {
      path,
      kind,
      nullable: said.nullable ?? (!isKey && isNullable(options, mode)),
      ...(options.unsigned && unsignedMark(kind, unsignedType(column))),
      primaryKey: isKey,
      ...(enumValues && { enumValues }),
      ...companions.get(path),
      ...(said.paths && { paths: said.paths }),
      ...((said.internal ?? (hidden || internal.has(path))) && { internal: true }),
    };
  });
}

/** The type of an unsigned column of MySQL; other databases ignore that it is unsigned. */
const unsignedType = ({ type }: DeclaredColumn): string =>
  `${type === Number ? 'int' : String(type)} unsigned`;

function isNullable(
  { nullable, default: preset }: DeclaredColumn['options'],
  mode: string,
): boolean {
  return nullable ?? (mode === 'deleteDate' || preset === null);
}

function derivedKind(
  owner: string,
  column: DeclaredColumn,
  said: PropertyAnnotation,
  refuse: Refuse,
): FieldKind | undefined {
  const { mode, property, options } = column;
  if (mode === 'version' || mode === 'treeLevel') return 'integer';
  const isInstant = mode === 'createDate' || mode === 'updateDate' || mode === 'deleteDate';
  if (isInstant && column.type === undefined) return 'datetime';
  const kind = kindOfColumn({ ...column, isArray: options.array });
  if (typeof kind === 'string') {
    const { transformer } = options;
    return transformer ? shownKind(kind, { ...column, transformer }) : kind;
  }
  if (said.hidden && !options.primary) return undefined;
  refuse(
    owner,
    property,
    `${kind.refused}; give it one with @QueryField({ kind: ... }), or keep it out with @QueryHidden().`,
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

function companionsOf({ path, kind, said }: Derived, fields: ReadonlyMap<string, Derived>) {
  const found: { [role: string]: string } = {};
  for (const { role, kinds, suffix } of companionRoles) {
    const own = said[role];
    if (own === false) continue;
    const name = path + suffix;
    const byConvention = () =>
      [...fields.values()].find((each) => isCalled(each, name) && each.kind === 'string')?.path;
    const companion = own ?? (kinds.has(kind) ? byConvention() : undefined);
    if (companion !== undefined) found[role] = companion;
  }
  return found;
}

function isCalled({ path, column }: Derived, name: string): boolean {
  return path === name || column.options.name === name;
}
