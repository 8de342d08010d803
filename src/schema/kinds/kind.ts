/** One row of the table of kinds. */

import type { FieldKind } from '../types.ts';

/** A value in canonical form, as a plan carries it and an adapter binds it. */
export type CanonicalValue = string | number | boolean;

/** One kind. */
export interface KindRow {
  readonly kind: FieldKind;
  /** `total`: one order in every family. `companion`: only through a companion column. `none`: opaque. */
  readonly order: 'total' | 'companion' | 'none';
  /** Whether `like`, `ilike` and search apply. */
  readonly textual: boolean;
  /** The texts that a client may send, for messages and documentation. */
  readonly accepts: string;
  /** Accepted text to canonical value, `undefined` for anything else. Enum members are checked by the rules. */
  coerce(text: string): CanonicalValue | undefined;
  /** A driver's value, never null, to its JSON form. */
  present(value: unknown): unknown;
}
