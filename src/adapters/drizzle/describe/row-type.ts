/** The type of a row that a Drizzle source presents: JSON forms of the columns, included relations as rows. */

import type { Included } from '../../../rules/index.ts';
import type { ModelShape, RegistryShape } from '../../../schema/index.ts';
import type { JsonOf } from './column-json.ts';
import type { ColumnsOf, KindOf } from './registry-shape.ts';

/**
 * A row of `Model` in a result of `runQuery`. Fields keep the names of the table's properties and have the JSON form of
 * their kind: strings for bigint, decimal, dates and bytes; the members of an enum; the column's own type for json. The
 * projection of the request decides which fields and relations a row has, so all of them are optional. With a registry
 * that `drizzleRegistry` made, overridden kinds apply, internal fields are absent and included relations are rows;
 * otherwise relations are `unknown`.
 */
export type DrizzleRow<
  Tables,
  Model extends keyof Tables & string,
  Shape extends RegistryShape = RegistryShape,
> = string extends keyof Shape
  ? Columns<ColumnsOf<Tables[Model]>, keyof ColumnsOf<Tables[Model]>, unknown> & {
      [relation: string]: unknown;
    }
  : Model extends keyof Shape
    ? Columns<ColumnsOf<Tables[Model]>, keyof Shape[Model]['fields'], Shape[Model]['fields']> &
        Computed<Shape[Model], keyof ColumnsOf<Tables[Model]>> &
        Relations<Tables, Shape, Shape[Model]>
    : never;

/** The fields without a column. */
type Computed<Of extends ModelShape, Columns> = {
  -readonly [Path in Exclude<keyof Of['fields'], Columns>]?: Of extends {
    readonly values: infer Values;
  }
    ? Path extends keyof Values
      ? Values[Path]
      : unknown
    : unknown;
};

type Columns<Of, Paths, Kinds> = {
  [Path in Paths & keyof Of]?: JsonOf<
    Of[Path],
    Path extends keyof Kinds ? Kinds[Path] : KindOf<Of[Path], undefined>
  >;
};

type Relations<Tables, Shape extends RegistryShape, Of extends ModelShape> = {
  -readonly [Path in keyof Of['relations']]?: Included<
    Of['relations'][Path]['cardinality'],
    DrizzleRow<Tables, Of['relations'][Path]['target'] & keyof Tables & string, Shape>
  >;
};
