/** Types of values over the rows of a relation, such as `posts.$count`, which paths of a rules literal name. */

import type { ModelShape, RegistryShape } from '../../schema/index.ts';
import type { FoundField, FoundRelation, Refused, RefusedName, Resolve } from './paths.ts';
import type { Members } from './projections.ts';

/** The value that the end of a path names, such as `count` or `max.createdAt.published`, over rows of the model. */
export type AggregateAt<Of, Name extends string, End, CrossesMany extends boolean> = End extends
  | 'count'
  | `count.${string}`
  ? Found<'integer', number, CrossesMany>
  : End extends `${infer Type extends 'sum' | 'min' | 'max'}.${infer Rest}`
    ? Of extends ModelShape
      ? FieldOf<Rest> extends infer Path
        ? Path extends keyof Of['fields']
          ? Type extends 'sum'
            ? SumOf<Of['fields'][Path], CrossesMany>
            : Found<Of['fields'][Path], ValueOf<Of, Path> | null, CrossesMany>
          : RefusedName<`${Name} has no visible field ${Path & string}; it has`, keyof Of['fields']>
        : never
      : null
    : RefusedName<`there is no value $${End & string}; use`, '$count' | '$sum' | '$min' | '$max'>;

type FieldOf<Rest extends string> = Rest extends `${infer Path}.${string}` ? Path : Rest;

interface Found<
  Kind extends FoundField['kind'],
  Value,
  CrossesMany extends boolean,
> extends FoundField {
  readonly kind: Kind;
  readonly value: Value;
  readonly isFolded: false;
  readonly crossesMany: CrossesMany;
}

type ValueOf<Of extends ModelShape, Path> = Of extends { readonly values: infer Values }
  ? Path extends keyof Values
    ? Values[Path]
    : unknown
  : unknown;

type SumOf<Kind, CrossesMany extends boolean> = Kind extends 'float'
  ? Found<'float', number | null, CrossesMany>
  : Found<Kind extends 'integer' ? 'bigint' : 'decimal', string | null, CrossesMany>;

/** The paths of values over relations that projections of a declaration allow, from the root. */
export type ShownAggregates<Fields> = Fields extends {
  readonly root: { readonly allowed: infer List };
}
  ?
      | Named<Members<List>>
      | ('relations' extends keyof Fields ? Included<Fields['relations']> : never)
  : 'relations' extends keyof Fields
    ? Included<Fields['relations']>
    : never;

type Named<Entry> = Extract<Entry, `${string}.$${string}`>;

type Included<Projections> = {
  [Relation in keyof Projections & string]: Projections[Relation] extends {
    readonly allowed: infer List;
  }
    ? Whole<Relation, Named<Members<List>>>
    : never;
}[keyof Projections & string];

type Whole<Relation extends string, Entry extends string> = Entry extends `${Relation}.${string}`
  ? Entry
  : `${Relation}.${Entry}`;

/** The JSON form of the value at the end of a path. */
export type ShownValue<Found> =
  Found extends Refused<string> ? never : Found extends FoundField ? Found['value'] : unknown;

/** The rules of values over relations, with `Refused` at paths that are not relations. */
export type CheckedAggregates<Rules, Shape extends RegistryShape, Of, Model extends string> = {
  readonly [Path in keyof Rules]: Resolve<Shape, Of, Model, Path> extends infer Found
    ? Found extends Refused<string>
      ? Found
      : Found extends FoundField
        ? Refused<'a field is not a relation; name the relation with many rows'>
        : Found extends FoundRelation
          ? CheckedRule<Rules[Path], Found['target'], Path & string>
          : Rules[Path]
    : never;
};

type CheckedRule<Rule, Of, Name extends string> = {
  readonly [Key in keyof Rule]: Key extends 'sum' | 'min' | 'max'
    ? FieldList<Rule[Key], Of, Name>
    : Key extends 'count' | 'where'
      ? Rule[Key]
      : RefusedName<
          `values over a relation have no ${Key & string}; they have`,
          'count' | 'sum' | 'min' | 'max' | 'where'
        >;
};

type FieldList<List, Of, Name extends string> = Of extends ModelShape
  ? {
      readonly [Index in keyof List]: string extends List[Index]
        ? List[Index]
        : List[Index] extends keyof Of['fields']
          ? List[Index]
          : RefusedName<
              `${Name} has no visible field ${List[Index] & string}; it has`,
              keyof Of['fields']
            >;
    }
  : List;
