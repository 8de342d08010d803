/** Collects the SQL that one request sends, through Drizzle's own logger. */

import { AsyncLocalStorage } from 'node:async_hooks';

import type { Logger } from 'drizzle-orm';

/** One statement as the driver received it. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

const collected = new AsyncLocalStorage<Statement[]>();

/** A Drizzle logger that notes statements for `collectStatements` and is silent outside of it. */
export const statementLogger: Logger = {
  logQuery(sql, params) {
    collected.getStore()?.push({ sql, params });
  },
};

/** Runs `task`; `statements` fills with what the task, and nobody else, sends meanwhile. */
export function collectStatements<T>(statements: Statement[], task: () => Promise<T>): Promise<T> {
  return collected.run(statements, task);
}
