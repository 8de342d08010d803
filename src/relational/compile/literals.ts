/**
 * Values by which a statement is planned: as literals in columns of few values, of which some are frequent and others rare,
 * and as parameters for which a plan is made anew. A plan that a server keeps for all values of a statement would read a
 * large table along its order for the few rows of a rare value, or of a short range.
 */

import type { FieldDescriptor } from '../../schema/index.ts';
import type { ResolvedCondition } from '../../rules/index.ts';
import type { Dialect } from './dialect.ts';
import { type ModelContext, columnOf, keyNames } from './model-context.ts';
import type { JoinedModel } from './scope.ts';

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

/** Whether each value of the field is that of one row, or of the few rows that refer to one. */
function isKeyed({ schema, physical }: ModelContext, field: FieldDescriptor): boolean {
  const references = [...physical.relations.values()].flatMap(({ cardinality, hops }) =>
    cardinality === 'one' && hops[0] ? [hops[0].from] : [],
  );
  const { name } = columnOf({ schema, physical }, field.path);
  const keys = [keyNames({ schema, physical }), ...(physical.uniqueKeys ?? []), ...references];
  return keys.some((key) => key.join() === name);
}

/**
 * Whether the best plan of a statement depends on the value of a condition: of one by order, and of one that many rows or a
 * few may meet, as one on rows of a relation. A scope may show all rows or a few.
 */
export function steersPlan(
  { model, unscoped }: JoinedModel,
  { row }: ResolvedCondition,
  field: FieldDescriptor,
  isWithin: boolean,
): boolean {
  const isOfKeys = row.comparison === 'equality' || row.comparison === 'membership';
  if (row.comparison === 'null') return false;
  return unscoped === true || isWithin || !isOfKeys || !isKeyed(model, field);
}
