/** Rewrites patterns on enums as lists of the matching members, so that neither database nor client has to search. */

import {
  type PlanScopes,
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  operatorRow,
  resolvedCondition,
} from '../../rules/index.ts';

/** The plan with case-sensitive patterns on enums written as `in`. */
export function withoutEnumPatterns(plan: ResolvedPlan): ResolvedPlan {
  const where = plan.where && rewritten(plan.where);
  const scopes = plan.scopes && rewrittenScopes(plan.scopes);
  if (where === plan.where && scopes === plan.scopes) return plan;
  return { ...plan, where, ...(scopes && { scopes }) };
}

function rewrittenScopes(scopes: PlanScopes<ResolvedCondition>): PlanScopes<ResolvedCondition> {
  const entries = Object.entries(scopes).map(
    ([model, scope]) => [model, scope && rewritten(scope)] as const,
  );
  const same = entries.every(([model, scope]) => scope === scopes[model]);
  return same ? scopes : Object.fromEntries(entries);
}

function rewritten(predicate: ResolvedPredicate): ResolvedPredicate {
  if (predicate.type === 'condition') return withoutPattern(predicate);
  const predicates = predicate.predicates.map(rewritten);
  const same = predicates.every((member, index) => member === predicate.predicates[index]);
  return same ? predicate : { ...predicate, predicates };
}

function withoutPattern(condition: ResolvedCondition): ResolvedCondition {
  const { target, row, value } = condition;
  if (row.comparison !== 'pattern' || row.need !== 'text') return condition;
  const members = target.field?.enumValues;
  if (!members) return condition;
  const matching = members.filter((member) => member.includes(String(value)) !== row.negated);
  return resolvedCondition(target, operatorRow('in'), matching);
}
