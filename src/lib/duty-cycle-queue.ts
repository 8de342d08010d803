/** Keeps synchronous work from occupying the event loop: one task at a time, at a duty cycle of one half. */

import { sleep } from './sleep.ts';

/** Milliseconds below which work needs no pause. */
const negligible = 10;

/** A queue of synchronous tasks. After each task it pauses for as long as the task took. */
export class DutyCycleQueue {
  #last: Promise<unknown> = Promise.resolve();

  /** Runs the task after all earlier tasks and their pauses. */
  run<Result>(work: () => Result): Promise<Result> {
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
    return turn;
  }
}
