/** The kinds that a field of each Prisma type can have. */

import { type FieldKind, arrayOf, isHeldInJson, kinds } from '../../../schema/index.ts';

const heldByType: ReadonlyMap<string, ReadonlySet<FieldKind>> = new Map<
  string,
  ReadonlySet<FieldKind>
>(
  Object.entries({
    String: new Set<FieldKind>(['string', 'uuid', 'enum', 'date', 'decimal']),
    Boolean: new Set<FieldKind>(['boolean']),
    Int: new Set<FieldKind>(['integer', 'bigint', 'decimal']),
    BigInt: new Set<FieldKind>(['bigint', 'decimal']),
    Decimal: new Set<FieldKind>(['decimal']),
    Float: new Set<FieldKind>(['float']),
    DateTime: new Set<FieldKind>(['datetime', 'date']),
    Json: new Set<FieldKind>([
      'json',
      ...[...kinds.values()].flatMap(({ kind }) => (isHeldInJson(kind) ? kind : [])),
    ]),
    Bytes: new Set<FieldKind>(['binary', 'uuid']),
  }),
);

const heldByEnum: ReadonlySet<FieldKind> = new Set<FieldKind>(['enum', 'string']);

/** The kinds that the client's values of a type can represent; values of every type can be opaque. */
export function heldKinds(type: string, isEnum: boolean, isList: boolean): ReadonlySet<FieldKind> {
  const own = isEnum ? heldByEnum : heldByType.get(type);
  const held = [...(own ?? [])];
  return new Set<FieldKind>(['opaque', ...(isList ? held.map(arrayOf) : held)]);
}
