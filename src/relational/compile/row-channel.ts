/** The row format of a driver or client, where it differs from arrays of values. */

import type { PhysicalColumn } from './physical.ts';
import type { Sql } from './sql-text.ts';

/** The format in which rows arrive from the database, and the select list that keeps every value exact in it. */
export interface RowChannel {
  /** Whether rows are objects; their columns are then named `c0`, `c1`, ... in the order of the select list. */
  readonly named: boolean;
  /**
   * A column in a select list, cast where this format would lose digits. Default: the dialect's, which is right for
   * drivers that return instants as text.
   */
  readonly select?: SelectColumn | undefined;
  /**
   * The same for a statement that skips rows and makes no cursors: PostgreSQL evaluates each expression for every
   * skipped row, so fewer casts are faster. Default: `select`.
   */
  readonly selectSkipping?: SelectColumn | undefined;
  /** Whether all values of a column have one type, as an expression of SQLite does not guarantee. Default `false`. */
  readonly typedColumns?: boolean | undefined;
}

/** Writes a column of a select list. */
export type SelectColumn = (expression: Sql, column: PhysicalColumn) => Sql;

/** Name of the column at an index of the select list. */
export const columnAlias = (index: number): string => `c${index}`;

/** Some drivers refuse columns such as `__proto__`, even where rows are arrays. */
const isRefused = (column: Sql): boolean =>
  typeof column === 'string' && /\.[`"]__\w+[`"]$/.test(column);

/** Columns with aliases, where the row format is objects or the driver refuses the name. */
export function namedColumns(
  columns: readonly Sql[],
  channel: RowChannel | undefined,
): readonly Sql[] {
  const named = channel?.named ?? false;
  return columns.map((column, index) =>
    named || isRefused(column) ? [column, ` as ${columnAlias(index)}`] : column,
  );
}

/** Converts rows that are objects to arrays in the order of the select list. */
export function rowArrays(rows: readonly object[]): unknown[][] {
  return rows.map((row) => Object.values(row) as unknown[]);
}
