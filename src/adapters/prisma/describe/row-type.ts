/** The type of a row that a Prisma source presents: JSON forms of the client's fields, included relations as rows. */

import type { Included, JsonForm } from '../../../rules/index.ts';
import type { FieldKind, RegistryShape } from '../../../schema/index.ts';

interface Payload {
  readonly scalars: object;
  readonly objects: object;
}

/** The payload that a delegate carries, generated or extended. */
type PayloadOf<Delegate> = Delegate extends {
  readonly [types: symbol]: { readonly types: { readonly payload: infer P extends Payload } };
}
  ? P
  : never;

/**
 * A row of `Model` in a result of `runQuery`. Fields have the JSON form of their kind: strings for bigint, decimal,
 * dates and bytes; the members of an enum; the client's own type for json. The projection of the request decides which
 * fields and relations a row has, so all of them are optional. With a generated registry, internal fields are absent
 * and included relations are rows; otherwise relations are `unknown`.
 */
export type PrismaRow<
  Client,
  Model extends string,
  Shape extends RegistryShape = RegistryShape,
> = Model extends keyof Client ? RowOfPayload<PayloadOf<Client[Model]>, Model, Shape> : never;

type RowOfPayload<
  P extends Payload,
  Model extends string,
  Shape extends RegistryShape,
> = string extends keyof Shape
  ? { [Path in keyof P['scalars']]?: Plain<P['scalars'][Path]> } & {
      [Path in keyof P['objects']]?: unknown;
    }
  : Model extends keyof Shape
    ? Fields<P['scalars'], Shape[Model]> & Relations<P['objects'], Shape, Shape[Model]['relations']>
    : never;

type Fields<Scalars, Of extends RegistryShape[string]> = {
  -readonly [Path in keyof Of['fields']]?: Path extends keyof Scalars
    ? Present<Scalars[Path], Of['fields'][Path], Of, Path> | NullIn<Scalars[Path]>
    : // A computed field.
      Of extends { readonly values: infer Values }
      ? Path extends keyof Values
        ? Values[Path]
        : unknown
      : unknown;
};

type NullIn<Data> = null extends Data ? null : never;

type Present<Data, Kind extends FieldKind, Of, Path> = Kind extends 'json'
  ? Data
  : Kind extends 'enum'
    ? Of extends { readonly values: infer Values }
      ? Path extends keyof Values
        ? Exclude<Values[Path], null>
        : string
      : string
    : JsonForm<Kind>;

type Relations<
  Objects,
  Shape extends RegistryShape,
  Of extends RegistryShape[string]['relations'],
> = {
  -readonly [Path in keyof Of]?: Included<
    Of[Path]['cardinality'],
    Path extends keyof Objects
      ? RowOfPayload<PayloadIn<Objects[Path]>, Of[Path]['target'] & string, Shape>
      : Throughout<Objects, Of[Path]['target'] & string, Shape>
  >;
};

type PayloadIn<Data> =
  NonNullable<Data> extends readonly (infer Member extends Payload)[]
    ? Member
    : Extract<NonNullable<Data>, Payload>;

/** The target of a relation through a join model: the relation of the join model whose model has the target's name. */
type Throughout<Objects, Target extends string, Shape extends RegistryShape> = {
  [Path in keyof Objects]: PayloadIn<Objects[Path]>['objects'] extends infer Inner
    ? {
        [Reference in keyof Inner]: PayloadIn<Inner[Reference]> extends infer P extends Payload & {
          readonly name: string;
        }
          ? Uncapitalize<P['name']> extends Target
            ? RowOfPayload<P, Target, Shape>
            : never
          : never;
      }[keyof Inner]
    : never;
}[keyof Objects];

/** The JSON form by the type of the client, for fields of which no registry states the kind. */
type Plain<Data> = Data extends null | string | number | boolean
  ? Data
  : Data extends bigint | Date | Uint8Array | { readonly toFixed: unknown }
    ? string
    : Data;
