/** A cache with a limit that drops entries which were not used for long, so that clients cannot make it grow. */

interface Entry<Value> {
  readonly value: Value;
  /** The number of entries that were put at the end of the order before this one. */
  since: number;
}

/**
 * Caches values by key, up to `capacity` entries, or up to a total weight of `capacity`. An entry that is read goes to the
 * end of the order unless it is in the newer half of it: changes of the order cost several times as much as the reading.
 */
export class BoundedCache<Key, Value> {
  readonly #entries = new Map<Key, Entry<Value>>();
  readonly #capacity: number;
  readonly #weigh: (value: Value) => number;
  #weight = 0;
  /** How many entries were put at the end of the order. */
  #moves = 0;

  /** `weigh` must return the same weight for the same value every time. Default: every value weighs 1. */
  constructor(capacity: number, weigh: (value: Value) => number = () => 1) {
    this.#capacity = capacity;
    this.#weigh = weigh;
  }

  get(key: Key): Value | undefined {
    const entry = this.#entries.get(key);
    if (entry && 2 * (this.#moves - entry.since - 1) >= this.#entries.size) {
      this.#entries.delete(key);
      this.#append(key, entry.value);
    }
    return entry?.value;
  }

  /**
   * Stores the value, and returns the keys that leave for it. A value heavier than the whole capacity is not stored, and
   * evicts nothing.
   */
  set(key: Key, value: Value): Key[] {
    const left: Key[] = [];
    this.#drop(key);
    const weight = this.#weigh(value);
    if (weight > this.#capacity) return left;
    this.#append(key, value);
    this.#weight += weight;
    for (const oldest of this.#entries.keys()) {
      if (this.#weight <= this.#capacity) break;
      this.#drop(oldest);
      left.push(oldest);
    }
    return left;
  }

  get size(): number {
    return this.#entries.size;
  }

  #append(key: Key, value: Value): void {
    this.#entries.set(key, { value, since: this.#moves });
    this.#moves += 1;
  }

  #drop(key: Key): void {
    const entry = this.#entries.get(key);
    if (!entry) return;
    this.#entries.delete(key);
    this.#weight -= this.#weigh(entry.value);
  }
}
