/** The type of a request to an endpoint, derived from the endpoint's rules declaration. */

import type { CompiledQueryRules, DeclarationOf, TypesIn } from '../declare/compiled.ts';
import type {
  FilterRule,
  Quantifier,
  QuantifierRule,
  QueryRulesDeclaration,
  SortRule,
} from '../declare/declaration.ts';
import type { ArityOf, OperatorArity, OperatorName, OperatorsWith } from '../declare/operators.ts';
import type {
  AllowedOf,
  ClientValue,
  RelationProjections,
  RootNames,
  RulesTypes,
} from '../typed/rules-types.ts';
import type { ModeOf, UnpaginatedIn } from '../typed/pagination.ts';
import type { Members } from '../typed/projections.ts';

/** The operand type of each arity. */
interface Operands<Value> {
  readonly one: Value;
  readonly list: readonly Value[];
  readonly pair: readonly [low: Value, high: Value];
  readonly flag: boolean;
}

/**
 * The operand of an operator: a list, a pair (low and high), a boolean, or one value. `Value` is the type of the
 * field's values; patterns take any text.
 */
export type ClientOperand<Operator extends OperatorName, Value = ClientValue> = Operands<
  Operator extends PatternOperator ? Extract<ClientValue, string> : Value
>[ArityOf<Operator> & OperatorArity];

type PatternOperator = OperatorsWith<{ readonly comparison: 'pattern' }>;

/** The rules of the rows of an endpoint, or of the children of an include. */
type RowRules = Pick<QueryRulesDeclaration, 'filters' | 'groups' | 'quantifiers' | 'sorts'>;

type FilterRules<D extends RowRules> = Extract<Members<D['filters']>, FilterRule>;

/** A filter as `buildQuery` takes it, of rules that the compiler does not know. */
export interface PrintableFilter {
  readonly [name: string]:
    | ClientValue
    | readonly ClientValue[]
    | PrintableFilter
    | readonly PrintableFilter[]
    | undefined;
}

type ClientFilters<D extends RowRules, F extends ValuesOf> = [FilterRules<D>] extends [never]
  ? { readonly [path: string]: never }
  : QueryRulesDeclaration extends D
    ? PrintableFilter
    : D extends { readonly groups: object } | { readonly quantifiers: readonly unknown[] }
      ? FiltersWithin<D, F, ''>
      : { readonly [Rule in FilterRules<D> as Rule['path']]?: Conditions<Rule, F> };

/** The types of values by path. */
type ValuesOf = Pick<RulesTypes, 'values'>;

type Conditions<Rule extends FilterRule, F extends ValuesOf> =
  | EqualValue<Members<Rule['operators']>, ValueAt<F['values'], Rule['path']>>
  | {
      readonly [Operator in Members<Rule['operators']>]?:
        | ClientOperand<Operator, ValueAt<F['values'], Rule['path']>>
        | undefined;
    }
  | undefined;

/** The filters below a prefix such as `posts.`, with groups and quantifiers. */
type FiltersWithin<D extends RowRules, F extends ValuesOf, Prefix extends string> = {
  readonly [Rule in FilterRules<D> as Rest<Rule['path'], Prefix>]?: Conditions<Rule, F>;
} & {
  readonly [Rule in QuantifiersOf<D> as Rest<PathOf<Rule>, Prefix>]?:
    | {
        readonly [Name in `$${QuantifierNames<Rule>}`]?:
          | FiltersWithin<D, F, `${PathOf<Rule>}.`>
          | undefined;
      }
    | undefined;
} & (D extends { readonly groups: object } ? Groups<FiltersWithin<D, F, Prefix>> : unknown);

/** Groups of filters: one of the members holds, all of them hold, or the filters do not hold together. */
interface Groups<Filters> {
  /** At least one member holds. */
  readonly $or?: readonly Filters[] | undefined;
  /** Every member holds. */
  readonly $and?: readonly Filters[] | undefined;
  /** The filters do not hold together; a row for which that is unknown, because of null, is left out. */
  readonly $not?: Filters | undefined;
}

type Rest<Path extends string, Prefix extends string> = Path extends `${Prefix}${infer End}`
  ? End
  : never;

type QuantifiersOf<D extends RowRules> = Extract<Members<D['quantifiers']>, QuantifierRule>;

type PathOf<Rule extends QuantifierRule> = Rule extends { readonly path: infer Path extends string }
  ? Path
  : Extract<Rule, string>;

type QuantifierNames<Rule> = Rule extends { readonly quantifiers: readonly (infer Name)[] }
  ? Extract<Name, Quantifier>
  : Quantifier;

/** A value alone means `eq`, as in a URL. */
type EqualValue<Operator, Value> = 'eq' extends Operator ? Value : never;

type ValueAt<Values, Path> = Path extends keyof Values ? Values[Path] : ClientValue;

type SortPath<Rule> = Rule extends string
  ? Rule
  : Rule extends { readonly path: infer Path extends string }
    ? Path
    : never;

