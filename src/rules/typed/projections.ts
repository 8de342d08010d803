/** Refuses projections and includes of a rules literal at compile time that do not fit the registry or each other. */

import type { ModelShape, RegistryShape } from '../../schema/index.ts';
import type { FoundField, FoundRelation, Refused, RefusedName, Resolve } from './paths.ts';

/** The members of a list; `never` where there is no list. */
export type Members<List> = List extends readonly (infer Member)[] ? Member : never;

/** The value of a key; `undefined` where the object does not have it. */
type Of<T, Key extends string> = Key extends keyof T ? T[Key] : undefined;

/** Includes that are relations, have a projection, and have their parent in the list. */
export type CheckedIncludes<
  List,
  Shape extends RegistryShape,
  Root,
  Model extends string,
  Declaration,
> = {
  readonly [Index in keyof List]: CheckedInclude<
    List[Index],
    Resolve<Shape, Root, Model, List[Index]>,
    Members<List>,
    Projected<Of<Declaration, 'fields'>>
  >;
};

/** The relations with a projection; `string` where every field of every relation is allowed. */
type Projected<Fields> = Fields extends 'all' ? string : keyof Of<Fields, 'relations'>;

type CheckedInclude<Path, Found, Listed, Projected> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field is not a relation; project it under fields'>
      : string extends Path | Listed | Projected
        ? Path
        : Path extends Projected
          ? ParentOf<Path> extends Listed | ''
            ? Path
            : Refused<`${Path & string} needs its parent ${ParentOf<Path>} in includes`>
          : Refused<`${Path & string} has no projection; add it under fields.relations`>;

/** The path without its last segment; the empty text for a path of one segment. */
type ParentOf<Path> = Path extends `${infer Head}.${infer Rest}`
  ? ParentOf<Rest> extends infer Parent extends string
    ? Parent extends ''
      ? Head
      : `${Head}.${Parent}`
    : never
  : '';

/** The projections of the root and of the includes. */
export type CheckedFields<
  Fields,
  Shape extends RegistryShape,
  Root,
  Model extends string,
  Declaration,
> = {
  readonly [Key in keyof Fields]: Key extends 'root'
    ? 'all' extends Fields[Key]
      ? Fields[Key]
      : CheckedProjection<Fields[Key], Root, Model, ''>
    : Key extends 'relations'
      ? RelationProjections<Fields[Key], Shape, Root, Model, Of<Declaration, 'includes'>>
      : RefusedName<`fields has no ${Key & string}; use`, 'root' | 'relations'>;
};

type RelationProjections<
  Projections,
  Shape extends RegistryShape,
  Root,
  Model extends string,
  Includes,
> = {
  readonly [Path in keyof Projections]: IsListed<Path, Includes> extends true
    ? RelationProjection<Projections[Path], Resolve<Shape, Root, Model, Path>, Path & string>
    : Resolve<Shape, Root, Model, Path> extends infer Found extends Refused<string>
      ? Found
      : Refused<`${Path & string} is not in includes; add it, or drop its projection`>;
};

/** Whether the includes list the path; `true` where the compiler does not know. */
export type IsListed<Path, Includes> = Includes extends readonly (infer Listed)[]
  ? string extends Listed | Path
    ? true
    : Path extends Listed
      ? true
      : false
  : undefined extends Includes
    ? string extends Path
      ? true
      : false
    : true;

type RelationProjection<Projection, Found, Path extends string> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field is not a relation; project it under root'>
      : Found extends FoundRelation
        ? CheckedProjection<Projection, Found['target'], Path, Path>
        : Projection;

type CheckedProjection<Projection, Model, Name extends string, Relation extends string> = {
  readonly [Key in keyof Projection]: Key extends 'allowed'
    ? EntryList<Projection[Key], FieldsOf<Model>, Name, Relation>
    : Key extends 'default'
      ? Projection[Key] extends readonly []
        ? Refused<'default is empty; name at least one field'>
        : DefaultList<
            Projection[Key],
            FieldsOf<Model>,
            AllowedNames<Of<Projection, 'allowed'>, FieldsOf<Model>, Relation>,
            Name,
            Relation
          >
      : [Key, Relation extends '' ? 'root' : Key] extends ['maxChildren', 'maxChildren']
        ? Projection[Key]
        : RefusedName<`a projection has no ${Key & string}; use`, 'allowed' | 'default'>;
};

/** The visible fields of a model; `string` where the compiler does not know them. */
export type FieldsOf<Model> = Model extends ModelShape ? keyof Model['fields'] & string : string;

/** A value over a relation; whether the rules have it is checked when they are compiled. */
type AggregateName = `${string}.$${string}`;

type EntryList<List, Fields extends string, Name extends string, Relation extends string> = {
  readonly [Index in keyof List]: string extends List[Index]
    ? List[Index]
    : Bare<List[Index], Relation> extends Fields | AggregateName
      ? List[Index]
      : IsWildcard<List[Index], Relation> extends true
        ? List extends readonly [unknown]
          ? List[Index]
          : Refused<'a wildcard stands alone in allowed'>
        : NoField<Name, List[Index], Fields>;
};

type DefaultList<
  List,
  Fields extends string,
  Allowed,
  Name extends string,
  Relation extends string,
> = {
  readonly [Index in keyof List]: string extends List[Index]
    ? List[Index]
    : IsWildcard<List[Index], Relation> extends true
      ? List extends readonly [unknown]
        ? List[Index]
        : Refused<'a wildcard stands alone in default'>
      : Bare<List[Index], Relation> extends Fields | AggregateName
        ? Bare<List[Index], Relation> extends Allowed
          ? List[Index]
          : RefusedName<`allowed does not name ${List[Index] & string}; it names`, Allowed>
        : NoField<Name, List[Index], Fields>;
};

/** The names that a list of entries allows, with those that a wildcard stands for. */
export type AllowedNames<List, Fields, Relation extends string> =
  Members<List> extends infer Entry
    ? Entry extends unknown
      ? string extends Entry
        ? string
        : IsWildcard<Entry, Relation> extends true
          ? Fields
          : Bare<Entry, Relation>
      : never
    : never;

/** The name of an entry, which is bare or begins with the relation's path. */
export type Bare<Entry, Relation extends string> = Entry extends `${Relation}.${infer Name}`
  ? Name
  : Entry;

type IsWildcard<Entry, Relation extends string> = Relation extends ''
  ? false
  : Entry extends `${Relation}.*`
    ? true
    : false;

type NoField<Name extends string, Entry, Fields> = RefusedName<
  `${Name} has no visible field ${Entry & string}; it has`,
  Fields
>;
