/** Gives the event loop a turn when synchronous work in a loop has taken a while. */

/** Milliseconds of work after which others get a turn. */
const turnMs = 20;

export class Turns {
  #began = performance.now();

  /** Call between two pieces of work. */
  async pause(): Promise<void> {
    if (performance.now() - this.#began <= turnMs) return;
    await new Promise(setImmediate);
    this.#began = performance.now();
  }
}
