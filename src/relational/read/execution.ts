/** Runs the statements of one request within its time limit and until its signal is aborted. */

import { type Deadline, addDeadline, dropDeadline, isThenable, sleep } from '../../lib/index.ts';
import { bind, type StatementInputs, type StatementText } from '../compile/sql-text.ts';
import type { ExplainedStatement, StatementTimer } from '../../rules/index.ts';
import type { Family } from '../family.ts';
import { driverError, timeoutError } from './driver-error.ts';
import type { Executor, Rows } from './executor.ts';
import { defaultTimeoutMs } from './time-limit.ts';

/** The limits of a request. */
interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly timer?: StatementTimer | undefined;
  readonly explained?: ExplainedStatement[] | undefined;
}

/**
 * Work on an executor. The statement contains the time limit where the family writes it into the text; `stop` ends the
 * statements of the work.
 */
export type Work<E, T> = (executor: E, statement: StatementText, stop: Stop) => Promise<T> | T;

/** Milliseconds that the server has to report by itself that the time is over, where it knows the limit. */
const graceMs = 50;

/** Longest time limit, with room for additions in the 31 bits that servers and timers have. */
const mostMs = 2_000_000_000;

/** Milliseconds by which the clocks of server and process may differ. */
const clockMs = 10;

/** Runs the statements of one request. The time limit starts at construction. */
export class Execution<E extends Executor> {
  readonly #family: Family;
  readonly #signal: AbortSignal | undefined;
  /** `Infinity` for none. */
  readonly #timeoutMs: number;
  /** Whether the host has set the time limit, which is then worth further statements. */
  readonly #isSet: boolean;
  readonly #deadline: number;
  readonly #timer: StatementTimer | undefined;
  readonly #explained: ExplainedStatement[] | undefined;

  constructor(family: Family, { timeoutMs, signal, timer, explained }: Limits) {
    this.#family = family;
    this.#signal = signal;
    this.#timer = timer;
    this.#explained = explained;
    this.#isSet = timeoutMs !== undefined;
    this.#timeoutMs = timeoutMs === 0 ? Infinity : Math.min(timeoutMs ?? defaultTimeoutMs, mostMs);
    this.#deadline = performance.now() + this.#timeoutMs;
  }

  /**
   * Runs a statement with its values.
   *
   * @throws {QueryError} QUERY_TIMEOUT when the time has passed; otherwise the code to which `driverError` maps the
   * error of the driver
   * @throws {unknown} the signal's reason when it is aborted
   */
  run(executor: E, statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    if (this.#explained) return this.#runExplained(executor, statement, inputs, this.#explained);
    return this.#run(executor, statement, inputs);
  }

  async #runExplained(
    executor: E,
    statement: StatementText,
    inputs: StatementInputs,
    explained: ExplainedStatement[],
  ): Promise<Rows> {
    const rows = await this.#run(executor, statement, inputs);
    const { text: sql, slots } = statement;
    const asked = { text: `${this.#family.explain} ${sql}`, slots };
    // The clauses of a time limit stand before a statement that is not explained.
    const found = await this.guard(executor, null, (on, _, stop) =>
      on.run(asked, bind(asked, inputs), stop),
    );
    explained.push({ sql, plan: found.map((row) => String(row.at(-1))).join('\n') });
    return rows;
  }

