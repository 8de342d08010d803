/** The table of field kinds. */

import type { FieldDescriptor, FieldKind } from '../types.ts';
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

const rows = {
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
export type OpaqueKind = KindsWith<{ readonly order: 'none' }>;

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

export type { CanonicalValue, KindRow } from './kind.ts';
export { decimalToText, coerceBoolean } from './numbers.ts';
export { isStorableText } from './text.ts';
