/** Kinds of arrays: `string[]` is an array whose members are of kind `string`. */

import type { ArrayKind, ItemKind } from '../types.ts';
import type { KindRow } from './kind.ts';

type ItemRow = KindRow & { readonly kind: ItemKind };

/** The row of a kind of arrays; `accepts` and `coerce` are those of one member, with which operators compare. */
export interface ArrayRow<Kind> extends KindRow {
  readonly kind: ArrayKind & Kind;
  readonly items: ItemKind;
  readonly order: 'none';
  readonly textual: false;
}

/** Members that are null, or arrays, are shown as null. */
const presenter =
  ({ present }: ItemRow): KindRow['present'] =>
  (value) =>
    Array.isArray(value)
      ? value.map((member: unknown) =>
          member === null || Array.isArray(member) ? null : present(member),
        )
      : null;

/** The kinds of arrays of kinds, by name. */
export const arrayKinds = (singles: readonly ItemRow[]) =>
  Object.fromEntries(
    singles.map((row) => {
      const kind = `${row.kind}[]`;
      const present = presenter(row);
      return [kind, { ...row, kind, items: row.kind, order: 'none', textual: false, present }];
    }),
  ) as unknown as { readonly [Kind in ArrayKind]: ArrayRow<Kind> };

/** Whether a kind is one of arrays. */
export const isArrayKind = (kind: string): kind is ArrayKind => kind.endsWith('[]');
