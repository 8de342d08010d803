/** A bounded cache for long keys, with an expiry time per entry. */

/**
 * Number of characters of a key that are hashed. Twelve characters of base64 are 72 bits, and V8 copies a substring of
 * this length instead of keeping the whole string alive.
 */
export const labelLength = 12;

/** Milliseconds by which a clock may be corrected without effect. */
const tolerated = 1_000;

const endOf = (key: string): string => key.slice(-labelLength);

interface Entry<Value> {
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
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();
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

  #keep(label: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(label, entry);
  }
}
