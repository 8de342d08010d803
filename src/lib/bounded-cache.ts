/** A small cache that forgets its least recently used entry, so that no client can make it grow. */

/** Values by key, no more than `capacity` of them, or of what they weigh. */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;
  /** The entry asked for last is the likeliest to be asked for next; it needs no reordering. */
  #newest: Key | undefined;

  /** `weigh` is asked more than once and answers alike. Default: every value weighs 1. */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    const value = this.#entries.get(key);
    if (value !== undefined && key !== this.#newest) {
      this.#entries.delete(key);
      this.#entries.set(key, value);
      this.#newest = key;
    }
    return value;
  }

  /** Keeps the value; one that weighs more than all the room there is is not kept, and pushes nothing out. */
  set(key: Key, value: Value): void {
    this.#drop(key);
    const weight = this.#weigh(value);
    if (weight > this.#capacity) return;
    this.#entries.set(key, value);
    this.#weight += weight;
    this.#newest = key;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.#drop(oldest);
    }
  }

  get size(): number {
    return this.#entries.size;
  }

  #drop(key: Key): void {
    const value = this.#entries.get(key);
    if (value === undefined) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(value);
  }
}
