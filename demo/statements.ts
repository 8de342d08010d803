/** Collects the SQL of one request through Drizzle's logger. */

import { AsyncLocalStorage } from 'node:async_hooks';

import type { Logger } from 'drizzle-orm';

/** One statement, as the driver receives it. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

const collected = new AsyncLocalStorage<Statement[]>();

/** A Drizzle logger that records statements inside `collectStatements` and ignores all others. */
export const statementLogger: Logger = {
  logQuery(sql, params) {
    collected.getStore()?.push({ sql, params });
  },
};

/** Runs `task` and appends its statements, without those of concurrent tasks, to `statements`. */
export function collectStatements<T>(statements: Statement[], task: () => Promise<T>): Promise<T> {
  return collected.run(statements, task);
}
