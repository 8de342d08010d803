/** The type of a presented row, as far as the type of the registry determines it. */

import type { JsonForm, ModelShape, RegistryShape } from '../../schema/index.ts';
import type { Target } from './paths.ts';

/**
 * A row of a model. The projection of the request decides which fields and relations a row has, so all of them are
 * optional. Fields may be null where the type of the registry does not exclude it, and `one` relations always.
 */
export type RowOf<Shape extends RegistryShape, Model extends string> = string extends keyof Shape
  ? { [field: string]: unknown }
  : Model extends keyof Shape
    ? RowOfModel<Shape, Shape[Model]>
    : never;

type RowOfModel<Shape extends RegistryShape, Of extends ModelShape> = {
  -readonly [Path in keyof Of['fields']]?: FieldValue<Of, Path>;
} & {
  -readonly [Path in keyof Of['relations']]?: Included<
    Of['relations'][Path]['cardinality'],
    Target<Shape, Of['relations'][Path]> extends infer Found extends ModelShape
      ? RowOfModel<Shape, Found>
      : { [field: string]: unknown }
  >;
};

/** The JSON form of a field, null included. */
type FieldValue<Of extends ModelShape, Path extends keyof Of['fields']> = Of extends {
  readonly values: infer Values;
}
  ? Path extends keyof Values
    ? Values[Path]
    : unknown
  : JsonForm<Of['fields'][Path]> | null;

/** The JSON form of an included relation: a list, or one row or null. */
export type Included<Cardinality extends 'one' | 'many', Row> = Cardinality extends 'many'
  ? Row[]
  : Row | null;
