/** A map whose entries end by time and not by number: what other requests rely on is never pushed out. */

/** Milliseconds between two looks for entries that have ended. */
const sweepEvery = 10_000;

/**
 * Only for entries that nobody can add without a credential: their number is bounded by how often that happens in the
 * time that they are kept.
 */
export class ExpiringMap<Value> {
  readonly #entries = new Map<string, { readonly value: Value; readonly until: number }>();
  #sweptAt = Date.now();

  get(key: string): Value | undefined {
    const entry = this.#entries.get(key);
    return entry !== undefined && Date.now() < entry.until ? entry.value : undefined;
  }

  /** Keeps a value until a time in milliseconds since 1970. */
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
