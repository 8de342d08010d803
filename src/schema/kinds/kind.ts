/** The type of a row in the table of kinds. */

import type { FieldKind, ItemKind } from '../types.ts';

/** A value in canonical form, as a plan carries it and an adapter binds it. */
export type CanonicalValue = string | number | boolean;

/** A kind: its order, the values it accepts, and their JSON form. */
export interface KindRow {
  readonly kind: FieldKind;
  /** Kind of the members of an array. Default: the kind is not one of arrays. */
  readonly items?: ItemKind;
  /** `total`: same order in every family. `companion`: ordered only by a companion column. `none`: no order. */
  readonly order: 'total' | 'companion' | 'none';
  /** Whether `like`, `ilike` and search apply. */
  readonly textual: boolean;
  /** Description of the accepted values, for messages and documentation. */
  readonly accepts: string;
  /** Converts text to its canonical value; `undefined` for invalid text. The rules check enum members. */
  coerce(text: string): CanonicalValue | undefined;
  /** Converts a driver's non-null value to its JSON form. */
  present(value: unknown): unknown;
}
