/** Refuses filters, sorts, search and settings of a rules literal at compile time that the registry does not allow. */

import type { ArrayKind, OpaqueKind, RegistryShape, TextualKind } from '../../schema/index.ts';
import type {
  ChildrenRule,
  GroupsRule,
  PaginationRule,
  QueryRulesDeclaration,
} from '../declare/declaration.ts';
import type { OperatorName, OperatorsWith } from '../declare/operators.ts';
import type {
  FoundField,
  FoundRelation,
  IsNative,
  ModelNamed,
  Refused,
  RefusedName,
  Resolve,
} from './paths.ts';
import type { CheckedAggregates } from './aggregates.ts';
import type { CheckedFields, CheckedIncludes, IsListed } from './projections.ts';

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
  Settings = unknown,
> = string extends keyof Shape
  ? Declaration
  : CheckedKeys<
      Shape,
      ModelNamed<Shape, Model>,
      Model,
      Declaration,
      IsNative<ModelNamed<Shape, Model>, Settings>
    >;

type CheckedKeys<Shape extends RegistryShape, Of, Model extends string, Declaration, Native> = {
  readonly [Key in keyof Declaration]: Key extends 'filters' | 'sorts' | 'search'
    ? CheckedList<Declaration[Key], Key, Shape, Of, Model, Native>
    : Key extends 'includes'
      ? CheckedIncludes<Declaration[Key], Shape, Of, Model, Declaration>
      : Key extends 'fields'
        ? CheckedFields<Declaration[Key], Shape, Of, Model, Declaration>
        : Key extends 'pagination'
          ? KnownKeys<Declaration[Key], keyof PaginationRule>
          : Key extends 'groups'
            ? KnownKeys<Declaration[Key], keyof GroupsRule>
            : Key extends 'quantifiers'
              ? CheckedQuantifiers<Declaration[Key], Shape, Of, Model>
              : Key extends 'children'
                ? CheckedChildren<Declaration[Key], Shape, Of, Model, Declaration, Native>
                : Key extends 'aggregates'
                  ? CheckedAggregates<Declaration[Key], Shape, Of, Model>
                  : Key extends keyof QueryRulesDeclaration
                    ? Declaration[Key]
                    : RefusedName<
                        `rules have no ${Key & string}; they have`,
                        keyof QueryRulesDeclaration
                      >;
};

type KnownKeys<Of, Known extends string> = {
  readonly [Key in keyof Of]: Key extends Known
    ? Of[Key]
    : RefusedName<`there is no option ${Key & string}; use`, Known>;
};

/** The children of included relations; whether a relation has many rows is checked when the rules are compiled. */
type CheckedChildren<
  Children,
  Shape extends RegistryShape,
  Of,
  Model extends string,
  Declaration,
  Native,
> = {
  readonly [Path in keyof Children]: IsListed<
    Path,
    'includes' extends keyof Declaration ? Declaration['includes'] : undefined
  > extends true
    ? ChildrenAt<Children[Path], Resolve<Shape, Of, Model, Path>, Path & string, Shape, Native>
    : Refused<`${Path & string} is not in includes; add it, or drop its children`>;
};

type ChildrenAt<Rule, Found, Path extends string, Shape extends RegistryShape, Native> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field has no children; name a relation'>
      : Found extends FoundRelation
        ? {
            readonly [Key in keyof Rule]: Key extends 'filters' | 'sorts'
              ? CheckedList<Rule[Key], Key, Shape, Found['target'], Path, Native>
              : Key extends 'quantifiers'
                ? CheckedQuantifiers<Rule[Key], Shape, Found['target'], Path>
                : Key extends 'groups'
                  ? KnownKeys<Rule[Key], keyof GroupsRule>
                  : Key extends keyof ChildrenRule
                    ? Rule[Key]
                    : RefusedName<`children have no ${Key & string}; use`, keyof ChildrenRule>;
          }
        : Rule;

type CheckedQuantifiers<List, Shape extends RegistryShape, Of, Model extends string> = {
  readonly [Index in keyof List]: List[Index] extends { readonly path: infer Path }
    ? Replaced<List[Index], 'path', QuantifierAt<Path, Resolve<Shape, Of, Model, Path>>>
    : QuantifierAt<List[Index], Resolve<Shape, Of, Model, List[Index]>>;
};

type QuantifierAt<Path, Found> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundField
      ? Refused<'a field is not a relation; name the relation with many rows'>
      : Path;

type CheckedList<
  List,
  Key extends 'filters' | 'sorts' | 'search',
  Shape extends RegistryShape,
  Of,
  Model extends string,
  Native,
