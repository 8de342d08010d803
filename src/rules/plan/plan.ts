/** The validated plan of one request: plain frozen data that names models, fields and relations, never SQL. */

import type { ResolvedPath } from '../declare/compiled.ts';
import type { OperatorName, OperatorRow } from '../declare/operators.ts';

/** A value in its kind's canonical form (see `src/schema/kinds`). */
export type PlanValue = string | number | boolean;

/**
 * A condition on one dotted path, as `transformPlan` writes it. `value` is the operand of the operator: one
 * canonical value, a list for `in` and `notIn`, `[low, high]` for `between`, a boolean for `isNull`. The term of
 * `ilike` and `notIlike` is already folded.
 */
export interface ConditionPredicate {
  readonly type: 'condition';
  readonly path: string;
  readonly operator: OperatorName;
  readonly value: PlanValue | readonly PlanValue[];
}

/** A checked condition: path and operator as the rules know them. Both are left out of JSON. */
export interface ResolvedCondition extends ConditionPredicate {
  readonly target: ResolvedPath;
  readonly row: OperatorRow;
}

/** All of the members; an empty list is true. */
export interface AndPredicate<Condition = ConditionPredicate> {
  readonly type: 'and';
  readonly predicates: readonly Predicate<Condition>[];
}

/** Any of the members; an empty list is false. */
export interface OrPredicate<Condition = ConditionPredicate> {
  readonly type: 'or';
  readonly predicates: readonly Predicate<Condition>[];
}

export type Predicate<Condition = ConditionPredicate> =
  | Condition
  | AndPredicate<Condition>
  | OrPredicate<Condition>;

/** A predicate whose conditions are all checked. */
export type ResolvedPredicate = Predicate<ResolvedCondition>;

/** The fields and relations of one model that are shown. */
export interface ProjectionNode {
  readonly model: string;
  readonly fields: readonly string[];
  readonly relations: readonly ProjectionRelation[];
}

/** An included relation. */
export interface ProjectionRelation {
  /** Relation name on the parent's model. */
  readonly path: string;
  readonly cardinality: 'one' | 'many';
  readonly node: ProjectionNode;
}

/** One term of the order. `nulls` is resolved: where nulls go in this direction. */
export interface OrderTerm {
  readonly path: string;
  /** The path as the rules know it. Left out of JSON. */
  readonly target: ResolvedPath;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** Where a keyset page starts: the canonical values of a row's order terms, and which side of it. */
export interface KeysetPosition {
  readonly direction: 'after' | 'before';
  /** Whether the row itself belongs to the page. */
  readonly inclusive: boolean;
  readonly values: readonly (PlanValue | null)[];
}

/** Which part of the rows is read. */
export type PageWindow =
  | {
      readonly mode: 'offset';
      readonly page: number;
      readonly perPage: number;
      readonly offset: number;
    }
  | { readonly mode: 'all'; readonly maxRows: number }
  | {
      readonly mode: 'keyset';
      readonly perPage: number;
      readonly position: KeysetPosition | null;
      /** A cursor of this request is bound to endpoint, order and filters; this is their hash. */
      readonly binding: string;
    };

/** How rows are counted. */
export type CountPolicy =
  | { readonly type: 'exact' }
  | { readonly type: 'capped'; readonly cap: number }
  | { readonly type: 'none' };

/** One request, validated. */
export interface QueryPlan<Condition = ConditionPredicate> {
  readonly model: string;
  readonly projection: ProjectionNode;
  readonly where: Predicate<Condition> | null;
  /** The requested order followed by the primary key parts not already named. */
  readonly order: readonly OrderTerm[];
  readonly page: PageWindow;
  readonly count: CountPolicy;
}

/** A plan whose conditions are all checked: `planQuery` gives it, and a source takes it. */
export type ResolvedPlan = QueryPlan<ResolvedCondition>;
