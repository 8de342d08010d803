/**
 * Conditions that rows with some values meet often and others seldom. A plan that a server keeps for all values of such
 * a statement would read a large table along its order for the few rows of a rare value.
 */

import type { FieldDescriptor } from '../../schema/index.ts';
import type { ResolvedCondition } from '../../rules/index.ts';
import type { Dialect } from './dialect.ts';
import { type ModelContext, columnOf } from './model-context.ts';
import type { JoinedModel } from './scope.ts';
import type { Slot, Sql } from './sql-text.ts';

/** Whether the field has a key: each value is that of one row, or of the few rows that refer to one. */
function isKeyed({ schema, physical }: ModelContext, field: FieldDescriptor): boolean {
  if (schema.primaryKey.includes(field.path)) return true;
  const { name } = columnOf({ schema, physical }, field.path);
  const isAlone = (names: readonly string[]) => names.length === 1 && names[0] === name;
  if (physical.uniqueKeys?.some(isAlone)) return true;
  return [...physical.relations.values()].some(
    ({ cardinality, hops }) =>
      cardinality === 'one' && hops[0] !== undefined && isAlone(hops[0].from),
  );
}

/** Whether the best plan of a statement depends on the value of the condition. A scope may show all rows or a few. */
export function isSteering(
  { model, unscoped }: JoinedModel,
  { row }: ResolvedCondition,
  field: FieldDescriptor,
): boolean {
  const isOfKeys = row.comparison === 'equality' || row.comparison === 'membership';
  return row.comparison !== 'null' && (unscoped === true || !isOfKeys || !isKeyed(model, field));
}

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

/** The condition with its values marked. A slot that it has several times stays one. */
export function steering(sql: Sql): Sql {
  const marked = new Map<Slot, Slot>();
  const walk = (piece: Sql): Sql => {
    if (typeof piece === 'string') return piece;
    if (!('read' in piece)) return piece.map(walk);
    const known = marked.get(piece) ?? { ...piece, steersPlan: true as const };
    marked.set(piece, known);
    return known;
  };
  return walk(sql);
}
