/**
 * Rewrites patterns on enums as lists of the matching members, so that neither database nor client has to search, and
 * that a pattern is looked for in the names of the client where the database has others.
 */

import {
  type PlanScopes,
  type ProjectionNode,
  type ResolvedCondition,
  type ResolvedPlan,
  withoutEnumPatterns,
} from '../../../rules/index.ts';

/** The plan with patterns on enums written as `in`, except for those that a folded companion answers. */
export function planWithoutEnumPatterns(plan: ResolvedPlan): ResolvedPlan {
  const where = plan.where && withoutEnumPatterns(plan.where);
  const scopes = plan.scopes && rewrittenScopes(plan.scopes);
  const projection = rewrittenChildren(plan.projection);
  if (where === plan.where && scopes === plan.scopes && projection === plan.projection) return plan;
  return { ...plan, where, projection, ...(scopes && { scopes }) };
}

function rewrittenChildren(node: ProjectionNode): ProjectionNode {
  const relations = node.relations.map((relation) => {
    const inner = rewrittenChildren(relation.node);
    const where = relation.where && withoutEnumPatterns(relation.where);
    const isSame = inner === relation.node && where === relation.where;
    return isSame ? relation : { ...relation, node: inner, ...(where && { where }) };
  });
  const isSame = relations.every((relation, at) => relation === node.relations[at]);
  return isSame ? node : { ...node, relations };
}

function rewrittenScopes(scopes: PlanScopes<ResolvedCondition>): PlanScopes<ResolvedCondition> {
  const entries = Object.entries(scopes).map(
    ([model, scope]) => [model, scope && withoutEnumPatterns(scope)] as const,
  );
  const same = entries.every(([model, scope]) => scope === scopes[model]);
  return same ? scopes : Object.fromEntries(entries);
}
