/** Work that is done once per key: running work serves all who ask for it, and its result those who come later. */

import { BoundedCache } from '../bounded-cache.ts';

/** Results by key, kept up to a total weight. A failure is shared only while the work is running. */
export class SharedWork<Result> {
  readonly #kept: BoundedCache<string, Result>;
  readonly #running = new Map<string, Promise<Result>>();

  /** `capacity` and `weigh` are those of the cache of results. */
  constructor(capacity: number, weigh: (result: Result) => number) {
    this.#kept = new BoundedCache(capacity, weigh);
  }

  /** The result of the key: kept, under way, or of new work. */
  run(key: string, work: () => Promise<Result>): Promise<Result> {
    const ready = this.#kept.get(key);
    if (ready !== undefined) return Promise.resolve(ready);
    const known = this.#running.get(key);
    if (known) return known;
    const running = work()
      .then((result) => {
        this.#kept.set(key, result);
        return result;
      })
      .finally(() => this.#running.delete(key));
    this.#running.set(key, running);
    return running;
  }
}
