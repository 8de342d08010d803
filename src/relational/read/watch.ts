/** One request's time and signal: what is left of the one, and giving up when the other says so. */

import { driverError, timeoutError } from './driver-error.ts';

/** What a request may be limited by. */
interface Limits {
  readonly timeoutMs?: number | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Watches over the statements of one request. The time begins when the watch is made. */
export class Watch {
  /** Whether there is anything to watch. */
  readonly active: boolean;
  readonly #limits: Limits;
  readonly #deadline: number;

  constructor(limits: Limits) {
    const { timeoutMs, signal } = limits;
    this.#limits = limits;
    this.active = timeoutMs !== undefined || signal !== undefined;
    this.#deadline = timeoutMs === undefined ? Infinity : performance.now() + timeoutMs;
  }

  /**
   * Runs work within what is left of the time (milliseconds, `undefined` for no limit), and stops waiting
   * for it when the signal says so.
   *
   * @throws QueryError `QUERY_TIMEOUT` once the time has passed, and what `driverError` makes of the work's
   * own errors; the signal's reason as it is
   */
  async guard<T>(run: (left: number | undefined) => Promise<T> | T): Promise<T> {
    const { signal, timeoutMs } = this.#limits;
    signal?.throwIfAborted();
    const left = timeoutMs === undefined ? undefined : this.#deadline - performance.now();
    const late = () => timeoutError(timeoutMs ?? 0);
    if (left !== undefined && left <= 0) throw late();
    let result: T;
    try {
      result = await abandonable(run(left), left, signal, late);
    } catch (error) {
      throw signal?.aborted ? error : driverError(error, timeoutMs);
    }
    if (left !== undefined && performance.now() > this.#deadline) throw late();
    return result;
  }
}

/** Settles as the work does, or fails as soon as the deadline passes or the signal says so. */
function abandonable<T>(
  work: Promise<T> | T,
  milliseconds: number | undefined,
  signal: AbortSignal | undefined,
  late: () => Error,
): Promise<T> | T {
  if (!(work instanceof Promise) || (milliseconds === undefined && !signal)) return work;
  return new Promise<T>((resolve, reject) => {
    const timer =
      milliseconds === undefined ? undefined : setTimeout(() => reject(late()), milliseconds + 50);
    const abort = () => reject(signal?.reason as Error);
    signal?.addEventListener('abort', abort, { once: true });
    void work.then(resolve, reject).finally(() => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    });
  });
}
