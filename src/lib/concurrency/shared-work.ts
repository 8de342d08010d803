/** Coalesces equal reads: a read that is running, or has just ended, serves all callers. */

import { BoundedCache } from '../caches.ts';

interface Flight<Result> {
  readonly result: Promise<Result>;
  /** Ends the sharing; set once the result exists. */
  timer?: ReturnType<typeof setTimeout>;
}

/** Shared reads by key. A result is dropped after its time to live, whether it was used or not. */
export class SingleFlight<Result> {
  readonly #ttl: number;
  readonly #capacity: number;
  readonly #flights = new Map<string, Flight<Result>>();

  /** `ttl` is in milliseconds, 0 to share only running reads; `capacity` is the largest number of keys held at once. */
  constructor(ttl: number, capacity: number) {
    this.#ttl = ttl;
    this.#capacity = capacity;
  }

  /** The shared result of the key, or that of a new read. A failure is shared only while the read is running. */
  run(key: string, read: () => Promise<Result>): Promise<Result> {
    const current = this.#flights.get(key);
    if (current) return current.result;
    const flight: Flight<Result> = { result: read() };
    this.#flights.set(key, flight);
    const [oldest] = this.#flights.keys();
    if (this.#flights.size > this.#capacity && oldest !== undefined) this.#drop(oldest);
    flight.result.then(
      () => this.#keep(key, flight),
      () => this.#dropIfCurrent(key, flight),
    );
    return flight.result;
  }

  /** Stops sharing all results, including those of running reads. */
  clear(): void {
    for (const key of this.#flights.keys()) this.#drop(key);
  }

  #keep(key: string, flight: Flight<Result>): void {
    if (this.#ttl === 0) {
      this.#dropIfCurrent(key, flight);
    } else if (this.#flights.get(key) === flight) {
      const timer = setTimeout(() => this.#drop(key), this.#ttl);
      // On Node the timer must not keep the process alive; in browsers it is a number.
      if (typeof timer === 'object') timer.unref();
      flight.timer = timer;
    }
  }

  #dropIfCurrent(key: string, flight: Flight<Result>): void {
    if (this.#flights.get(key) === flight) this.#drop(key);
  }

  #drop(key: string): void {
    clearTimeout(this.#flights.get(key)?.timer);
    this.#flights.delete(key);
  }
}

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
