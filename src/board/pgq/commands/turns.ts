/** Lets work that holds the process come one at a time, with as long a pause after each as it took. */

import { setTimeout as pause } from 'node:timers/promises';

/** Shorter work needs no pause, in milliseconds. */
const unnoticed = 10;

/** A queue of work that never takes more than half of the process. */
export class Turns {
  #before: Promise<unknown> = Promise.resolve();

  /** Runs the work when its turn has come. */
  run<Answer>(work: () => Answer): Promise<Answer> {
    let took = 0;
    const turn = this.#before.then(() => {
      const began = performance.now();
      try {
        return work();
      } finally {
        took = performance.now() - began;
      }
    });
    const rest = () => (took > unnoticed ? pause(took) : undefined);
    this.#before = turn.then(rest, rest);
    return turn;
  }
}
