/** Ends the statements of a request on the server when its time is over or its signal is aborted. */

import { sleep } from '../../lib/index.ts';

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
