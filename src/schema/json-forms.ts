/** The types of values of each kind in JSON. */

import type { FieldKind } from './types.ts';

/** The JSON form of the values of each kind. */
export interface JsonForms {
  string: string;
  uuid: string;
  enum: string;
  integer: number;
  /** Decimal digits. */
  bigint: string;
  /** Decimal digits. */
  decimal: string;
  float: number;
  boolean: boolean;
  /** `YYYY-MM-DD`. */
  date: string;
  /** ISO 8601 in UTC with milliseconds. */
  datetime: string;
  json: unknown;
  /** Base64. */
  binary: string;
  /** The JSON form of a type without a kind; see the documents. */
  opaque: unknown;
}

/** The JSON form of a kind, without null. */
export type JsonForm<Kind extends FieldKind> = JsonForms[Kind];
