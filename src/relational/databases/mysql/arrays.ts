/**
 * Conditions on arrays in JSON. Members are read from a table of them: MariaDB compares JSON by its text, and `json_contains`
 * finds members of arrays within an array.
 */

import type { Dialect, ListOperand } from '../../compile/dialect.ts';
import type { Sql } from '../../compile/sql-text.ts';
import { type ArrayOperand, hasAmong } from '../../compile/values/array-members.ts';
import type { JsonMember } from '../../compile/physical.ts';

export function hasMembers(
  dialect: Dialect,
  array: ArrayOperand,
  list: ListOperand,
  isAll: boolean,
): Sql {
  const item = list.column;
  const of = { ...(item.member as JsonMember).of, sqlType: 'json' };
  const value = dialect.jsonMember(item, { keys: [], of }, 'item.v');
  const from: Sql = ['json_table(', array.sql, ", '$[*]' columns (v json path '$')) as item"];
  return hasAmong(dialect, { from, value }, array, list, isAll);
}
