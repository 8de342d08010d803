/** Runs statements on `better-sqlite3`, each prepared once. */

import { oncePer } from '../../../lib/index.ts';
import {
  type Rows,
  type StatementText,
  between,
  ownTransaction,
  savepoint,
} from '../../../relational/index.ts';
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
  // 64-bit integers are selected as text, so the host's default for integers must not apply.
  const prepared = oncePer(({ text }: StatementText) =>
    database.prepare(text).raw().safeIntegers(false),
  );
  const executor: SqlExecutor = {
    family: 'sqlite',
    concurrent: false,
    server: database,
    run: (statement, values) => prepared(statement).all(...values) as unknown as Rows,
    transaction: (body) =>
      between(
        (text) => database.exec(text),
        database.inTransaction ? savepoint : ownTransaction,
        () => body(executor),
      ),
  };
  return executor;
}
