/** A few places for reads on connections that belong to the host: what waits for one can still be taken back. */

import { lateRead, limited } from './time-limit.ts';

/** Lets so many pieces of work run at a time. */
export class Places {
  #free: number;
  readonly #waiting = new Set<() => void>();

  constructor(count: number) {
    this.#free = count;
  }

  /**
   * Runs the work in a place. It waits no longer than so many milliseconds for one, and is waited for no longer
   * than that; its place is taken until it has really ended.
   *
   * @throws QueryError `QUERY_TIMEOUT`; work that got no place was not begun
   */
  async run<Answer>(work: () => Promise<Answer>, milliseconds: number): Promise<Answer> {
    await this.#place(milliseconds);
    return limited(
      work().finally(() => this.#leave()),
      milliseconds,
    );
  }

  #place(milliseconds: number): Promise<void> {
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
        reject(lateRead(milliseconds));
      }, milliseconds);
      this.#waiting.add(enter);
    });
  }

  /** Gives the place to who has waited longest. */
  #leave(): void {
    const [next] = this.#waiting;
    if (next) next();
    else this.#free += 1;
  }
}
