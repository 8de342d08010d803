/** The type of a request to an endpoint, derived from the endpoint's rules declaration. */

import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { FilterRule, QueryRulesDeclaration, SortRule } from '../declare/declaration.ts';
import type { ArityOf, OperatorArity, OperatorName } from '../declare/operators.ts';

/**
 * A value of a filter. A `Date` is an instant and is sent as ISO 8601 in UTC; a calendar day is sent as a string. Use a
 * string or `bigint` where a `number` is not exact.
 */
export type ClientValue = string | number | bigint | boolean | Date;

/** The operand type of each arity. */
interface Operands {
  readonly one: ClientValue;
  readonly list: readonly ClientValue[];
  readonly pair: readonly [low: ClientValue, high: ClientValue];
  readonly flag: boolean;
}

/** The operand of an operator: a list, a pair (low and high), a boolean, or one value. */
export type ClientOperand<Operator extends OperatorName> = Operands[ArityOf<Operator> &
  OperatorArity];

/** The declaration that the rules were compiled from; the general type where the compiler does not know it. */
export type DeclarationOf<Rules> = Rules extends { readonly '~declaration'?: infer Declaration }
  ? Declaration extends QueryRulesDeclaration
    ? Declaration
    : never
  : QueryRulesDeclaration;

type Members<List> = List extends readonly (infer Member)[] ? Member : never;

type FilterRules<D extends QueryRulesDeclaration> = Extract<Members<D['filters']>, FilterRule>;

type ClientFilters<D extends QueryRulesDeclaration> = [FilterRules<D>] extends [never]
  ? { readonly [path: string]: never }
  : {
      readonly [Rule in FilterRules<D> as Rule['path']]?:
        | {
            readonly [Operator in Members<Rule['operators']>]?: ClientOperand<Operator> | undefined;
          }
        | undefined;
    };

type SortPath<Rule> = Rule extends string
  ? Rule
  : Rule extends { readonly path: infer Path extends string }
    ? Path
    : never;

type ClientSort<D extends QueryRulesDeclaration> =
  SortPath<Extract<Members<D['sorts']>, SortRule>> extends infer Path extends string
    ? Path | `-${Path}`
    : never;

type RelationRules<D extends QueryRulesDeclaration> = NonNullable<D['fields']['relations']>;

/**
 * Entries of a projection are bare names or full paths; the wildcard `<relation>.*` stands for fields that the
 * declaration does not list.
 */
type RelationField<Relation extends string, Field> = Field extends `${Relation}.*`
  ? `${Relation}.${string}`
  : Field extends `${Relation}.${string}`
    ? Field
    : Field extends string
      ? `${Relation}.${Field}`
      : never;

type RelationFields<D extends QueryRulesDeclaration> = {
  [Relation in keyof RelationRules<D> & string]: RelationField<
    Relation,
    Members<RelationRules<D>[Relation]['allowed']>
  >;
}[keyof RelationRules<D> & string];

type ClientField<D extends QueryRulesDeclaration> =
  | Members<D['fields']['root']['allowed']>
  | RelationFields<D>;

/**
 * A request to an endpoint. Paths, operators, sorts, fields and includes are those of the declaration
 * where the compiler knows it, and plain strings where it does not. Absent and `undefined` are the same.
 */
export interface ClientRequest<D extends QueryRulesDeclaration = QueryRulesDeclaration> {
  /** Conditions by path and operator; all of them hold. */
  readonly filter?: ClientFilters<D> | undefined;
  /** Paths, the most significant first; a leading `-` means descending. */
  readonly sort?: readonly ClientSort<D>[] | undefined;
  /** Root fields by name, fields of an included relation as `relation.field`. */
  readonly fields?: readonly ClientField<D>[] | undefined;
  /** Relations to load; a nested one needs its parent in the list. */
  readonly includes?: readonly Members<D['includes']>[] | undefined;
  readonly search?: string | undefined;
  /** Page number, from 1. */
  readonly page?: number | undefined;
  readonly perPage?: number | undefined;
  /** `false` asks for every row in one answer. */
  readonly paginate?: boolean | undefined;
  /** `nextCursor` or `prevCursor` of an earlier answer. */
  readonly cursor?: string | undefined;
}

/** A request to the endpoint of these rules. */
export type RequestOf<Rules extends CompiledQueryRules> = ClientRequest<DeclarationOf<Rules>>;
