/** Refuses wrong paths and operators of a rules literal at compile time, where the registry's type is known. */

import type { FieldKind, OpaqueKind, RegistryShape, TextualKind } from '../../schema/index.ts';
import type { OperatorName, OperatorsWith } from './operators.ts';

/** Replaces a literal that does not fit; the compiler's message ends in `Refused<"...">` with the reason. */
export interface Refused<Reason extends string> {
  readonly '~refused': Reason;
}

/**
 * The declaration as the registry allows it: the same type, with `Refused` in the position of each literal that does
 * not fit. `defineQueryRules` intersects it with the declared type. Each path is walked once, so the work grows with
 * the literal and not with the registry. Where the compiler does not know the registry or the literal, everything is
 * accepted here and checked at boot.
 */
export type CheckedDeclaration<
  Shape extends RegistryShape,
  Model extends string,
  Declaration,
> = string extends keyof Shape
  ? Declaration
  : {
      readonly [Key in keyof Declaration]: Key extends 'filters' | 'sorts' | 'includes' | 'search'
        ? CheckedList<Declaration[Key], Key, Shape, Model>
        : Key extends 'fields'
          ? CheckedFields<Declaration[Key], Shape, Model>
          : Declaration[Key];
    };

type ListKey = 'filters' | 'sorts' | 'includes' | 'search';

type CheckedList<List, Key extends ListKey, Shape extends RegistryShape, Model extends string> = {
  readonly [Index in keyof List]: Key extends 'filters'
    ? CheckedFilter<List[Index], Shape, Model>
    : Key extends 'sorts'
      ? CheckedSort<List[Index], Shape, Model>
      : Key extends 'includes'
        ? CheckedInclude<List[Index], Resolve<Shape, Model, List[Index]>>
        : CheckedSearch<List[Index], Resolve<Shape, Model, List[Index]>>;
};

type CheckedFilter<Filter, Shape extends RegistryShape, Model extends string> = Filter extends {
  readonly path: infer Path;
}
  ? FilterAt<Filter, Resolve<Shape, Model, Path>>
  : Filter;

type FilterAt<Filter, Found> =
  Found extends Refused<string>
    ? Replaced<Filter, 'path', Found>
    : Found extends FoundField
      ? CheckedOperators<Filter, OperatorsOf<Found['kind']>, Found['kind']>
      : Found extends FoundRelation
        ? CheckedOperators<Filter, RelationOperator, 'a relation'>
        : Filter;

type CheckedOperators<Filter, Allowed extends OperatorName, Of extends string> = {
  readonly [Key in keyof Filter]: Key extends 'operators'
    ? OperatorList<Filter[Key], Allowed, Of>
    : Filter[Key];
};

type OperatorList<List, Allowed extends OperatorName, Of extends string> = {
  readonly [Index in keyof List]: [List[Index]] extends [Allowed]
    ? List[Index]
    : OperatorName extends List[Index]
      ? List[Index]
      : Refused<`${List[Index] & string} does not apply to ${Of}`>;
};

type Replaced<Of, Name extends string, By> = {
  readonly [Key in keyof Of]: Key extends Name ? By : Of[Key];
};

type RelationOperator = OperatorsWith<{ readonly comparison: 'null' }>;

/** Operators that a kind can have; companions, nullability and families are checked when the rules are compiled. */
type OperatorsOf<Kind extends FieldKind> = Kind extends OpaqueKind
  ? never
  : Kind extends TextualKind
    ? OperatorName
    : Exclude<OperatorName, OperatorsWith<{ readonly comparison: 'pattern' }>>;

type CheckedSort<Sort, Shape extends RegistryShape, Model extends string> = Sort extends {
  readonly path: infer Path;
}
  ? Replaced<Sort, 'path', SortAt<Path, Resolve<Shape, Model, Path>>>
  : SortAt<Sort, Resolve<Shape, Model, Sort>>;

