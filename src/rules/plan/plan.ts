/** The validated plan of one request: plain frozen data with the names of models, fields and relations, never SQL. */

import type { ResolvedPath } from '../declare/compiled.ts';
import type { OperatorName, OperatorRow } from '../declare/operators.ts';

/** A value in the canonical form of its kind: decimals, 64-bit integers, dates and UUIDs are strings. */
export type PlanValue = string | number | boolean;

/**
 * A condition on one dotted path, as `transformPlan` writes it. `value` is the operand of the operator: one canonical
 * value, a list for `in` and `notIn`, `[low, high]` for `between`, a boolean for `isNull`. The term of `ilike` and
 * `notIlike` is already folded.
 */
export interface ConditionPredicate {
  readonly type: 'condition';
  readonly path: string;
  readonly operator: OperatorName;
  readonly value: PlanValue | readonly PlanValue[];
}

/** A checked condition with its resolved path and operator. Both are omitted from JSON. */
export interface ResolvedCondition extends ConditionPredicate {
  readonly target: ResolvedPath;
  readonly row: OperatorRow;
}

/** True when all members are true; an empty list is true. */
export interface AndPredicate<Condition = ConditionPredicate> {
  readonly type: 'and';
  readonly predicates: readonly Predicate<Condition>[];
}

/** True when at least one member is true; an empty list is false. */
export interface OrPredicate<Condition = ConditionPredicate> {
  readonly type: 'or';
  readonly predicates: readonly Predicate<Condition>[];
}

/** A predicate tree: one condition, or a conjunction or disjunction of predicates. */
export type Predicate<Condition = ConditionPredicate> =
  | Condition
  | AndPredicate<Condition>
  | OrPredicate<Condition>;

/** A predicate whose conditions are all checked. */
export type ResolvedPredicate = Predicate<ResolvedCondition>;

/** The selected fields and relations of one model. */
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
  /** Largest number of rows of a `many` relation that each row shows. Absent where there is no limit. */
  readonly maxChildren?: number;
  readonly node: ProjectionNode;
}

/** One term of the order. `nulls` is the position of nulls in this direction. */
export interface OrderTerm {
  readonly path: string;
  /** The resolved path. Omitted from JSON. */
  readonly target: ResolvedPath;
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last';
}

/** The start of a keyset page: the canonical values of a row's order terms, and the direction to read in. */
export interface KeysetPosition {
  readonly direction: 'after' | 'before';
  /** Whether the row itself belongs to the page. */
  readonly inclusive: boolean;
  readonly values: readonly (PlanValue | null)[];
  /** Indexes of values that are the beginnings of longer texts, which the row with the position's key has. */
  readonly begins?: readonly number[];
}

/** The part of the rows that is read: an offset page, a keyset page, or all rows. */
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
      /** The binding of this request's cursors: endpoint, order, filters and the scope of the host. */
      readonly binding: string;
    };

/** How the total is counted: exactly, up to a cap, or not at all. */
export type CountPolicy =
  | { readonly type: 'exact' }
  | { readonly type: 'capped'; readonly cap: number }
  | { readonly type: 'none' };

/**
 * The rows of each model that the request may see, by model name: a condition, or `null` for a model whose rows every
 * request may see. They hold for the root rows and for the rows of every relation that the plan crosses. The relations
 * of a scope's own paths are not scoped again.
 */
export interface PlanScopes<Condition = ConditionPredicate> {
  readonly [model: string]: Predicate<Condition> | null;
}

/** One validated request. */
export interface QueryPlan<Condition = ConditionPredicate> {
  readonly model: string;
  readonly projection: ProjectionNode;
  readonly where: Predicate<Condition> | null;
  /** The requested order, followed by the primary key parts that it does not name. */
  readonly order: readonly OrderTerm[];
  readonly page: PageWindow;
  readonly count: CountPolicy;
  /** Absent where the rules have no scopes. */
  readonly scopes?: PlanScopes<Condition>;
}

/** A plan whose conditions are all checked: the result of `planQuery` and the input of a source. */
export type ResolvedPlan = QueryPlan<ResolvedCondition>;
