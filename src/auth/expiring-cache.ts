/** A bounded cache whose entries end at a time of their own. */

/**
 * How many characters of the end of a key it is filed under. Seals and signatures end in random ones: twelve are
 * 72 bits, and the longest text that V8 copies out of another instead of pointing into it.
 */
const tail = 12;

interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly until: number;
}

/**
 * Two generations of at most `size` entries each: when the young one is full it becomes the old one, and the
 * old one is dropped. An entry that is asked for moves to the young one, so what is in use stays. Keys are long:
 * one is found by its end and then compared in whole, which is quicker than to hash all of it.
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
    const end = key.slice(-tail);
    let entry = this.#young.get(end);
    if (entry === undefined) {
      entry = this.#old.get(end);
      if (entry === undefined) return undefined;
      this.#keep(end, entry);
    }
    if (entry.key !== key) return undefined;
    if (Date.now() < entry.until) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** Keeps a value until a time in milliseconds since 1970. */
  set(key: string, value: Value, until: number): void {
    this.#keep(key.slice(-tail), { key, value, until });
  }

  delete(key: string): void {
    this.#young.delete(key.slice(-tail));
    this.#old.delete(key.slice(-tail));
  }

  /** Entries held at present. */
  get size(): number {
    return new Set([...this.#young.keys(), ...this.#old.keys()]).size;
  }

  #keep(end: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(end, entry);
  }
}
