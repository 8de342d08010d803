/** `customize` on a plain connection: the host adds a condition, written in SQL. */

import {
  type Customized,
  type Sql,
  type StatementText,
  withCondition,
} from '../../relational/index.ts';
import type { SqlExecutor } from './executors/executor.ts';

/** The statement that a condition is added to. */
export interface SqlStatement {
  readonly kind: 'data' | 'count';
  /** Binds a value; put the result where the value belongs. */
  value(value: unknown): Sql;
}

/**
 * A condition that is AND-ed with those of the request, as pieces of SQL in the order in which they are joined;
 * `undefined` adds nothing. The table goes by its own name:
 * `customize: ({ value }) => ['"user"."tags" @> ', value(tags)]`.
 */
export type SqlCustomize = (statement: SqlStatement) => Sql | undefined;

const value = (given: unknown): Sql => ({ read: () => given });

/** The statement with the condition of the host. */
export function customizedStatement(input: Customized<SqlExecutor, SqlCustomize>): StatementText {
  const { context, plan, statement, kind, customize } = input;
  const condition = customize({ kind, value });
  if (condition === undefined) return statement.statement;
  return withCondition(context, plan, statement, kind, condition);
}
