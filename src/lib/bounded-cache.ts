/** A cache with a limit that drops its least recently used entry, so that clients cannot make it grow. */

/** Caches values by key, up to `capacity` entries, or up to a total weight of `capacity`. */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Value>();
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;
  /** The most recently used key. Reading it again does not change the order, so the map is left as it is. */
  #newest: Key | undefined;

  /** `weigh` must return the same weight for the same value every time. Default: every value weighs 1. */
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

  /** Stores the value. A value heavier than the whole capacity is not stored, and evicts nothing. */
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
