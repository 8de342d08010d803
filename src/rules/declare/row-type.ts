/** The type of a presented row, as far as a registry's shape tells it. */

import type { FieldKind, RegistryShape } from '../../schema/index.ts';

/** The JSON form of each kind (decisions-query, "Values"). */
export interface JsonForms {
  string: string;
  uuid: string;
  enum: string;
  integer: number;
  /** Decimal text. */
  bigint: string;
  /** Decimal text. */
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
 * A row of a model. What a row has depends on the projection of the request, so that every field and
 * every relation is optional. A shape does not tell nullability: fields and `one` relations may be null.
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

/** How an included relation shows. */
export type Included<Cardinality extends 'one' | 'many', Row> = Cardinality extends 'many'
  ? Row[]
  : Row | null;
