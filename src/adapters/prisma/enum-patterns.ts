/** Rewrites patterns on enums as lists of the matching members, so that neither database nor client has to search. */

import {
  type ResolvedCondition,
  type ResolvedPlan,
  type ResolvedPredicate,
  operatorRow,
  resolvedCondition,
} from '../../rules/index.ts';

/** The plan with case-sensitive patterns on enums written as `in`. */
export function withoutEnumPatterns(plan: ResolvedPlan): ResolvedPlan {
  if (!plan.where) return plan;
  const where = rewritten(plan.where);
  return where === plan.where ? plan : { ...plan, where };
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