type SortAt<Path, Found> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundRelation
      ? Refused<'a relation has no order; sort by one of its fields'>
      : Found extends { readonly crossesMany: true }
        ? Refused<'the path crosses a many relation, so a row has no single value to sort by'>
        : Found extends { readonly kind: OpaqueKind }
          ? Refused<'json and binary fields have no order'>
          : Path;

type CheckedInclude<Path, Found> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field is not a relation; project it under fields'>
      : Path;

type CheckedSearch<Path, Found> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundRelation
      ? Refused<'search names fields, not relations'>
      : Found extends FoundField
        ? Found['kind'] extends TextualKind
          ? Path
          : Refused<`search needs a string, uuid or enum, not ${Found['kind']}`>
        : Path;

type CheckedFields<Fields, Shape extends RegistryShape, Model extends string> = {
  readonly [Key in keyof Fields]: Key extends 'root'
    ? CheckedProjection<Fields[Key], Shape, Model, ''>
    : Key extends 'relations'
      ? RelationProjections<Fields[Key], Shape, Model>
      : Fields[Key];
};

type RelationProjections<Projections, Shape extends RegistryShape, Model extends string> = {
  readonly [Path in keyof Projections]: RelationProjection<
    Projections[Path],
    Resolve<Shape, Model, Path>,
    Shape,
    `${Path & string}.`
  >;
};

type RelationProjection<Projection, Found, Shape extends RegistryShape, Prefix extends string> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field is not a relation; project it under root'>
      : Found extends FoundRelation
        ? CheckedProjection<Projection, Shape, Found['target'], Prefix>
        : Projection;

type CheckedProjection<
  Projection,
  Shape extends RegistryShape,
  Model extends string,
  Prefix extends string,
> = {
  readonly [Key in keyof Projection]: EntryList<
    Projection[Key],
    Model extends keyof Shape ? keyof Shape[Model]['fields'] : string,
    Model,
    Prefix
  >;
};

type EntryList<List, Fields, Model extends string, Prefix extends string> = {
  readonly [Index in keyof List]: CheckedEntry<List[Index], Fields, Model, Prefix>;
};

/** An entry is a field name, bare or prefixed with the relation's path, or the wildcard of a relation. */
type CheckedEntry<Entry, Fields, Model extends string, Prefix extends string> = Entry extends Fields
  ? Entry
  : string extends Entry
    ? Entry
    : Prefix extends ''
      ? NoField<Model, Entry>
      : Entry extends `${Prefix}${infer Bare}`
        ? Bare extends '*' | Fields
          ? Entry
          : NoField<Model, Bare>
        : NoField<Model, Entry>;

type NoField<
  Model extends string,
  Entry,
> = Refused<`${Model} has no visible field ${Entry & string}`>;

interface FoundField {
  readonly kind: FieldKind;
  readonly crossesMany: boolean;
}

interface FoundRelation {
  readonly target: string;
  readonly crossesMany: boolean;
}

/** The end of a path: a field, a relation, a refusal, or `null` where the compiler does not know. */
type Resolve<
  Shape extends RegistryShape,
  Model extends string,
  Path,
  CrossesMany extends boolean = false,
> = Model extends keyof Shape
  ? string extends Path | keyof Shape[Model]['fields'] | keyof Shape[Model]['relations']
    ? null
    : Path extends `${infer Head}.${infer Rest}`
      ? Head extends keyof Shape[Model]['relations']
        ? Resolve<
            Shape,
            Shape[Model]['relations'][Head]['target'],
            Rest,
            Shape[Model]['relations'][Head]['cardinality'] extends 'many' ? true : CrossesMany
          >
        : Refused<`${Model} has no relation ${Head}`>
      : Path extends keyof Shape[Model]['fields']
        ? { readonly kind: Shape[Model]['fields'][Path]; readonly crossesMany: CrossesMany }
        : Path extends keyof Shape[Model]['relations']
          ? {
              readonly target: Shape[Model]['relations'][Path]['target'];
              readonly crossesMany: CrossesMany;
            }
          : Refused<`${Model} has no visible field or relation ${Path & string}`>
  : null;
