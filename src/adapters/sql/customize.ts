/** `customize` for a plain connection: the host adds a condition in SQL. */

import {
  type Customized,
  type Sql,
  type StatementText,
  withCondition,
} from '../../relational/index.ts';
import { isRecord } from '../../lib/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { SqlExecutor } from './executors/executor.ts';

/** The statement that a condition is added to. */
export interface SqlStatement {
  /** Whether the statement reads the rows or counts them. */
  readonly kind: 'data' | 'count';
  /** Binds a value; put the result at the position of the value in the SQL. */
  value(value: unknown): Sql;
}

/**
 * Returns a condition that is AND-ed to those of the request, as fragments of SQL that are concatenated; `undefined`
 * adds none. The alias of the table is its name: `customize: ({ value }) => ['"user"."tags" @> ', value(tags)]`.
 */
export type SqlCustomize = (statement: SqlStatement) => Sql | undefined;

const value = (given: unknown): Sql => ({ read: () => given });

const isSql = (part: unknown): part is Sql =>
  typeof part === 'string' ||
  (Array.isArray(part) ? part.every(isSql) : isRecord(part) && typeof part['read'] === 'function');

/** The statement with the condition of the host. */
export function customizedStatement(input: Customized<SqlExecutor, SqlCustomize>): StatementText {
  const { context, plan, statement, kind, customize } = input;
  const condition = customize({ kind, value });
  if (condition === undefined) return statement.statement;
  if (!isSql(condition)) {
    throw configurationError(
      '"customize" must return a condition: a text, a value or a list of them',
    );
  }
  return withCondition(context, plan, statement, kind, condition);
}
