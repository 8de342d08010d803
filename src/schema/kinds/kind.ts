/** What a kind is to the rest of Sluice: one row of the table in `index.ts`. */

import type { FieldKind } from '../types.ts';

/** A value in canonical form: what a plan carries and an adapter binds. */
export type CanonicalValue = string | number | boolean;

/** One kind (decisions-query, "Values" and "Operators"). */
export interface KindRow {
  readonly kind: FieldKind;
  /** `total`: one order in every family. `companion`: only through a companion column. `none`: opaque. */
  readonly order: 'total' | 'companion' | 'none';
  /** Whether `like`, `ilike` and search apply. */
  readonly textual: boolean;
  /** What a client may write, for messages and documentation. */
  readonly accepts: string;
  /** Accepted text to canonical value, `undefined` for anything else. Enum members are checked by the rules. */
  coerce(text: string): CanonicalValue | undefined;
  /** A driver's value, never null, to its JSON form. */
  present(value: unknown): unknown;
}
