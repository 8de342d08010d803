/** Rewrites patterns on enums as lists of the matching members, so that no database has to search. */

import { foldText } from '../../schema/index.ts';
import { operatorRow } from '../declare/operators.ts';
import type { ResolvedCondition, ResolvedPredicate } from './plan.ts';
import { resolvedCondition, withMembers } from './resolved.ts';

/** The predicate without patterns on enums; the same object where it has none. */
export function withoutEnumPatterns(predicate: ResolvedPredicate): ResolvedPredicate {
  if (predicate.type === 'condition') return withoutPattern(predicate);
  const predicates = predicate.predicates.map(withoutEnumPatterns);
  const same = predicates.every((member, index) => member === predicate.predicates[index]);
  return same ? predicate : withMembers(predicate, predicates);
}

/** How a member is tested at each place of a pattern. */
const tests = { anywhere: 'includes', start: 'startsWith', end: 'endsWith' } as const;

function withoutPattern(condition: ResolvedCondition): ResolvedCondition {
  const { target, row, value } = condition;
  const { field } = target;
  if (row.comparison !== 'pattern' || !field?.enumValues) return condition;
  const folds = row.need === 'foldedText';
  if (folds && field.foldedField !== undefined) return condition;
  const form = folds ? foldText : (text: string) => text;
  const term = form(String(value));
  const test = tests[row.place];
  const matching = field.enumValues.filter((member) => form(member)[test](term) !== row.negated);
  return resolvedCondition(target, operatorRow('in'), matching);
}
