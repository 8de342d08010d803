/** Arrays of a column: their members as a column of their own, and conditions that test them one by one. */

import { kindRow } from '../../../schema/index.ts';
import type { Dialect, ListOperand } from '../dialect.ts';
import type { PhysicalColumn } from '../physical.ts';
import { type Sql, type StatementInputs } from '../sql-text.ts';
import { jsonColumn } from './json-member.ts';

/** An array in a statement. */
export interface ArrayOperand {
  readonly column: PhysicalColumn;
  /** The column in the database, which may hold more than the array. */
  readonly stored: string;
  /** The array; null where there is none. */
  readonly sql: Sql;
}

/** Whether a type of the database is one of arrays; other types hold arrays as JSON. */
export const isArrayType = (sqlType: string): boolean => sqlType.endsWith('[]');

/** The column of an array in JSON as the value of its whole document; other columns as they are. */
export function arrayColumn(column: PhysicalColumn): PhysicalColumn {
  const isJson = kindRow(column.kind).items !== undefined && !isArrayType(column.sqlType);
  return isJson ? { ...column, member: { keys: [], of: column } } : column;
}

/** The members of an array as a column. */
export function itemColumn(column: PhysicalColumn): PhysicalColumn {
  const { items = column.kind } = kindRow(column.kind);
  if (column.member) return jsonColumn(column, items, column.member);
  return { ...column, kind: items, storage: 'native', sqlType: column.sqlType.slice(0, -2) };
}

/** The members of an array as the rows of a table, and the value of one; null where it does not fit the kind. */
interface Items {
  readonly from: Sql;
  readonly value: Sql;
}

/**
 * Whether a member of an array is among the values of a list, or all of these are members. MySQL would make a join of
 * `exists`, in which the table of members has no rows once one row of the list has had none.
 */
export function hasAmong(
  { membership }: Pick<Dialect, 'membership'>,
  { from, value }: Items,
  { sql }: ArrayOperand,
  list: ListOperand,
  isAll: boolean,
): Sql {
  const rows: Sql = [' from ', from, ' where ', membership(value, list, false)];
  if (!isAll) return ['(select 1', rows, ' limit 1) is not null'];
  const wanted = (inputs: StatementInputs) => new Set(list.read(inputs)).size;
  return [
    ['(', sql, ' is not null and (select count(distinct ', value, ')'],
    [rows, ') = ', { read: wanted }, ')'],
  ];
}