> = {
  readonly [Index in keyof List]: Key extends 'filters'
    ? CheckedFilter<List[Index], Shape, Of, Model, Native>
    : Key extends 'sorts'
      ? CheckedSort<List[Index], Shape, Of, Model>
      : CheckedSearch<List[Index], Resolve<Shape, Of, Model, List[Index]>, Native>;
};

type CheckedFilter<
  Filter,
  Shape extends RegistryShape,
  Of,
  Model extends string,
  Native,
> = Filter extends {
  readonly path: infer Path;
}
  ? FilterAt<Filter, Path, Resolve<Shape, Of, Model, Path>, Native>
  : Filter;

type FilterAt<Filter, Path, Found, Native> =
  Found extends Refused<string>
    ? Replaced<Filter, 'path', Found>
    : Found extends FoundField
      ? CheckedOperators<Filter, OperatorsOf<Found, Native>, WhyNot<Path, Found>>
      : Found extends FoundRelation
        ? CheckedOperators<Filter, NullOperator, `${Path & string}, which is a relation`>
        : Filter;

type CheckedOperators<Filter, Allowed extends OperatorName, Place extends string> = {
  readonly [Key in keyof Filter]: Key extends 'operators'
    ? OperatorList<Filter[Key], Allowed, Place>
    : Filter[Key];
};

type OperatorList<List, Allowed extends OperatorName, Place extends string> = {
  readonly [Index in keyof List]: [List[Index]] extends [Allowed]
    ? List[Index]
    : OperatorName extends List[Index]
      ? List[Index]
      : RefusedName<`${List[Index] & string} does not apply to ${Place}; use`, Allowed>;
};

type Replaced<Of, Name extends string, By> = {
  readonly [Key in keyof Of]: Key extends Name ? By : Of[Key];
};

type NullOperator = OperatorsWith<{ readonly comparison: 'null' }>;
type PatternOperator = OperatorsWith<{ readonly comparison: 'pattern' }>;
type FoldedOperator = OperatorsWith<{ readonly need: 'foldedText' }>;
type ArrayOperator = OperatorsWith<{ readonly need: 'array' }>;

/** Operators that a field can have; whether it has the order that they need is checked when the rules are compiled. */
type OperatorsOf<Found extends FoundField, Native> = Found['kind'] extends ArrayKind
  ? ArrayOperator | (IsNullable<Found['value']> extends false ? never : NullOperator)
  : Found['kind'] extends OpaqueKind
    ? never
    : Exclude<
        OperatorName,
        | ([Extract<Found['kind'], ArrayKind>] extends [never] ? ArrayOperator : never)
        | (IsNullable<Found['value']> extends false ? NullOperator : never)
        | ([Extract<Found['kind'], TextualKind>] extends [never] ? PatternOperator : never)
        | ([Found['isFolded'], Native] extends [false, false] ? FoldedOperator : never)
      >;

/** `unknown` may be null. */
type IsNullable<Value> = unknown extends Value ? true : null extends Value ? true : false;

/** The field with the properties that exclude operators. */
type WhyNot<Path, Found extends FoundField> = `${Path & string}, which is ${Found['kind'] &
  string}${IsNullable<Found['value']> extends false ? ', never null' : ''}${[
  Found['isFolded'],
  Found['kind'],
] extends [false, TextualKind]
  ? ', without a folded companion'
  : ''}`;

type CheckedSort<Sort, Shape extends RegistryShape, Of, Model extends string> = Sort extends {
  readonly path: infer Path;
}
  ? Replaced<Sort, 'path', SortAt<Path, Resolve<Shape, Of, Model, Path>>>
  : SortAt<Sort, Resolve<Shape, Of, Model, Sort>>;

type SortAt<Path, Found> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundRelation
      ? Refused<'a relation has no order; sort by one of its fields'>
      : Found extends { readonly crossesMany: true }
        ? Refused<'the path crosses a many relation, so a row has no single value to sort by'>
        : Found extends { readonly kind: OpaqueKind | ArrayKind }
          ? Refused<'arrays and json, binary and opaque fields have no order'>
          : Path;

type CheckedSearch<Path, Found, Native> =
  Found extends Refused<string>
    ? Found
    : Found extends FoundRelation
      ? Refused<'search names fields, not relations'>
      : Found extends FoundField
        ? [Extract<Found['kind'], TextualKind>] extends [never]
          ? Refused<`search needs a string, uuid or enum, not ${Found['kind']}`>
          : [Found['isFolded'], Native] extends [false, false]
            ? Refused<`search needs a folded companion of ${Path & string}; add the column, or name one family in settings.families`>
            : Path
        : Path;
