/**
 * Runs statements on SQLite in the process, each prepared once: on `better-sqlite3`, `node:sqlite` and `bun:sqlite`. 64-bit
 * integers are selected as text, so that others are numbers, whatever the host has set.
 */

import { oncePer } from '../../../lib/index.ts';
import {
  type Bounds,
  type RowChannel,
  type Rows,
  type StatementText,
  between,
  families,
  ownTransaction,
  rowArrays,
  savepoint,
} from '../../../relational/index.ts';
import type { SqlExecutor } from './executor.ts';

/** The parts in which the libraries differ. */
interface Library<Statement> {
  readonly channel?: RowChannel;
  prepare(text: string): Statement;
  rowsOf(statement: Statement, values: never[]): Rows;
  /** Runs a statement without values. */
  execute(text: string): unknown;
  /** The bounds of a transaction; a savepoint begins one where there is none. */
  bounds?(): Bounds;
}

function inProcess<Statement extends object>(
  server: object,
  { channel, prepare, rowsOf, execute, bounds = () => savepoint }: Library<Statement>,
): SqlExecutor {
  const prepared = oncePer(({ text }: StatementText) => prepare(text));
  const executor: SqlExecutor = {
    family: 'sqlite',
    channel,
    concurrent: false,
    server,
    run: (statement, values) => rowsOf(prepared(statement), values as never[]),
    transaction: (body) => between(execute, bounds(), () => body(executor)),
  };
  return executor;
}

const asNumber = (value: unknown): unknown => (typeof value === 'bigint' ? Number(value) : value);

const numbersIn = (rows: Rows): Rows => rows.map((row) => row.map(asNumber));

/** The part of a `Database` of `better-sqlite3` that is used. */
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

/** An executor on a database of `better-sqlite3`. */
export function sqliteExecutor(database: SqliteDatabase): SqlExecutor {
  return inProcess<SqliteStatement>(database, {
    prepare: (text) => database.prepare(text).raw().safeIntegers(false),
    rowsOf: (statement, values) => statement.all(...values) as Rows,
    execute: (text) => database.exec(text),
    bounds: () => (database.inTransaction ? savepoint : ownTransaction),
  });
}

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

/**
 * A connection for `sqlSource` and `introspect` over a `Database` of `bun:sqlite`. Statements run synchronously, in the
 * process.
 */
export const bunSqlite: (database: BunSqliteDatabase) => SqlExecutor = oncePer(
  (database: BunSqliteDatabase) =>
    inProcess<BunSqliteStatement>(database, {
      prepare: (text) => database.prepare(text),
      rowsOf: (statement, values) => numbersIn(statement.values(...values)),
      execute: (text) => database.run(text),
    }),
);

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

/**
 * A connection for `sqlSource` and `introspect` over a `DatabaseSync` of `node:sqlite`. Statements run synchronously, in
 * the process.
 */
export const nodeSqlite: (database: NodeSqliteDatabase) => SqlExecutor = oncePer(
  (database: NodeSqliteDatabase) =>
    inProcess<NodeSqliteStatement>(database, {
      channel: families.sqlite.objectRows,
      prepare: (text) => database.prepare(text),
      rowsOf(statement, values) {
        const read = (bigInts: boolean): Rows => {
          statement.setReadBigInts(bigInts);
          return rowArrays(statement.all(...values) as object[]);
        };
        try {
          return read(false);
        } catch (error) {
          // The library refuses integers that a number does not hold exactly.
          if (!(error instanceof Error) || Reflect.get(error, 'code') !== 'ERR_OUT_OF_RANGE') {
            throw error;
          }
          return numbersIn(read(true));
        }
      },
      execute: (text) => database.exec(text),
    }),
);
