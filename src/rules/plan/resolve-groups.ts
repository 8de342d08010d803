/** Filters within groups and quantifiers to predicates: `$or`, `$and`, `$not`, and `$some`, `$every`, `$none` of a relation. */

import type { AskedRows, CompiledFilter, FilterLevel } from '../declare/compiled.ts';
import { isNumbered, quantifierOf } from '../request/group-key.ts';
import type { RequestFilter } from '../request/list-request.ts';
import { fieldNotAllowed, operatorNotAllowed } from '../request/request-error.ts';
import { joined, negation, oppositeQuantifiers } from './negation.ts';
import type { ResolvedPredicate } from './plan.ts';
import { relatedPredicate } from './resolved.ts';

/**
 * The place where a filter is asked, with the checks of the quantifiers around it.
 *
 * @throws {QueryError} FIELD_NOT_ALLOWED when the rules do not name a relation, OPERATOR_NOT_ALLOWED when they do not
 * allow its quantifier
 */
export function levelOf(rules: FilterLevel, parts: readonly string[]): FilterLevel {
  const paths: string[] = [];
  let level: FilterLevel = rules;
  for (let at = 0; at < parts.length; at += 1) {
    const [part = '', next = ''] = [parts[at], parts[at + 1]];
    const quantifier = quantifierOf(next);
    if (!quantifier || isNumbered(part) || part === '$not') continue;
    paths.push(part);
    const found = level.quantifiers.get(part);
    if (!found) throw fieldNotAllowed('filter', paths.join('.'));
    if (!found.allowed.has(quantifier)) throw operatorNotAllowed(found.path, next);
    level = found;
    at += 1;
  }
  return level;
}

/** Makes the predicate of one filter. */
type ConditionOf = (filter: RequestFilter, rule: CompiledFilter) => ResolvedPredicate;

/** The predicates of authorised filters; all of them have to hold. */
export function groupedConditions(
  rules: AskedRows,
  filters: readonly RequestFilter[],
  conditionOf: ConditionOf,
): ResolvedPredicate[] {
  const { registry } = rules;

  /** The predicates of one level behind so many parts, each of them negated where `isNegated` is set. */
  const resolved = (
    level: FilterLevel,
    model: string,
    members: readonly RequestFilter[],
    at: number,
    isNegated: boolean,
  ): ResolvedPredicate[] => {
    const all = (some: readonly RequestFilter[], parts: number, negated = isNegated) =>
      joined(negated ? 'or' : 'and', resolved(level, model, some, at + parts, negated));
    return byPart(members, at).flatMap(([head, some]): ResolvedPredicate | ResolvedPredicate[] => {
      if (head === '$not') return all(some, 1, !isNegated);
      if (isNumbered(head)) {
        const groups = byPart(some, at + 1).toSorted(([a], [b]) => Number(a) - Number(b));
        const isAnd = (head === '$and') !== isNegated;
        return joined(
          isAnd ? 'and' : 'or',
          groups.map(([, each]) => all(each, 2)),
        );
      }
      const condition = (filter: RequestFilter) => {
        const made = conditionOf(filter, level.filters.get(filter.path) as CompiledFilter);
        return isNegated ? negation(registry, model, made) : made;
      };
      const found = level.quantifiers.get(head);
      if (!found) return some.map(condition);
      return byPart(some, at + 1).flatMap(([name, each]) => {
        const quantifier = quantifierOf(name);
        if (!quantifier) return each.map(condition);
        const { target } = found;
        const rows = resolved(found, target.relation?.target ?? '', each, at + 2, false);
        const type = isNegated ? oppositeQuantifiers[quantifier] : quantifier;
        return relatedPredicate(type, target, rows);
      });
    });
  };
  return resolved(rules, rules.model, filters, 0, false);
}

/** The filters by one of the parts around them, or by their path where they have none; as an object groups them. */
function byPart(
  members: readonly RequestFilter[],
  at: number,
): (readonly [string, readonly RequestFilter[]])[] {
  const partOf = ({ within, path }: RequestFilter) => within?.[at] ?? path;
  const [first] = members;
  if (first && members.length === 1) return [[partOf(first), members]];
  const found = new Map<string, RequestFilter[]>();
  for (const member of members) {
    const part = partOf(member);
    const known = found.get(part);
    if (known) known.push(member);
    else found.set(part, [member]);
  }
  return [...found];
}
