/**
 * Conditions and order terms with their resolved paths. The resolved parts are accessors of a class: a plan that is
 * printed, compared or sent as JSON shows paths and operators only, and a copy of it carries no resolved part that
 * contradicts a changed path.
 */

import type { ResolvedPath } from '../declare/compiled.ts';
import type { OperatorName, OperatorRow } from '../declare/operators.ts';
import type {
  OrderTerm,
  PlanValue,
  RelatedQuantifier,
  ResolvedCondition,
  ResolvedPredicate,
  ResolvedRelated,
} from './plan.ts';

class Condition implements ResolvedCondition {
  readonly type = 'condition';
  readonly path: string;
  readonly operator: OperatorName;
  readonly value: PlanValue | readonly PlanValue[];
  readonly #target: ResolvedPath;
  readonly #row: OperatorRow;

  constructor(target: ResolvedPath, row: OperatorRow, value: ResolvedCondition['value']) {
    this.path = target.path;
    this.operator = row.name;
    this.value = value;
    this.#target = target;
    this.#row = row;
    Object.freeze(this);
  }

  get target(): ResolvedPath {
    return this.#target;
  }

  get row(): OperatorRow {
    return this.#row;
  }
}

class Related implements ResolvedRelated {
  readonly type: RelatedQuantifier;
  readonly path: string;
  readonly predicates: readonly ResolvedPredicate[];
  readonly #target: ResolvedPath;

  constructor(
    type: RelatedQuantifier,
    target: ResolvedPath,
    predicates: readonly ResolvedPredicate[],
  ) {
    this.type = type;
    this.path = target.path;
    this.predicates = Object.freeze(predicates);
    this.#target = target;
    Object.freeze(this);
  }

  get target(): ResolvedPath {
    return this.#target;
  }
}

class Term implements OrderTerm {
  readonly path: string;
  readonly direction: OrderTerm['direction'];
  readonly nulls: OrderTerm['nulls'];
  readonly #target: ResolvedPath;

  constructor(target: ResolvedPath, { direction, nulls }: Pick<OrderTerm, 'direction' | 'nulls'>) {
    this.path = target.path;
    this.direction = direction;
    this.nulls = nulls;
    this.#target = target;
    Object.freeze(this);
  }

  get target(): ResolvedPath {
    return this.#target;
  }
}

/** A condition with a canonical value. */
export const resolvedCondition = (
  target: ResolvedPath,
  row: OperatorRow,
  value: ResolvedCondition['value'],
): ResolvedCondition => new Condition(target, row, value);

/** A predicate on the rows of a relation. */
export const relatedPredicate = (
  type: RelatedQuantifier,
  target: ResolvedPath,
  predicates: readonly ResolvedPredicate[],
): ResolvedRelated => new Related(type, target, predicates);

/** A conjunction, a disjunction or a predicate on related rows with other members. */
export const withMembers = (
  predicate: Exclude<ResolvedPredicate, ResolvedCondition>,
  predicates: readonly ResolvedPredicate[],
): ResolvedPredicate =>
  'target' in predicate
    ? relatedPredicate(predicate.type, predicate.target, predicates)
    : Object.freeze({ type: predicate.type, predicates: Object.freeze(predicates) });

/** An order term. */
export const orderTerm = (
  target: ResolvedPath,
  way: Pick<OrderTerm, 'direction' | 'nulls'>,
): OrderTerm => new Term(target, way);
