/** A counting semaphore with a time limit for waiting and for the work. */

import { type TimeoutFactory, timeoutError, withTimeout } from './timeout.ts';

/** Lets a limited number of tasks run at a time; others wait in order of arrival. */
export class Semaphore {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(permits: number) {
    this.#free = permits;
  }

  /**
   * Runs the task with a permit. Waits at most `milliseconds` for the permit, and `taskMs` for the task: as long again
   * by default, without a limit for `null`.
   * A task that is late keeps its permit until it settles; a task without a permit is never started.
   *
   * @throws {Error} when the time is over: the error of `late`, a `TimeoutError` by default
   */
  async run<Result>(
    task: () => Promise<Result>,
    milliseconds: number,
    late: TimeoutFactory = timeoutError,
    taskMs: number | null = milliseconds,
  ): Promise<Result> {
    await this.#acquire(milliseconds, late);
    const work = (async () => task())().finally(() => this.#release());
    return taskMs === null ? work : withTimeout(work, taskMs, late);
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

  /** Passes the permit to the longest waiter. */
  #release(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
