/** A map whose entries expire by time and are never evicted, because other requests rely on them. */

/** Milliseconds between two scans for expired entries. */
const sweepEvery = 10_000;

/**
 * Only for entries that require a credential: the rate of such requests and the lifetime of the entries limit their
 * number.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  #sweptAt = Date.now();

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && Date.now() < entry.until ? entry.value : undefined;
  }

  /** Stores a value until a time in milliseconds since 1970. */
  set(key: string, value: Value, until: number): void {
    this.#sweep();
    this.#entries.set(key, { value, until });
  }

  delete(key: string): void {
    this.#entries.delete(key);
  }

  get size(): number {
    this.#sweep();
    return this.#entries.size;
  }

  #sweep(): void {
    const now = Date.now();
    if (now - this.#sweptAt < sweepEvery) return;
    this.#sweptAt = now;
    for (const [key, { until }] of this.#entries) if (until <= now) this.#entries.delete(key);
  }
}
