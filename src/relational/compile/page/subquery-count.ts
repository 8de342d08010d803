/** Counts the relations that the subqueries of a plan cross, because some planners search all orders of their joins. */

import {
  type ProjectionNode,
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  crossedRelations,
} from '../../../rules/index.ts';
import type { Dialect } from '../dialect.ts';

/** The part of a plan that its subqueries depend on. */
type Crossing = Pick<ResolvedPlan, 'model' | 'where' | 'order' | 'projection' | 'scopes'>;

/** Whether the plan has more subqueries than the family's planner can order as joins in bounded time. */
export function exceedsSemijoins({ maxSemijoinRelations }: Dialect, plan: Crossing): boolean {
  return maxSemijoinRelations < Infinity && relationsInSubqueries(plan) > maxSemijoinRelations;
}

function relationsInSubqueries({ model, where, order, projection, scopes }: Crossing): number {
  const own = where === null ? 0 : sumOf(where, ofCondition);
  if (!scopes) return own;
  const crossed = [model, ...includedModels(projection)];
  for (const { target } of order) crossed.push(...crossedModels(target));
  if (where) sumOf(where, ({ target }) => crossed.push(...crossedModels(target)));
  return crossed.reduce((sum, name) => {
    const scope = scopes[name];
    return scope ? sum + sumOf(scope, ({ target }) => crossedRelations(target).length) : sum;
  }, own);
}

function sumOf(
  predicate: ResolvedPredicate,
  count: (crossing: Pick<ResolvedCondition, 'target'>) => number,
): number {
  const own = 'target' in predicate ? count(predicate) : 0;
  if (predicate.type === 'condition') return own;
  return predicate.predicates.reduce((sum, member) => sum + sumOf(member, count), own);
}

/** The relations of a condition, from the first one that is in a subquery. */
function ofCondition({ target }: Pick<ResolvedCondition, 'target'>): number {
  const crossed = crossedRelations(target);
  const first = target.relation
    ? 0
    : crossed.findIndex(({ cardinality }) => cardinality === 'many');
  return first < 0 ? 0 : crossed.length - first;
}

const crossedModels = (target: ResolvedCondition['target']): string[] =>
  crossedRelations(target).map((relation) => relation.target);

function includedModels({ relations }: ProjectionNode): string[] {
  return relations.flatMap(({ node }) => [node.model, ...includedModels(node)]);
}
