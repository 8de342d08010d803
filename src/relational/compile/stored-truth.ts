/** Conditions on truth values that are stored as numbers, of which databases take every one but zero for true. */

import type { OperatorRow, ResolvedCondition } from '../../rules/index.ts';
import type { Dialect } from './dialect.ts';
import type { PhysicalColumn } from './physical.ts';
import type { Sql } from './sql-text.ts';

/** Whether the columns of a kind hold truth values as numbers in the family. */
export const isStoredTruth = ({ truth }: Dialect, kind: string | undefined): boolean =>
  truth !== null && kind === 'boolean';

/** The truth values that satisfy a condition; `null` for columns that do not hold them as numbers. */
export function storedTruths(
  dialect: Dialect,
  { kind, codec, member }: PhysicalColumn,
  row: OperatorRow,
  value: ResolvedCondition['value'],
): readonly boolean[] | null {
  if (!isStoredTruth(dialect, kind) || codec || member || row.comparison === 'null') return null;
  // An empty list is true of null as well, or of nothing.
  if (row.comparison === 'membership' && (value as readonly unknown[]).length === 0) return null;
  return satisfiedTruths(row, value);
}

/** The truth values that satisfy a condition. */
export const satisfiedTruths = (
  row: OperatorRow,
  value: ResolvedCondition['value'],
): readonly boolean[] => [false, true].filter((truth) => satisfies(row, truth, value));

function satisfies(row: OperatorRow, truth: boolean, value: ResolvedCondition['value']): boolean {
  const list = value as readonly boolean[];
  switch (row.comparison) {
    case 'equality':
      return (truth === value) !== row.negated;
    case 'membership':
      return list.includes(truth) !== row.negated;
    case 'range':
      return truth >= (list[0] as boolean) && truth <= (list[1] as boolean);
    case 'order':
      if (truth === value) return row.sql.endsWith('=');
      return truth === row.sql.startsWith('>');
    case 'pattern':
    case 'null':
      return false;
  }
}

/** The condition that a stored number is one of these truth values; no operator holds for null. */
export function truthCondition(
  { truth }: Dialect,
  expression: Sql,
  [first, second]: readonly boolean[],
): Sql {
  if (first === undefined || !truth) return '1 = 0';
  return second === undefined ? truth(expression, first) : [expression, ' is not null'];
}
