/** Runs statements on `node:sqlite`, each prepared once. */

import { oncePer } from '../../../lib/index.ts';
import {
  type Rows,
  type StatementText,
  between,
  families,
  rowArrays,
  savepoint,
} from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** The part of a `DatabaseSync` that is used. */
export interface NodeSqliteDatabase {
  /** Prepares a statement. */
  prepare(text: string): NodeSqliteStatement;
  /** Runs statements without values. */
  exec(text: string): void;
}

/** The part of a `StatementSync` that is used. */
export interface NodeSqliteStatement {
  /** Says whether integers are read as `bigint`. */
  setReadBigInts(enabled: boolean): void;
  /** Runs the statement and returns its rows. */
  all(...values: never[]): unknown[];
}

/** `node:sqlite` refuses integers that a number does not hold exactly. */
const isTooLarge = (error: unknown): boolean =>
  error instanceof Error && Reflect.get(error, 'code') === 'ERR_OUT_OF_RANGE';

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

/**
 * A connection for `sqlSource` and `introspect` over a `DatabaseSync` of `node:sqlite`. Statements run synchronously, in
 * the process.
 */
export const nodeSqlite: (database: NodeSqliteDatabase) => SqlExecutor = oncePer(
  (database: NodeSqliteDatabase) => {
    const prepared = oncePer(({ text }: StatementText) => database.prepare(text));
    const executor: SqlExecutor = {
      family: 'sqlite',
      channel: families.sqlite.objectRows,
      concurrent: false,
      server: database,
      run: (statement, values) => rowsOf(prepared(statement), values as never[]),
      // A savepoint begins a transaction where there is none.
      transaction: (body) =>
        between(
          (text) => database.exec(text),
          savepoint,
          () => body(executor),
        ),
    };
    return executor;
  },
);

/** The rows; 64-bit integers are selected as text, so that others are numbers whatever the host has set. */
function rowsOf(statement: NodeSqliteStatement, values: never[]): Rows {
  statement.setReadBigInts(false);
  try {
    return rowArrays(statement.all(...values) as object[]);
  } catch (error) {
    if (!isTooLarge(error)) throw error;
    statement.setReadBigInts(true);
    return rowArrays(statement.all(...values) as object[]).map((row) => row.map(asNumber));
  }
}
