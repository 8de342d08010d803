/** The validated plan of one request: plain frozen data with the names of models, fields and relations, never SQL. */

import type { AggregateField } from '../aggregates/aggregate.ts';
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
  /** Tells the forms of a predicate apart. */
  readonly type: 'condition';
  /** Path of a field or relation, from the root. */
  readonly path: string;
  /** Name of the operator. */
  readonly operator: OperatorName;
  /** The operand, in the form that the operator takes. */
  readonly value: PlanValue | readonly PlanValue[];
}

/** A checked condition with its resolved path and operator. Both are omitted from JSON. */
export interface ResolvedCondition extends ConditionPredicate {
  /** The path, resolved against the registry. */
  readonly target: ResolvedPath;
  /** The operator with its properties. */
  readonly row: OperatorRow;
}

/** True when all members are true; an empty list is true. */
export interface AndPredicate<Condition = ConditionPredicate> {
  /** Tells the forms of a predicate apart. */
  readonly type: 'and';
  /** The members, all of which must be true. */
  readonly predicates: readonly Predicate<Condition>[];
}

/** True when at least one member is true; an empty list is false. */
export interface OrPredicate<Condition = ConditionPredicate> {
  /** Tells the forms of a predicate apart. */
  readonly type: 'or';
  /** The members, one of which must be true. */
  readonly predicates: readonly Predicate<Condition>[];
}

/**
 * How many related rows must meet predicates together: at least one (`some`), none, every one, or not every one
 * (`someNot`). A row for which a predicate is unknown, because of null, does not meet it.
 */
export type RelatedQuantifier = 'some' | 'none' | 'every' | 'someNot';

/** True when so many rows of a relation meet all members together; paths of the members begin at these rows. */
export interface RelatedPredicate<Condition = ConditionPredicate> {
  /** How many of the rows must meet the members; tells the forms of a predicate apart. */
  readonly type: RelatedQuantifier;
  /** Path of a relation with many rows, which crosses no other one with many. */
  readonly path: string;
  /** The members, all of which must be true for one row. */
  readonly predicates: readonly Predicate<Condition>[];
}

/** A resolved condition comes with resolved relations. */
type TargetWith<Condition> = Condition extends ResolvedCondition
  ? Pick<ResolvedCondition, 'target'>
  : unknown;

/** A predicate tree: one condition, a conjunction or disjunction of predicates, or predicates on related rows. */
export type Predicate<Condition = ConditionPredicate> =
  | Condition
  | AndPredicate<Condition>
  | OrPredicate<Condition>
  | (RelatedPredicate<Condition> & TargetWith<Condition>);

/** A checked predicate on related rows, with its resolved path, which is omitted from JSON. */
export type ResolvedRelated = RelatedPredicate<ResolvedCondition> &
  Pick<ResolvedCondition, 'target'>;

/** A predicate whose conditions are all checked. */
export type ResolvedPredicate = Predicate<ResolvedCondition>;

/** The selected fields and relations of one model. */
export interface ProjectionNode {
  /** Name of the model. */
  readonly model: string;
  /** Selected fields, in the order of the answer. */
  readonly fields: readonly string[];
  /** Selected values over relations, which follow the fields. Absent where there are none. */
  readonly aggregates?: readonly AggregateField[];
  /** Included relations. */
  readonly relations: readonly ProjectionRelation[];
}

/** An included relation. */
export interface ProjectionRelation {
  /** Relation name on the parent's model. */
  readonly path: string;
  /** Whether it is one related row or a list of them. */
  readonly cardinality: 'one' | 'many';
  /** Largest number of rows of a `many` relation that each row shows. Absent where there is no limit. */
  readonly maxChildren?: number;
  /** Selected fields and relations of the related rows. */
  readonly node: ProjectionNode;
  /** The condition of the rows that a request asks for of a `many` relation. Absent where it asks for all. */
  readonly where?: ResolvedPredicate;
  /**
   * The order that a request asks for, ended by the primary key. Absent where it asks for none: rows are then in the order
   * of their primary key.
   */
  readonly order?: readonly OrderTerm[];
}

/** One term of the order. `nulls` is the position of nulls in this direction. */
export interface OrderTerm {
  /** Path of a field, from the root. */
  readonly path: string;
  /** The resolved path. Omitted from JSON. */
  readonly target: ResolvedPath;
  /** Ascending or descending. */
  readonly direction: 'asc' | 'desc';
  /** Position of nulls in this direction. */
  readonly nulls: 'first' | 'last';
}

/** The start of a keyset page: the canonical values of a row's order terms, and the direction to read in. */
export interface KeysetPosition {
  /** Whether the page follows the position or precedes it. */
  readonly direction: 'after' | 'before';
  /** Whether the row itself belongs to the page. */
  readonly inclusive: boolean;
  /** The values of the order terms, in their order. */
  readonly values: readonly (PlanValue | null)[];
  /** The values that are only beginnings of texts: the row with the position's key has the whole text. */
  readonly begins?: readonly TextBeginning[];
  /** Whether a client may have made the position, so that it begins at rows of the request only. Default `false`. */
  readonly isForgeable?: boolean;
}

/** A value of a position that is the beginning of a long text. */
export interface TextBeginning {
  /** Index of the value in the position. */
  readonly index: number;
  /** Digest of the whole text, which tells whether the row still has it. */
  readonly digest: string;
  /** How many pages have begun before all texts with this beginning, because a row had another text. Default: none. */
  readonly restarts?: number;
}

/** The part of the rows that is read: an offset page, a keyset page, or all rows. */
export type PageWindow =
  | {
      /** A page by number. */
      readonly mode: 'offset';
      /** Number of the page, from 1. */
      readonly page: number;
      /** Rows that a page holds. */
      readonly perPage: number;
      /** Number of rows before the page. */
      readonly offset: number;
    }
  | {
      /** All rows. */
      readonly mode: 'all';
      /** Largest number of rows; more are an error. */
      readonly maxRows: number;
    }
  | {
      /** A page by cursor. */
      readonly mode: 'keyset';
      /** Rows that a page holds. */
      readonly perPage: number;
      /** Where the page begins; `null` for the first page. */
      readonly position: KeysetPosition | null;
      /** The binding of this request's cursors: endpoint, order, filters and the scope of the host. */
      readonly binding: string;
    };

/** How the total is counted: exactly, up to a cap, or not at all. */
export type CountPolicy =
  | {
      /** Every row is counted. */
      readonly type: 'exact';
    }
  | {
      /** Rows are counted up to a cap. */
      readonly type: 'capped';
      /** Number of rows at which counting stops. */
      readonly cap: number;
    }
  | {
      /** Nothing is counted. */
      readonly type: 'none';
    };

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
  /** Name of the model whose rows are listed. */
  readonly model: string;
  /** The selected fields and relations. */
  readonly projection: ProjectionNode;
  /** The condition of the rows; `null` for all rows. */
  readonly where: Predicate<Condition> | null;
  /** The requested order, followed by the primary key parts that it does not name. */
  readonly order: readonly OrderTerm[];
  /** The part of the rows that is read. */
  readonly page: PageWindow;
  /** How the total is counted. */
  readonly count: CountPolicy;
  /** Absent where the rules have no scopes. */
  readonly scopes?: PlanScopes<Condition>;
}

/** A plan whose conditions are all checked: the result of `planQuery` and the input of a source. */
export type ResolvedPlan = QueryPlan<ResolvedCondition>;
