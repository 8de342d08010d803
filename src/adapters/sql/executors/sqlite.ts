/** Runs statements on `better-sqlite3`, each prepared once. */

import type { Rows, StatementText } from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** The part of a `Database` that is used. */
export interface SqliteDatabase {
  readonly inTransaction: boolean;
  prepare(text: string): SqliteStatement;
  exec(text: string): unknown;
}

interface SqliteStatement {
  raw(): SqliteStatement;
  safeIntegers(safe: boolean): SqliteStatement;
  all(...values: unknown[]): unknown[];
}

/** An executor on a database. Statements run synchronously, in the process. */
export function sqliteExecutor(database: SqliteDatabase): SqlExecutor {
  const prepared = new WeakMap<StatementText, SqliteStatement>();
  const executor: SqlExecutor = {
    family: 'sqlite',
    concurrent: false,
    server: database,
    run: (statement, values) => {
      let ready = prepared.get(statement);
      if (!ready) {
        // 64-bit integers are selected as text, so the host's default for integers must not apply.
        ready = database.prepare(statement.text).raw().safeIntegers(false);
        prepared.set(statement, ready);
      }
      return ready.all(...values) as unknown as Rows;
    },
    transaction: async (body) => {
      const nested = database.inTransaction;
      database.exec(nested ? 'savepoint sluice' : 'begin');
      try {
        const result = await body(executor);
        database.exec(nested ? 'release sluice' : 'commit');
        return result;
      } catch (error) {
        database.exec(nested ? 'rollback to sluice; release sluice' : 'rollback');
        throw error;
      }
    },
  };
  return executor;
}
