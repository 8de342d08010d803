/** The type of a presented row, as far as the type of the registry determines it. */

import type { FieldKind, RegistryShape } from '../../schema/index.ts';

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
  boolean: boolean;
  /** `YYYY-MM-DD`. */
  date: string;
  /** ISO 8601 in UTC with milliseconds. */
  datetime: string;
  json: unknown;
  /** Base64. */
  binary: string;
}

/** The JSON form of a kind, without null. */
export type JsonForm<Kind extends FieldKind> = JsonForms[Kind];

/**
 * A row of a model. The projection of the request decides which fields and relations a row has, so all of them are
 * optional. A registry's type does not contain nullability, so fields and `one` relations may be null.
 */
export type RowOf<Shape extends RegistryShape, Model extends string> = string extends keyof Shape
  ? { [field: string]: unknown }
  : Model extends keyof Shape
    ? { [Path in keyof Shape[Model]['fields']]?: JsonForm<Shape[Model]['fields'][Path]> | null } & {
        [Path in keyof Shape[Model]['relations']]?: Included<
          Shape[Model]['relations'][Path]['cardinality'],
          RowOf<Shape, Shape[Model]['relations'][Path]['target']>
        >;
      }
    : never;

/** The JSON form of an included relation: a list, or one row or null. */
export type Included<Cardinality extends 'one' | 'many', Row> = Cardinality extends 'many'
  ? Row[]
  : Row | null;
