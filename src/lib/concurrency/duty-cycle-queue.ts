/** Keeps synchronous work from occupying the event loop: one task at a time, at a duty cycle of one half. */

import { sleep } from './sleep.ts';

/** Milliseconds below which work needs no pause. */
const negligible = 10;

/** Thrown instead of a task for which there is no room. */
export class QueueFullError extends Error {
  override readonly name = 'QueueFullError';
}

/** A queue of synchronous tasks. After each task it pauses for as long as the task took. */
export class DutyCycleQueue {
  readonly #most: number;
  #pending = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param most the most tasks that wait or run; a further one is refused */
  constructor(most: number) {
    this.#most = most;
  }

  /**
   * Runs the task after all earlier tasks and their pauses.
   *
   * @throws {QueueFullError} when there is no room for it
   */
  async run<Result>(work: () => Result): Promise<Awaited<Result>> {
    if (this.#pending >= this.#most) throw new QueueFullError();
    this.#pending += 1;
    let took = 0;
    const turn = this.#last.then(() => {
      const began = performance.now();
      try {
        return work();
      } finally {
        took = performance.now() - began;
      }
    });
    const rest = (): Promise<void> | undefined => (took > negligible ? sleep(took) : undefined);
    this.#last = turn.then(rest, rest);
    try {
      return await turn;
    } finally {
      this.#pending -= 1;
    }
  }
}