  #run(executor: E, statement: StatementText, inputs: StatementInputs): Promise<Rows> {
    return this.guard(executor, statement, (on, limited, stop) =>
      on.run(limited, bind(statement, inputs), stop),
    );
  }

  /**
   * Runs work that is one statement, or work whose statements belong to the ORM (`null`), under the limits of `run`;
   * stops waiting for it when the time is over or the signal is aborted.
   */
  guard<T>(executor: E, statement: StatementText, work: Work<E, T>): Promise<T>;
  guard<T>(
    executor: E,
    statement: null,
    work: (executor: E, statement: unknown, stop: Stop) => Promise<T> | T,
  ): Promise<T>;
  guard<T>(executor: E, statement: StatementText | null, work: Work<E, T>): Promise<T> {
    const signal = this.#signal;
    return new Promise<T>((resolve, reject) => {
      signal?.throwIfAborted();
      const left = this.#deadline - performance.now();
      if (left <= 0) throw this.#late();
      const stop = new Stop();
      let deadline: Deadline | undefined;
      let isSettled = false;
      const settle = () => {
        isSettled = true;
        this.#timer?.end();
        if (!deadline) return;
        dropDeadline(deadline);
        signal?.removeEventListener('abort', abort);
      };
      const end = (error: Error) => {
        settle();
        stop.stop();
        reject(error);
      };
      const abort = () => end(signal?.reason as Error);
      const succeed = (result: T) => {
        if (isSettled) return;
        settle();
        if (performance.now() > this.#deadline) reject(this.#late());
        else resolve(result);
      };
      const fail = (error: unknown) => {
        if (isSettled) return;
        settle();
        reject(this.#failure(error));
      };
      this.#timer?.start();
      let running: PromiseLike<T> | T;
      try {
        running = this.#within(left, executor, statement, work, stop);
      } catch (error) {
        fail(error);
        return;
      }
      if (!isThenable(running)) {
        succeed(running);
        return;
      }
      const grace = this.#family.timeLimit.inText ? graceMs : 0;
      deadline = addDeadline(this.#deadline + grace, () => end(this.#late()));
      signal?.addEventListener('abort', abort);
      running.then(succeed, fail);
    });
  }

  #failure(error: unknown): Error {
    if (this.#signal?.aborted) return this.#signal.reason as Error;
    const isOver = performance.now() > this.#deadline - clockMs;
    return driverError(this.#family, error, isOver ? this.#timeoutMs : undefined);
  }

  #late(): Error {
    return timeoutError(this.#timeoutMs);
  }

  /** Starts work that the server stops after `left` milliseconds, where it can be told without further statements. */
  #within<T>(
    left: number,
    executor: E,
    statement: StatementText | null,
    work: Work<E, T>,
    stop: Stop,
  ): Promise<T> | T {
    const own = statement as StatementText;
    if (left === Infinity) return work(executor, own, stop);
    // Zero would mean no limit.
    const milliseconds = Math.max(1, Math.ceil(left));
    const { inText, session } = this.#family.timeLimit;
    if (statement && inText) return work(executor, this.#limited(statement, milliseconds), stop);
    if (executor.stops || !this.#isSet) return work(executor, own, stop);
    // The transactions of an executor are executors of the same type.
    return session(executor, milliseconds, (inner) => work(inner as E, own, stop));
  }

  /** The statement with its limit: while most of the time is left the whole time, so that the text remains the same. */
  #limited(statement: StatementText, left: number): StatementText {
    const { inText } = this.#family.timeLimit;
    const whole = Math.ceil(this.#timeoutMs);
    if (!inText || left < 0.9 * whole) return inText?.(left, statement) ?? statement;
    const known = limitedTexts.get(statement);
    if (known?.milliseconds === whole) return known.limited;
    const limited = inText(whole, statement);
    limitedTexts.set(statement, { milliseconds: whole, limited });
    return limited;
  }
}

/** Statements with the limit that they had last. */
const limitedTexts = new WeakMap<
  StatementText,
  { readonly milliseconds: number; readonly limited: StatementText }
>();

/**
 * Asks the server to end the running statement. It settles when the request can no longer arrive, so that it never ends
 * a later statement of the connection. `ended` is aborted when the statement has ended.
 */
export type CancelStatement = (ended: AbortSignal) => Promise<void>;

interface Running {
  readonly cancel: CancelStatement;
  /** Ends the statement; `undefined` while nobody wants it to end. */
  ending: Ending | undefined;
}

interface Ending {
  /** Aborted when the statement has ended. */
  readonly ended: AbortController;
  /** Settles after that, when no cancel request is on its way. */
  readonly settled: Promise<void>;
}

/** Milliseconds between two cancel requests: one that arrives before its statement has no effect. */
const firstWait = 20;
const longestWait = 2000;

const none: readonly Running[] = [];

/** The statements of one piece of work. */
export class Stop {
  /** Nearly always one statement or none. */
  #running: readonly Running[] = none;
  #stopped = false;

  /**
   * Runs a statement, which `cancel` ends. Settles when the statement has ended and no cancel request is on its way, so
   * that its connection can be used again.
   *
   * @throws {Error} without running the statement when the request has already been stopped
   */
  async during<T>(cancel: CancelStatement, statement: () => Promise<T> | T): Promise<T> {
    if (this.#stopped) throw new Error('The request ended before its statement began.');
    const running: Running = { cancel, ending: undefined };
    this.#running = this.#running.length === 0 ? [running] : [...this.#running, running];
    try {
      return await statement();
    } finally {
      this.#running = this.#running.filter((other) => other !== running);
      const { ending } = running;
      if (ending) {
        ending.ended.abort();
        await ending.settled;
      }
    }
  }

  /** Ends the running statements; further ones do not start. */
  stop(): void {
    this.#stopped = true;
    for (const running of this.#running) {
      const ended = new AbortController();
      running.ending ??= { ended, settled: end(running.cancel, ended.signal) };
    }
  }
}

/** Sends cancel requests until the statement has ended. */
async function end(cancel: CancelStatement, signal: AbortSignal): Promise<void> {
  const wait = (milliseconds: number) => sleep(milliseconds, signal).catch(() => undefined);
  // A result that has already arrived is processed first.
  await wait(0);
  for (let pause = firstWait; !signal.aborted; pause = Math.min(2 * pause, longestWait)) {
    // A failed request is sent again like one that was too early.
    await cancel(signal).catch(() => undefined);
    await wait(pause);
  }
}

/**
 * Runs a statement on one connection of a driver. `text` is a part of the statement, by which it is recognised on a
 * connection that the host uses too.
 */
export type RunStoppable = <T>(
  stop: Stop,
  text: () => string,
  statement: (connection: object) => Promise<T> | T,
) => Promise<T>;

const last = new WeakMap<object, Promise<unknown>>();

/** Runs statements on a connection one after the other, so that a cancel request ends the right one. */
export function inTurn<T>(connection: object, statement: () => Promise<T>): Promise<T> {
  const before = last.get(connection);
  const turn = before ? before.then(statement, statement) : statement();
  last.set(connection, turn);
  const forget = () => {
    if (last.get(connection) === turn) last.delete(connection);
  };
  turn.then(forget, forget);
  return turn;
}
