/** A bounded cache whose entries end at a time of their own. */

/**
 * How many characters of a key it is filed under. Twelve random ones are 72 bits, and the longest text that V8
 * copies out of another instead of pointing into it.
 */
const label = 12;

/** Seals and signatures end in random characters. */
const ofEnd = (key: string): string => key.slice(-label);

/** Of several cookies in one header a sealed one is by far the longest, so the middle is random, whatever follows it. */
export const ofMiddle = (key: string): string => {
  const middle = key.length >> 1;
  return key.slice(middle, middle + label);
};

interface Entry<Value> {
  readonly key: string;
  readonly value: Value;
  readonly until: number;
}

/**
 * Two generations of at most `size` entries each: when the young one is full it becomes the old one, and the
 * old one is dropped. An entry that is asked for moves to the young one, so what is in use stays. Keys are long:
 * one is found by a part of it and then compared in whole, which is quicker than to hash all of it.
 */
export class ExpiringCache<Value> {
  readonly #size: number;
  readonly #labelOf: (key: string) => string;
  #young = new Map<string, Entry<Value>>();
  #old = new Map<string, Entry<Value>>();

  /** Of two keys that are filed under the same part, the later one stays. */
  constructor(size: number, labelOf = ofEnd) {
    this.#size = size;
    this.#labelOf = labelOf;
  }

  /** The value, unless its time has come. */
  get(key: string): Value | undefined {
    const part = this.#labelOf(key);
    let entry = this.#young.get(part);
    if (entry === undefined) {
      entry = this.#old.get(part);
      if (entry === undefined) return undefined;
      this.#keep(part, entry);
    }
    if (entry.key !== key) return undefined;
    if (Date.now() < entry.until) return entry.value;
    this.delete(key);
    return undefined;
  }

  /** Keeps a value until a time in milliseconds since 1970. */
  set(key: string, value: Value, until: number): void {
    this.#keep(this.#labelOf(key), { key, value, until });
  }

  delete(key: string): void {
    const part = this.#labelOf(key);
    this.#young.delete(part);
    this.#old.delete(part);
  }

  /** Entries held at present. */
  get size(): number {
    return new Set([...this.#young.keys(), ...this.#old.keys()]).size;
  }

  #keep(part: string, entry: Entry<Value>): void {
    if (this.#young.size >= this.#size) {
      this.#old = this.#young;
      this.#young = new Map();
    }
    this.#young.set(part, entry);
  }
}
