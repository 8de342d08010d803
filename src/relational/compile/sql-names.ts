/** Names of tables and columns in a statement. */

import type { LoweringContext } from './model-context.ts';
import type { TableRef } from './physical.ts';
import { type Sql, join } from './sql-text.ts';

/** The quoted name of a table. */
export function tableSql(context: LoweringContext, table: TableRef): string {
  const { quote } = context.dialect;
  return table.schema ? `${quote(table.schema)}.${quote(table.name)}` : quote(table.name);
}

/** The quoted name of a column of an alias. */
export function columnSql(context: LoweringContext, alias: string, column: string): string {
  return `${context.dialect.quote(alias)}.${context.dialect.quote(column)}`;
}

/** Equality conditions for pairs of columns. */
export function pairs(
  context: LoweringContext,
  leftAlias: string,
  left: readonly string[],
  rightAlias: string,
  right: readonly string[],
): Sql {
  const equalities = left.map(
    (column, index) =>
      `${columnSql(context, rightAlias, right[index] ?? '')} = ${columnSql(context, leftAlias, column)}`,
  );
  return join(equalities, ' and ');
}
