/** The interface through which statements reach a database. An adapter provides an executor and a description. */

import type { StatementText } from '../compile/sql-text.ts';
import type { Stop } from './execution.ts';

/** Rows as arrays, in the order of the select list. */
export type Rows = readonly (readonly unknown[])[];

/** Runs statements on a connection pool, a single connection or a transaction. */
export interface Executor {
  /** Whether two statements of one request may run concurrently, as on a connection pool. */
  readonly concurrent: boolean;
  /** An object that lives as long as the connection to the server; facts about the server are cached by it. */
  readonly server: object;
  /**
   * Runs one statement. `values` has one value for each of the statement's slots. The statement object is the same for
   * every request of the same shape, so an executor may cache prepared statements by it. Statements with a slot that
   * `steersPlan` should not be prepared under a name, because they are planned better with their values.
   *
   * `stop` ends the statement when the time of the request is over or its signal is aborted; an executor that uses it
   * runs the statement in `stop.during`.
   */
  run(statement: StatementText, values: readonly unknown[], stop?: Stop): Promise<Rows> | Rows;
  /**
   * Whether `run` uses its `stop`. Otherwise the server is told the time limit in the statement or, where the host has
   * set one and the family has no form for it, in a transaction around the statement. Default `false`.
   */
  readonly stops?: boolean;
  /**
   * Whether `runBoth` would run these two statements in one round trip. Default: no two statements are run so.
   */
  runsBoth?(first: StatementText, second: StatementText): boolean;
  /**
   * Runs two statements in this order on one connection, in one round trip; `stop` ends both. Returns `undefined` where
   * they are to run one after the other.
   */
  runBoth?(runs: RunPair, stop: Stop): Promise<readonly [Rows, Rows] | undefined>;
  /** Whether two connections are free at the moment. Default: unknown. */
  hasTwoFree?(): boolean;
  /**
   * Runs the body in a new transaction, or in a savepoint inside the caller's transaction. The inner executor is of the
   * same type. `timeoutMs` is the remaining time of the request, for drivers that limit transactions.
   */
  transaction<T>(body: (inner: Executor) => Promise<T>, timeoutMs: number): Promise<T>;
  /**
   * Provides one connection for all statements of a read; the inner executor is of the same type. Default: the executor
   * itself is used.
   */
  lease?<T>(work: (inner: Executor) => Promise<T>): Promise<T>;
  /**
   * Provides the executor of one request where there are several servers with the same data, such as replicas: all
   * statements of the inner executor, which is of the same type, reach the same server. Absent where there is one server.
   */
  readonly oneServer?: (<T>(work: (inner: Executor) => Promise<T>) => Promise<T>) | undefined;
}

/** Two statements with the values of one run. */
export type RunPair = readonly [Run, Run];

interface Run {
  readonly statement: StatementText;
  readonly values: readonly unknown[];
}

/** The statements that begin, commit and roll back a transaction or savepoint. */
export interface Bounds {
  readonly begin: string;
  readonly end: string;
  readonly undo: readonly string[];
}

export const savepoint: Bounds = {
  begin: 'savepoint sluice',
  end: 'release savepoint sluice',
  // In SQLite, the savepoint may have begun the transaction, which its release ends.
  undo: ['rollback to savepoint sluice', 'release savepoint sluice'],
};

/** A transaction of its own. */
export const ownTransaction: Bounds = { begin: 'begin', end: 'commit', undo: ['rollback'] };

/** Runs the body between the bounds, whose statements `run` runs on the connection of the body. */
export async function between<T>(
  run: (text: string) => unknown,
  { begin, end, undo }: Bounds,
  body: () => Promise<T>,
): Promise<T> {
  await run(begin);
  try {
    const result = await body();
    await run(end);
    return result;
  } catch (error) {
    try {
      for (const text of undo) await run(text);
    } catch {
      // A lost connection has already rolled back.
    }
    throw error;
  }
}

/** A statement that is not compiled from a plan and contains its own values. */
export function plainStatement(text: string, values: readonly unknown[] = []): StatementText {
  return { text, slots: values.map((value) => ({ read: () => value })) };
}
