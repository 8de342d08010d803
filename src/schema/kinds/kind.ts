/** One row of the table of kinds. */

import type { FieldKind } from '../types.ts';

/** A value in canonical form, as a plan carries it and an adapter binds it. */
export type CanonicalValue = string | number | boolean;

/** One kind. */
export interface KindRow {
  readonly kind: FieldKind;
  /** `total`: same order in every family. `companion`: ordered only by a companion column. `none`: no order. */
  readonly order: 'total' | 'companion' | 'none';
  /** Whether `like`, `ilike` and search apply. */
  readonly textual: boolean;
  /** The texts that a client may send, for messages and documentation. */
  readonly accepts: string;
  /** Converts text to its canonical value; `undefined` for invalid text. The rules check enum members. */
  coerce(text: string): CanonicalValue | undefined;
  /** Converts a driver's non-null value to its JSON form. */
  present(value: unknown): unknown;
}
