/** Holds a run to its rate: how many jobs a part may change, and when the next part begins. */

import { setImmediate, setTimeout } from 'node:timers/promises';

/** Parts per second of a run with a rate. */
const partsPerSecond = 4;

export class Pace {
  /** The most jobs that a part may change. */
  readonly most: number;
  readonly #rate: number | null;
  #changed: number;
  /** When the part under way began, and when the next one may. */
  #began = performance.now();
  #next = 0;

  /** @param changed jobs that an earlier owner of the run has changed */
  constructor(rate: number | null, changed: number) {
    this.#rate = rate;
    this.#changed = changed;
    this.most = rate === null ? Infinity : Math.ceil(rate / partsPerSecond);
  }

  /** Tells how many jobs have been changed. */
  told(changed: number): void {
    const more = changed - this.#changed;
    if (this.#rate === null || more <= 0) return;
    this.#changed = changed;
    this.#next = Math.max(this.#next, this.#began) + (more / this.#rate) * 1_000;
  }

  /** Gives the rest of the process a turn, and waits until the next part may begin, or the run stops. */
  async turn(signal: AbortSignal): Promise<void> {
    await setImmediate();
    const wait = this.#next - performance.now();
    if (wait > 0) await setTimeout(wait, undefined, { signal }).catch(() => undefined);
    this.#began = performance.now();
  }
}
