/** The way from a statement to its rows, where it does not give the driver's own arrays. */

import type { PhysicalColumn } from './physical.ts';
import type { Sql } from './sql-text.ts';

/** What an adapter's way to the database does to rows. */
export interface RowChannel {
  /** Whether rows come as objects; columns are then called `c0`, `c1`, ... in their order. */
  readonly named: boolean;
  /**
   * A column in a select list, cast where this way would lose digits. Default: as the dialect selects it, which
   * is right for drivers that give instants as text.
   */
  readonly select?: SelectColumn | undefined;
  /**
   * The same in a statement that skips rows and makes no cursors of what it reads, where PostgreSQL works out each
   * expression for every row it skips. Default: `select`.
   */
  readonly selectSkipping?: SelectColumn | undefined;
}

/** A column as it stands in a select list. */
export type SelectColumn = (expression: Sql, column: PhysicalColumn) => Sql;

/** Name of the column at an index of a select list. */
export const columnAlias = (index: number): string => `c${index}`;

/** Columns with their names, where the channel needs them. */
export function namedColumns(
  columns: readonly Sql[],
  channel: RowChannel | undefined,
): readonly Sql[] {
  if (!channel?.named) return columns;
  return columns.map((column, index): Sql => [column, ` as ${columnAlias(index)}`]);
}

/** Rows of a named channel as arrays in the order of the select list. */
export function rowArrays(rows: readonly object[]): unknown[][] {
  return rows.map((row) => Object.values(row) as unknown[]);
}
