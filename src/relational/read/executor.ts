/** The interface through which statements reach a database: with a description, all that an adapter provides. */

import type { StatementText } from '../compile/sql-text.ts';

/** Rows as arrays, in the order of the select list. */
export type Rows = readonly (readonly unknown[])[];

/** Runs statements on one way to a database: a connection pool, a single connection, a transaction. */
export interface Executor {
  /** Whether two statements of one request may run at the same time, as on a connection pool. */
  readonly concurrent: boolean;
  /** An object that lives as long as the way to the server; facts that the server was asked for are kept by it. */
  readonly server: object;
  /**
   * Runs one statement. `values` has one value for each of the statement's slots. A statement is the same object
   * each time that its shape of request recurs, so that an executor may keep prepared statements by it; statements
   * with a slot that `steersPlan` are planned better with their values, and should not be prepared under a name.
   */
  run(statement: StatementText, values: readonly unknown[]): Promise<Rows> | Rows;
  /**
   * Runs the body in a transaction of its own, or in a savepoint inside the caller's. The inner executor is of the
   * same kind. `timeoutMs` is the time that the request has left, for drivers that limit transactions.
   */
  transaction<T>(body: (inner: Executor) => Promise<T>, timeoutMs: number): Promise<T>;
  /** Lends one connection for all statements of a read; of the same kind. Default: the executor itself is used. */
  lease?<T>(work: (inner: Executor) => Promise<T>): Promise<T>;
}

/** A statement written for the occasion, which carries its own values. */
export function plainStatement(text: string, values: readonly unknown[] = []): StatementText {
  return { text, slots: values.map((value) => ({ read: () => value })) };
}
