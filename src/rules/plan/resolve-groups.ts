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
export function levelOf(rules: FilterLevel, within: string): FilterLevel {
  const parts = within.split('][');
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

/** A filter with the groups and quantifiers around it that are still to be resolved. */
interface Placed {
  readonly filter: RequestFilter;
  readonly within: readonly string[];
}

/** Makes the predicate of one filter. */
type ConditionOf = (filter: RequestFilter, rule: CompiledFilter) => ResolvedPredicate;

/** The predicates of authorised filters; all of them have to hold. */
export function groupedConditions(
  rules: AskedRows,
  filters: readonly RequestFilter[],
  conditionOf: ConditionOf,
): ResolvedPredicate[] {
  const placed = filters.map((filter) => ({ filter, within: filter.within?.split('][') ?? [] }));
  const { registry } = rules;

  /** The predicates of one level, each of them negated where `isNegated` is set. */
  const resolved = (
    level: FilterLevel,
    model: string,
    members: readonly Placed[],
    isNegated: boolean,
  ): ResolvedPredicate[] => {
    const all = (some: readonly Placed[], parts: number, negated = isNegated) =>
      joined(negated ? 'or' : 'and', resolved(level, model, inside(some, parts), negated));
    return byPart(members, 0).flatMap(([head, some]): ResolvedPredicate[] => {
      if (head === '$not') return [all(some, 1, !isNegated)];
      if (isNumbered(head)) {
        const groups = byPart(some, 1).toSorted(([a], [b]) => Number(a) - Number(b));
        const isAnd = (head === '$and') !== isNegated;
        return [
          joined(
            isAnd ? 'and' : 'or',
            groups.map(([, each]) => all(each, 2)),
          ),
        ];
      }
      return byPart(some, 1).flatMap(([name, each]) => {
        const quantifier = quantifierOf(name);
        const found = quantifier && level.quantifiers.get(head);
        if (!found) {
          return each.map(({ filter }) => {
            const rule = level.filters.get(filter.path) as CompiledFilter;
            const made = conditionOf(filter, rule);
            return isNegated ? negation(registry, model, made) : made;
          });
        }
        const { target } = found;
        const rows = resolved(found, target.relation?.target ?? '', inside(each, 2), false);
        const type = isNegated ? oppositeQuantifiers[quantifier] : quantifier;
        return [relatedPredicate(type, target, rows)];
      });
    });
  };
  return resolved(rules, rules.model, placed, false);
}

/** The filters without the first parts around them. */
const inside = (members: readonly Placed[], parts: number): Placed[] =>
  members.map(({ filter, within }) => ({ filter, within: within.slice(parts) }));

/** The filters by one of the parts around them, or by their path where they have none; as an object groups them. */
function byPart(members: readonly Placed[], at: 0 | 1): (readonly [string, readonly Placed[]])[] {
  const found = new Map<string, Placed[]>();
  for (const member of members) {
    const part = member.within[at] ?? (at === 0 ? member.filter.path : '');
    const known = found.get(part);
    if (known) known.push(member);
    else found.set(part, [member]);
  }
  return [...found];
}
