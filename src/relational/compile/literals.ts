/**
 * Values as literals in columns of few values, of which some are frequent and others rare. A plan that a server keeps for
 * all values of a statement would read a large table along its order for the few rows of a rare value.
 */

import type { FieldDescriptor } from '../../schema/index.ts';
import type { ResolvedCondition } from '../../rules/index.ts';
import type { Dialect } from './dialect.ts';

/** Longest list of members as literals: each list has a statement of its own. */
const mostMembers = 8;

/**
 * The operand of a condition on a truth value or on declared members of an enum as literals, for which a planner sees how
 * many rows have them; `undefined` for other values, and for members that need more than quotes around them.
 */
export function literalsOf(
  { truths }: Pick<Dialect, 'truths'>,
  { kind, enumValues }: FieldDescriptor,
  { row, value }: Pick<ResolvedCondition, 'row' | 'value'>,
): string | undefined {
  const isOne = row.comparison === 'equality';
  if (!truths || (!isOne && row.comparison !== 'membership')) return undefined;
  const wanted: readonly unknown[] = isOne ? [value] : (value as readonly unknown[]);
  const known: readonly unknown[] = kind === 'boolean' ? [false, true] : (enumValues ?? []);
  const found = known.filter((each) => wanted.includes(each));
  const isWritten =
    found.length > 0 &&
    found.length <= mostMembers &&
    wanted.every((each) => found.includes(each)) &&
    found.every((each) => /^[\w -]+$/.test(String(each)));
  if (!isWritten) return undefined;
  const texts = found.map((each) =>
    typeof each === 'boolean' ? truths[each ? 1 : 0] : `'${String(each)}'`,
  );
  return isOne ? texts.join() : `(${texts.join(', ')})`;
}
