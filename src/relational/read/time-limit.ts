/** How a database family stops statements that take too long; each family's folder implements it. */

import type { StatementText } from '../compile/sql-text.ts';
import type { Executor } from './executor.ts';

/** A family's time limit. Times are whole milliseconds, at least one. */
export interface TimeLimit {
  /** Runs work whose statements the server stops after `milliseconds`; their texts are unchanged. */
  session<T>(
    executor: Executor,
    milliseconds: number,
    work: (inner: Executor) => Promise<T> | T,
  ): Promise<T> | T;
  /** Writes the same limit into a single statement, where the family supports it; this needs no extra statement. */
  readonly inText?: (
    executor: Executor,
    milliseconds: number,
    statement: StatementText,
  ) => Promise<StatementText>;
}
