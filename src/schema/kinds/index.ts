/** The table of field kinds. */

import type { ArrayKind, FieldDescriptor, FieldKind, ItemKind } from '../types.ts';
import { arrayKinds } from './arrays.ts';
import type { KindRow } from './kind.ts';
import {
  bigintKind,
  decimalKind,
  floatKind,
  integerKind,
  unsignedKinds,
  booleanKind,
} from './numbers.ts';
import { binaryKind, jsonKind, opaqueKind } from './opaque.ts';
import { dateKind, datetimeKind } from './temporal.ts';
import { enumKind, stringKind, uuidKind } from './text.ts';

const singles = {
  string: stringKind,
  uuid: uuidKind,
  enum: enumKind,
  integer: integerKind,
  bigint: bigintKind,
  decimal: decimalKind,
  float: floatKind,
  boolean: booleanKind,
  date: dateKind,
  datetime: datetimeKind,
} satisfies { readonly [Kind in ItemKind]: KindRow & { readonly kind: Kind } };

const rows = {
  ...singles,
  ...arrayKinds(Object.values(singles)),
  json: jsonKind,
  binary: binaryKind,
  opaque: opaqueKind,
} satisfies { readonly [Kind in FieldKind]: KindRow & { readonly kind: Kind } };

/** Kinds by name; a `Map`, so that a name such as `constructor` finds nothing. */
export const kinds: ReadonlyMap<string, KindRow> = new Map(Object.entries(rows));

type KindsWith<Properties> = {
  [Kind in FieldKind]: (typeof rows)[Kind] extends Properties ? Kind : never;
}[FieldKind];

/** Kinds that patterns and search apply to. */
export type TextualKind = KindsWith<{ readonly textual: true }>;

/** Kinds without order and comparison. */
export type OpaqueKind = Exclude<KindsWith<{ readonly order: 'none' }>, ArrayKind>;

/** The row of a kind. Every kind of a validated schema has one. */
export function kindRow(kind: FieldKind): KindRow {
  const row = kinds.get(kind);
  if (!row) throw new TypeError(`Unknown field kind "${kind}".`);
  return row;
}

/** The row of a field's kind, with the range of its column. */
export function fieldKindRow({ kind, unsigned }: Pick<FieldDescriptor, 'kind' | 'unsigned'>) {
  return (unsigned && unsignedKinds[kind]) || kindRow(kind);
}

/** The kind of arrays of a kind; arrays of values that are not compared, and of arrays, are opaque. */
export const arrayOf = (kind: FieldKind | undefined): FieldKind =>
  kinds.get(`${kind}[]`)?.kind ?? 'opaque';

/** The kind of the values that operators compare: of an array, that of its members. */
export const comparedKind = (kind: FieldKind): FieldKind => kindRow(kind).items ?? kind;

export { isArrayKind } from './arrays.ts';
export type { CanonicalValue, KindRow } from './kind.ts';
export { decimalToText, coerceBoolean } from './numbers.ts';
export { isStorableText } from './text.ts';
