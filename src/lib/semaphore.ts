/** A counting semaphore with a time limit on waiting and on the work. */

import { type TimeoutFactory, timeoutError, withTimeout } from './timeout.ts';

/** Lets at most so many pieces of work run at a time; others wait in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Runs the work with a permit. Waits at most so many milliseconds for the permit, and as long again for the work.
   * Work that is late keeps its permit until it settles; work that got no permit is never begun.
   *
   * @throws {Error} when the time is over: the error of `late`, a `TimeoutError` by default
   */
  async run<Result>(
    work: () => Promise<Result>,
    milliseconds: number,
    late: TimeoutFactory = timeoutError,
  ): Promise<Result> {
    await this.#acquire(milliseconds, late);
    return withTimeout(
      work().finally(() => this.#release()),
      milliseconds,
      late,
    );
  }

  #acquire(milliseconds: number, late: TimeoutFactory): Promise<void> {
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const enter = (): void => {
        clearTimeout(timer);
        this.#waiting.delete(enter);
        resolve();
      };
      const timer = setTimeout(() => {
        this.#waiting.delete(enter);
        reject(late(milliseconds));
      }, milliseconds);
      this.#waiting.add(enter);
    });
  }

  /** Hands the permit to the longest waiter. */
  #release(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
