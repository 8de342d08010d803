/** The conditions of a predicate: their values, those that every row meets, and whether they leave few rows. */

import {
  type ConditionPredicate,
  type Predicate,
  type ResolvedCondition,
  type ResolvedPredicate,
  aggregateOf,
} from '../../rules/index.ts';
import type { FieldKind, RelationDescriptor } from '../../schema/index.ts';

/** The condition values of a predicate in the order of its tree, in which the compiler numbers them. */
export function conditionValues(
  predicate: Predicate | null,
  into: ConditionPredicate['value'][],
): ConditionPredicate['value'][] {
  if (predicate === null) return into;
  if (predicate.type === 'condition') into.push(predicate.value);
  else for (const member of predicate.predicates) conditionValues(member, into);
  return into;
}

export const isMany = ({ cardinality }: RelationDescriptor): boolean => cardinality === 'many';

/** Whether the condition may be true for a row whose relation is absent. */
export function acceptsAbsence({ target, row, value }: ResolvedCondition, at: number): boolean {
  if (target.hops.slice(at).some(isMany)) return false;
  if (row.comparison === 'null') return value === true;
  // The list may be empty.
  return row.comparison === 'membership' && row.negated;
}

/** Whether a condition through relations to one row leaves some values out, so that most rows meet it. */
export const isMetByMost = ({ row, target, value }: ResolvedCondition): boolean =>
  'negated' in row &&
  row.negated &&
  !target.hops.some(isMany) &&
  // Any row meets it where nothing is left out, also one without the relation.
  !(Array.isArray(value) && value.length === 0);

/** The conditions that every row of a plan meets, also of nested conjunctions, as hosts add them. */
export function requiredConditions(
  predicate: ResolvedPredicate | null,
): readonly ResolvedCondition[] {
  if (predicate === null) return [];
  if (predicate.type === 'condition') return [predicate];
  return predicate.type === 'and' ? predicate.predicates.flatMap(requiredConditions) : [];
}

const keyLike = new Set<FieldKind>(['integer', 'bigint', 'uuid']);

/**
 * Whether the predicate requires an integer or UUID field of the root, or of a `one` relation, to equal a value or to be
 * in a list.
 */
export function isSelective(predicate: ResolvedPredicate): boolean {
  switch (predicate.type) {
    case 'and':
      return predicate.predicates.some(isSelective);
    case 'condition': {
      const { row, target } = predicate;
      const picks =
        (row.comparison === 'equality' || row.comparison === 'membership') && !row.negated;
      const { field, hops } = target;
      return (
        picks &&
        field !== null &&
        !aggregateOf(field) &&
        keyLike.has(field.kind) &&
        !hops.some(isMany)
      );
    }
    case 'or':
    case 'some':
    case 'none':
    case 'every':
    case 'someNot':
      return false;
  }
}