type ClientSort<D extends RowRules> =
  SortPath<Extract<Members<D['sorts']>, SortRule>> extends infer Path extends string
    ? Path | `-${Path}`
    : never;

type ChildrenIn<D extends QueryRulesDeclaration, F extends ValuesOf> = 'children' extends keyof D
  ? ClientChildren<NonNullable<D['children']>, F>
  : undefined;

/** The types of values by path from the children of an include. */
interface ValuesBelow<F extends ValuesOf, Include extends string> {
  readonly values: {
    readonly [Path in keyof F['values'] as Rest<Path & string, `${Include}.`>]: F['values'][Path];
  };
}

/** A request for the children of one include. */
interface AskedChildren<Rule extends RowRules, F extends ValuesOf> {
  /** Conditions by path from the children; all of them hold. */
  readonly filter?: ClientFilters<Rule, F> | undefined;
  /** Paths from the children, the most significant first; a leading `-` means descending. */
  readonly sort?: readonly ClientSort<Rule>[] | undefined;
  /** Largest number of children of each parent. Default: that of the endpoint. */
  readonly perPage?: number | undefined;
}

type ClientChildren<Children, F extends ValuesOf> = {
  readonly [Path in keyof Children & string]?:
    | AskedChildren<Extract<Children[Path], RowRules>, ValuesBelow<F, Path>>
    | undefined;
};

/** Entries of a projection are bare names or full paths, or the wildcard of the relation. */
type RelationField<Relation extends string, Field, Wildcards> = Field extends `${Relation}.*`
  ? `${Relation}.${Relation extends keyof Wildcards ? Wildcards[Relation] & string : string}`
  : Field extends `${Relation}.${string}`
    ? Field
    : Field extends string
      ? `${Relation}.${Field}`
      : never;

type RelationFields<Projections, Wildcards> = {
  [Relation in keyof Projections & string]: RelationField<
    Relation,
    Members<AllowedOf<Projections[Relation]>>,
    Wildcards
  >;
}[keyof Projections & string];

type ClientField<Fields, Wildcards> =
  | RootNames<Fields, Wildcards>
  | RelationFields<RelationProjections<Fields, Wildcards>, Wildcards>;

/** The type of a parameter that only some rules allow. */
type Allowed<Condition, Type> = Condition extends true ? Type : undefined;

type HasSearch<D extends QueryRulesDeclaration> = 'search' extends keyof D ? true : false;

type HasWhere<D extends QueryRulesDeclaration> = D extends { readonly where: false }
  ? false
  : 'where' extends keyof D
    ? true
    : false;

type HasOffset<Mode> = [Extract<Mode, 'offset' | 'both'>] extends [never] ? false : true;

type HasCursor<Mode> = [Extract<Mode, 'keyset' | 'both'>] extends [never] ? false : true;

/**
 * A request to an endpoint. Paths, operators, values, sorts, fields, includes and parameters of pages are those of the
 * rules where the compiler knows them, and general types where it does not. Absent and `undefined` are the same.
 */
export interface ClientRequest<
  D extends QueryRulesDeclaration = QueryRulesDeclaration,
  F extends RulesTypes = RulesTypes,
> {
  /** Conditions by path and operator, or values by path that the path must equal; all of them hold. */
  readonly filter?: ClientFilters<D, F> | undefined;
  /** Paths, the most significant first; a leading `-` means descending. */
  readonly sort?: readonly ClientSort<D>[] | undefined;
  /** Root fields by name, fields of an included relation as `relation.field`. */
  readonly fields?: readonly ClientField<D['fields'], F['wildcards']>[] | undefined;
  /** Relations to load; a nested one needs its parent in the list. */
  readonly includes?: readonly Members<D['includes']>[] | undefined;
  /** Requests for the children of relations with many rows, by the path of the relation, which is then included. */
  readonly include?: ChildrenIn<D, F> | undefined;
  /** Text to search for. */
  readonly search?: Allowed<HasSearch<D>, string> | undefined;
  /** Filters as one text, as `parseFilterText` reads it; they hold together with those of `filter`. */
  readonly where?: Allowed<HasWhere<D>, string> | undefined;
  /** Page number, from 1; not together with `cursor`. */
  readonly page?: Allowed<HasOffset<ModeOf<D>>, number> | undefined;
  /** Rows of a page. Default: that of the endpoint. */
  readonly perPage?: number | undefined;
  /** `false` asks for every row in one answer. */
  readonly paginate?: (true extends UnpaginatedIn<D, F> ? boolean : true) | undefined;
  /** `nextCursor` or `prevCursor` of an earlier answer. */
  readonly cursor?: Allowed<HasCursor<ModeOf<D>>, string> | undefined;
}

/** A request to the endpoint of these rules. */
export type RequestOf<Rules extends CompiledQueryRules> = ClientRequest<
  DeclarationOf<Rules>,
  TypesIn<Rules>
>;
