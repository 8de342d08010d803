/** Runs the statements of one request within its time limit and until its signal is aborted. */

import { bind } from '../compile/sql-text.ts';
import type { StatementInputs, StatementText } from '../compile/sql-text.ts';
import type { Family } from '../family.ts';
import { driverError, timeoutError } from './driver-error.ts';
import type { Executor, Rows } from './executor.ts';

/** The limits of a request. */
interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Work on an executor. The statement contains the time limit where the family writes it into the text. */
export type Work<E, T> = (executor: E, statement: StatementText) => Promise<T> | T;

/** Runs the statements of one request. The time limit starts at construction. */
export class Execution<E extends Executor> {
  /** Whether the request has a time limit or a signal. */
  readonly limited: boolean;
  readonly #family: Family;
  readonly #limits: Limits;
  readonly #deadline: number;

  constructor(family: Family, limits: Limits) {
    const { timeoutMs, signal } = limits;
    this.#family = family;
    this.#limits = limits;
    this.limited = timeoutMs !== undefined || signal !== undefined;
    this.#deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  }

  /**
   * Runs a statement with its values.
   *
   * @throws {QueryError} QUERY_TIMEOUT when the time has passed; otherwise the code to which `driverError` maps the
   * error of the driver
   * @throws {unknown} the signal's reason when it is aborted
   */
  run(executor: E, statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    return this.limited
      ? this.guard(executor, statement, (on, limited) => on.run(limited, bind(statement, inputs)))
      : this.#unlimited(executor, statement, inputs);
  }

  /** The path without time limit and signal, which most requests take. */
  async #unlimited(executor: E, statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    try {
      return await executor.run(statement, bind(statement, inputs));
    } catch (error) {
      throw driverError(this.#family, error, undefined);
    }
  }

  /**
   * Runs work that is one statement, or work whose statements belong to the ORM (`null`), under the limits of `run`;
   * stops waiting for it when the time is over or the signal is aborted.
   */
  async guard<T>(executor: E, statement: StatementText, work: Work<E, T>): Promise<T>;
  async guard<T>(executor: E, statement: null, work: (executor: E) => Promise<T> | T): Promise<T>;
  async guard<T>(executor: E, statement: StatementText | null, work: Work<E, T>): Promise<T> {
    const { signal, timeoutMs } = this.#limits;
    signal?.throwIfAborted();
    const left = timeoutMs === undefined ? undefined : this.#deadline - performance.now();
    const late = () => timeoutError(timeoutMs ?? 0);
    if (left !== undefined && left <= 0) throw late();
    let result: T;
    try {
      const running = this.#within(left, executor, statement, work);
      result = await abandonable(running, left, signal, late);
    } catch (error) {
      throw signal?.aborted ? error : driverError(this.#family, error, timeoutMs);
    }
    if (left !== undefined && performance.now() > this.#deadline) throw late();
    return result;
  }

  /** Starts work that the server stops after `left` milliseconds. */
  #within<T>(
    left: number | undefined,
    executor: E,
    statement: StatementText | null,
    work: Work<E, T>,
  ): Promise<T> | T {
    const own = statement as StatementText;
    if (left === undefined) return work(executor, own);
    const { inText, session } = this.#family.timeLimit;
    // Zero would mean no limit.
    const milliseconds = Math.max(1, Math.ceil(left));
    if (statement === null || !inText) {
      // The transactions of an executor are executors of the same type.
      return session(executor, milliseconds, (inner) => work(inner as E, own));
    }
    return inText(executor, milliseconds, statement).then((limited) => work(executor, limited));
  }
}

/** Longest delay of a timer, in milliseconds; a longer one would fire at once. */
const longestTimer = 2 ** 31 - 1;

/** Settles as the work does, or rejects as soon as the deadline passes or the signal is aborted. */
function abandonable<T>(
  work: Promise<T> | T,
  milliseconds: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
): Promise<T> | T {
  if (!(work instanceof Promise) || (milliseconds === undefined && !signal)) return work;
  return new Promise<T>((resolve, reject) => {
    const timer =
      milliseconds === undefined
        ? undefined
        : setTimeout(() => reject(late()), Math.min(milliseconds + 50, longestTimer));
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  });
}
