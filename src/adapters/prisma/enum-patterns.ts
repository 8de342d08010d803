/** Patterns on enums as lists of the members that match: no database and no client has to search. */

import type { ConditionPredicate, Predicate, QueryPlan } from '../../rules/index.ts';
import type { SchemaRegistry } from '../../schema/index.ts';
import { resolvePath } from '../../rules/index.ts';

/** The plan with `like` and `notLike` on enums said as `in`. */
export function withoutEnumPatterns(registry: SchemaRegistry, plan: QueryPlan): QueryPlan {
  if (!plan.where) return plan;
  const where = rewritten(registry, plan.model, plan.where);
  return where === plan.where ? plan : { ...plan, where };
}

function rewritten(registry: SchemaRegistry, model: string, predicate: Predicate): Predicate {
  if (predicate.type === 'condition') return condition(registry, model, predicate);
  const predicates = predicate.predicates.map((member) => rewritten(registry, model, member));
  const same = predicates.every((member, index) => member === predicate.predicates[index]);
  return same ? predicate : { ...predicate, predicates };
}

function condition(
  registry: SchemaRegistry,
  model: string,
  predicate: ConditionPredicate,
): Predicate {
  const { path, operator, value } = predicate;
  if (operator !== 'like' && operator !== 'notLike') return predicate;
  const members = resolvePath(registry, model, path, 'all')?.field?.enumValues;
  if (!members) return predicate;
  const wanted = operator === 'like';
  const matching = members.filter((member) => member.includes(String(value)) === wanted);
  return { type: 'condition', path, operator: 'in', value: matching };
}
