/** Runs statements on `bun:sqlite`, each prepared once. */

import { oncePer } from '../../../lib/index.ts';
import { type Rows, type StatementText, between, savepoint } from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** The part of a `Database` of `bun:sqlite` that is used. */
export interface BunSqliteDatabase {
  /** Prepares a statement. */
  prepare(text: string): BunSqliteStatement;
  /** Runs statements without values. */
  run(text: string): unknown;
}

/** The part of a `Statement` of `bun:sqlite` that is used. */
export interface BunSqliteStatement {
  /** Runs the statement and returns its rows as arrays. */
  values(...values: never[]): unknown[][];
}

/** Integers are numbers, whatever `safeIntegers` the host has set. */
const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/**
 * A connection for `sqlSource` and `introspect` over a `Database` of `bun:sqlite`. Statements run synchronously, in the
 * process.
 */
export const bunSqlite: (database: BunSqliteDatabase) => SqlExecutor = oncePer(
  (database: BunSqliteDatabase) => {
    const prepared = oncePer(({ text }: StatementText) => database.prepare(text));
    const executor: SqlExecutor = {
      family: 'sqlite',
      concurrent: false,
      server: database,
      run: (statement, values) =>
        prepared(statement)
          .values(...(values as never[]))
          .map((row) => row.map(asNumber)) as Rows,
      // A savepoint begins a transaction where there is none.
      transaction: (body) =>
        between(
          (text) => database.run(text),
          savepoint,
          () => body(executor),
        ),
    };
    return executor;
  },
);
