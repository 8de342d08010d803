/**
 * Caches: one with a limit that drops entries which were not used for long, so that clients cannot make it grow; one for
 * long keys, with an expiry time per entry; and the results of a function by its arguments.
 */

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
    // Until the cache is half full, the other half of it comes before any entry leaves.
    const isHalfFull = 2 * this.#weight >= this.#capacity;
    if (entry && isHalfFull && 2 * (this.#moves - entry.since - 1) >= this.#entries.size) {
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

interface Kept<Made> {
  readonly byObject: WeakMap<object, Kept<Made>>;
  readonly byValue: Map<unknown, Kept<Made>>;
  made?: { readonly value: Made };
}

/** The part of both maps that is used. */
interface Store<Value> {
  get(key: unknown): Value | undefined;
  set(key: unknown, value: Value): unknown;
}

const nothing = <Made>(): Kept<Made> => ({ byObject: new WeakMap(), byValue: new Map() });

/**
 * A function that calls `make` once for each list of arguments, and returns its result again afterwards. It keeps no
 * object alive that is an argument. If `make` throws, it is called again.
 */
export function oncePer<Given extends readonly unknown[], Made>(
  make: (...given: Given) => Made,
): (...given: Given) => Made {
  const root = nothing<Made>();
  return (...given) => {
    let kept = root;
    for (const key of given) {
      const isHeldWeakly = (typeof key === 'object' && key !== null) || typeof key === 'function';
      const store: Store<Kept<Made>> = isHeldWeakly ? kept.byObject : kept.byValue;
      let next = store.get(key);
      if (!next) store.set(key, (next = nothing()));
      kept = next;
    }
    kept.made ??= { value: make(...given) };
    return kept.made.value;
  };
}

/**
 * Number of characters of a key that are hashed. Twelve characters of base64 are 72 bits, and V8 copies a substring of
 * this length instead of keeping the whole string alive.
 */
export const labelLength = 12;

/** Milliseconds by which a clock may be corrected without effect. */
const tolerated = 1_000;

const endOf = (key: string): string => key.slice(-labelLength);

interface ExpiringEntry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly until: number;
}

/**
 * Two generations of at most `size` entries each: when the young one is full it becomes the old one, and the old one is
 * dropped. Reading an entry moves it to the young one, so entries in use stay. A key is found by its label, a short
 * part of it, and then compared in full, which is faster than hashing a long key.
 */
export class ExpiringCache<Value> {
  readonly #size: number;
  readonly #labelOf: (key: string) => string;
  #young = new Map<string, ExpiringEntry<Value>>();
  #old = new Map<string, ExpiringEntry<Value>>();
  #seenAt = Number.NEGATIVE_INFINITY;

  /**
   * `labelOf` returns a random part of a key, by default its end. Of two keys with the same label, only the later is
   * kept.
   */
  constructor(size: number, labelOf = endOf) {
    this.#size = size;
    this.#labelOf = labelOf;
  }

  /** The value, unless it has expired. */
  get(key: string): Value | undefined {
    const now = this.#now();
    const label = this.#labelOf(key);
    let entry = this.#young.get(label);
    if (entry === undefined) {
      entry = this.#old.get(label);
      if (entry === undefined) return undefined;
      this.#keep(label, entry);
    }
    if (entry.key !== key) return undefined;
    if (now < entry.until) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** Stores a value until a time in milliseconds since 1970. */
  set(key: string, value: Value, until: number): void {
    this.#now();
    this.#keep(this.#labelOf(key), { key, value, until });
  }

  delete(key: string): void {
    const label = this.#labelOf(key);
    this.#young.delete(label);
    this.#old.delete(label);
  }

  /** Number of entries, expired ones included. */
  get size(): number {
    return new Set([...this.#young.keys(), ...this.#old.keys()]).size;
  }

  /** The current time. When the clock was set back, entries would be kept for too long: they are dropped. */
  #now(): number {
    const now = Date.now();
    if (now < this.#seenAt - tolerated) {
      this.#young.clear();
      this.#old.clear();
    }
    this.#seenAt = now;
    return now;
  }

  #keep(label: string, entry: ExpiringEntry<Value>): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(label, entry);
  }
}
