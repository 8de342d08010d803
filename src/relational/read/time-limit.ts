/** How a database family stops statements that take too long; each family's folder implements it. */

import type { StatementText } from '../compile/sql-text.ts';
import type { Executor } from './executor.ts';
import type { RunStoppable } from './execution.ts';

/** Milliseconds that a request may take by default. */
export const defaultTimeoutMs = 30_000;

/** A family's time limit. Times are whole milliseconds, at least one. */
export interface TimeLimit {
  /**
   * Runs work whose statements the server stops after `milliseconds`, at the cost of further statements; their texts
   * are unchanged.
   */
  session<T>(
    executor: Executor,
    milliseconds: number,
    work: (inner: Executor) => Promise<T> | T,
  ): Promise<T> | T;
  /** Writes the same limit into a single statement, where the family supports it; this needs no extra statement. */
  readonly inText?: (milliseconds: number, statement: StatementText) => StatementText;
  /**
   * How statements run on a pool or a connection of a supported driver, so that they can be ended on the server;
   * `undefined` for other objects. `control` opens a further connection, for drivers whose connections do not show how.
   */
  readonly stoppable: (
    target: object,
    control?: () => Promise<ControlConnection>,
  ) => RunStoppable | undefined;
}

/** A connection beside the pool that ends its statements. */
export interface ControlConnection {
  run(sql: string): Promise<unknown>;
  close(): Promise<void>;
}
