/**
 * Conditions on instants whose column is finer than the milliseconds that lists show: a value without microseconds is
 * compared as the millisecond that is shown, one with microseconds exactly. Conditions are ranges, which an index serves.
 */

import type { PlanValue } from '../../../rules/index.ts';
import type { Dialect, ListOperand } from '../dialect.ts';
import type { PhysicalColumn } from '../physical.ts';
import { type Slot, type Sql, type StatementInputs, join } from '../sql-text.ts';

/** Longest list whose values have ranges of their own; planners take long for more. */
const mostRanges = 64;

/** Whether the column has instants that are shown alike. */
export function isFiner({ hasMicroseconds }: Dialect, column: PhysicalColumn): boolean {
  const { kind, storage, codec, member, sqlType } = column;
  return (
    kind === 'datetime' && storage === 'native' && !codec && !member && hasMicroseconds(sqlType)
  );
}

/** The last instant that is shown as the value. */
export function lastShown(value: PlanValue): PlanValue {
  const text = String(value);
  return text.length === 24 ? `${text.slice(0, -1)}999Z` : value;
}

/** The part of a statement's shape that depends on the length of a list of instants. */
export const rangeCount = (length: number): number =>
  length > mostRanges ? Infinity : 2 ** Math.ceil(Math.log2(length));

/** The instants that are shown as the value. */
export function shownAs(
  { operand }: Dialect,
  list: Pick<ListOperand, 'column' | 'bind'>,
  sql: Sql,
  read: (inputs: StatementInputs) => PlanValue,
): Sql {
  const { column, bind } = list;
  const low: Slot = { read: (inputs) => bind(read(inputs)) };
  const high: Slot = { read: (inputs) => bind(lastShown(read(inputs))) };
  return ['(', sql, ' >= ', operand(column, low), ' and ', sql, ' <= ', operand(column, high), ')'];
}

/** The instants that are shown as a value of the list, which is not empty. */
export function shownAmong(dialect: Dialect, sql: Sql, list: ListOperand): Sql {
  const { length, read } = list;
  const count = rangeCount(length);
  if (count < Infinity) {
    const ranges = Array.from({ length: count }, (_, index) =>
      shownAs(dialect, list, sql, (inputs) => {
        const values = read(inputs);
        return values[Math.min(index, values.length - 1)] as PlanValue;
      }),
    );
    return ['(', join(ranges, ' or '), ')'];
  }
  const milliseconds = (inputs: StatementInputs) =>
    read(inputs).map((value) => `${String(value).slice(0, 23)}Z`);
  const least = (inputs: StatementInputs) => milliseconds(inputs).reduce((a, b) => (a < b ? a : b));
  const most = (inputs: StatementInputs) => milliseconds(inputs).reduce((a, b) => (a > b ? a : b));
  const { column, bind } = list;
  const from: Slot = { read: (inputs) => bind(least(inputs)) };
  const to: Slot = { read: (inputs) => bind(lastShown(most(inputs))) };
  return [
    ['(', sql, ' >= ', dialect.operand(column, from)],
    [' and ', sql, ' <= ', dialect.operand(column, to), ' and ('],
    [dialect.membership(dialect.inMilliseconds(sql), list, false), ' or '],
    [dialect.membership(sql, list, false), '))'],
  ];
}
