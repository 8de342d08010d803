/** How a database family stops statements that take too long; each family's folder has its own. */

import type { StatementText } from '../compile/sql-text.ts';
import type { Executor } from './executor.ts';

/** A family's time limit. Times are whole milliseconds, at least one. */
export interface TimeLimit {
  /** Runs work whose statements the server stops after `milliseconds`; their texts stay as they are. */
  session<T>(
    executor: Executor,
    milliseconds: number,
    work: (inner: Executor) => Promise<T> | T,
  ): Promise<T> | T;
  /** The same limit written into a single statement, where the family can: it costs no statement more. */
  readonly inText?: (
    executor: Executor,
    milliseconds: number,
    statement: StatementText,
  ) => Promise<StatementText>;
}
