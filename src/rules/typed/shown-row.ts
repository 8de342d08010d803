/** The types of rows: of a presented one, as far as the registry determines it, and of the part that the rules can show. */

import type { QueryRulesDeclaration } from '../declare/declaration.ts';
import type { AllowedOf, RelationProjections, RootNames, RulesTypes } from './rules-types.ts';
import type { AllowedNames, Members } from './projections.ts';
import type { JsonForm, ModelShape, RegistryShape } from '../../schema/index.ts';
import type { Target } from './paths.ts';

/**
 * The row of a source, narrowed to the fields and relations that a declaration allows. Where the compiler does not know
 * the declaration, it is the source's row.
 */
export type ShownRow<R, D extends QueryRulesDeclaration, F extends RulesTypes> =
  string extends RootNames<D['fields'], F['wildcards']>
    ? R
    : Shown<
        R,
        RootNames<D['fields'], F['wildcards']>,
        Members<D['includes']>,
        RelationProjections<D['fields'], F['wildcards']>,
        F,
        ''
      >;

type Shown<
  R,
  Names,
  Includes,
  Projections,
  F extends Pick<RulesTypes, 'wildcards' | 'aggregates'>,
  Path extends string,
> = Fields<R, Names, Includes, Projections, F, Path> &
  ([Aggregates<Names>] extends [never]
    ? unknown
    : {
        -readonly [Name in Aggregates<Names>]?: Joined<Path, Name> extends keyof F['aggregates']
          ? F['aggregates'][Joined<Path, Name>]
          : unknown;
      });

/** The names of values over relations, under which rows show them. */
type Aggregates<Names> = Extract<Names, `${string}.$${string}`>;

type Fields<
  R,
  Names,
  Includes,
  Projections,
  F extends Pick<RulesTypes, 'wildcards' | 'aggregates'>,
  Path extends string,
> = string extends keyof R
  ? {
      [
        Name in (Exclude<Names, Aggregates<Names>> | Children<Includes, Path>) & string
      ]?: Name extends keyof R ? R[Name] : unknown;
    }
  : {
      [
        Name in keyof R as Name extends Names | Children<Includes, Path> ? Name : never
      ]: Name extends Children<Includes, Path>
        ? Nested<R[Name], Includes, Projections, F, Joined<Path, Name & string>>
        : R[Name];
    };

/** The included relations of a model, by the path of the model. */
type Children<Includes, Path extends string> = Path extends ''
  ? Includes extends `${string}.${string}`
    ? never
    : Includes
  : Includes extends `${Path}.${infer Rest}`
    ? Rest extends `${string}.${string}`
      ? never
      : Rest
    : never;

type Joined<Path extends string, Name extends string> = Path extends '' ? Name : `${Path}.${Name}`;

/** An included relation: a list of rows, a row, or null. */
type Nested<
  R,
  Includes,
  Projections,
  F extends Pick<RulesTypes, 'wildcards' | 'aggregates'>,
  Path extends string,
> = R extends readonly (infer Item)[]
  ? Nested<Item, Includes, Projections, F, Path>[]
  : R extends object
    ? Path extends keyof Projections
      ? Shown<
          R,
          AllowedNames<
            AllowedOf<Projections[Path]>,
            Path extends keyof F['wildcards'] ? F['wildcards'][Path] : never,
            Path
          >,
          Includes,
          Projections,
          F,
          Path
        >
      : R
    : R;

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
