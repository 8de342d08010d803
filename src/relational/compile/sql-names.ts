/** Names of tables and columns in a statement. */

import { type LoweringContext, keyNames } from './model-context.ts';
import type { PhysicalColumn, TableRef } from './physical.ts';
import type { JoinedModel } from './scope.ts';
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

/** The key of a joined model, by its columns. */
export const keySql = (context: LoweringContext, { alias, model }: JoinedModel): string[] =>
  keyNames(model).map((name) => columnSql(context, alias, name));

/** The value of a field of a joined model: its column, or its expression, which is null where the row is absent. */
export function valueSql(
  context: LoweringContext,
  { alias, model, optional }: JoinedModel,
  column: PhysicalColumn,
): string {
  if (!column.expression) return columnSql(context, alias, column.name);
  const parts = column.expression.map((part) =>
    typeof part === 'string' ? part : columnSql(context, alias, part.column),
  );
  const value = context.dialect.expression(parts.join(''), column);
  if (!optional) return value;
  const [key = ''] = keyNames(model);
  return `(case when ${columnSql(context, alias, key)} is not null then ${value} end)`;
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
