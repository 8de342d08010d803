/** A bounded cache whose entries end at a time of their own. */

interface Entry<Value> {
  readonly value: Value;
  readonly until: number;
}

/**
 * Two generations of at most `size` entries each: when the young one is full it becomes the old one, and the
 * old one is dropped. An entry that is asked for moves to the young one, so what is in use stays.
 */
export class ExpiringCache<Value> {
  readonly #size: number;
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();

  constructor(size: number) {
    this.#size = size;
  }

  /** The value, unless its time has come. */
  get(key: string): Value | undefined {
    let entry = this.#young.get(key);
    if (entry === undefined) {
      entry = this.#old.get(key);
      if (entry === undefined) return undefined;
      this.#keep(key, entry);
    }
    if (Date.now() < entry.until) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** Keeps a value until a time in milliseconds since 1970. */
  set(key: string, value: Value, until: number): void {
    this.#keep(key, { value, until });
  }

  delete(key: string): void {
    this.#young.delete(key);
    this.#old.delete(key);
  }

  /** Entries held at present. */
  get size(): number {
    return new Set([...this.#young.keys(), ...this.#old.keys()]).size;
  }

  #keep(key: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(key, entry);
  }
}
