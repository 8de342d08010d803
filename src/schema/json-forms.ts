/** The types of values of each kind in JSON. */

import type { FieldKind, ItemKind } from './types.ts';

/** The JSON form of the values of each kind. */
export interface JsonForms {
  /** Text. */
  string: string;
  /** Lower-case text with hyphens. */
  uuid: string;
  /** Name of the member. */
  enum: string;
  /** Number. */
  integer: number;
  /** Decimal digits. */
  bigint: string;
  /** Decimal digits. */
  decimal: string;
  /** Number; never NaN or an infinity. */
  float: number;
  /** `true` or `false`. */
  boolean: boolean;
  /** `YYYY-MM-DD`. */
  date: string;
  /** ISO 8601 in UTC with milliseconds. */
  datetime: string;
  /** The value itself. */
  json: unknown;
  /** Base64. */
  binary: string;
  /** A type without a kind: numbers, lists and objects as JSON has them, anything else as the database's text. */
  opaque: unknown;
}

/** The JSON form of a kind, without null. Members of an array may be null. */
export type JsonForm<Kind extends FieldKind> = Kind extends `${infer Item extends ItemKind}[]`
  ? (JsonForms[Item] | null)[]
  : Kind extends keyof JsonForms
    ? JsonForms[Kind]
    : never;
