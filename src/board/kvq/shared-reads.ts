/** Reads that several may share: while they are under way, and for a moment after they have arrived. */

interface Taken<Result> {
  readonly result: Promise<Result>;
  /** Ends the moment; there from when the result has arrived. */
  timer?: NodeJS.Timeout;
}

/** Results by key. Nothing outlives its moment, so nobody's data is held for longer than it is of use. */
export class SharedReads<Result> {
  readonly #keepFor: number;
  readonly #most: number;
  readonly #taken = new Map<string, Taken<Result>>();

  /** `keepFor` is the moment's length in milliseconds; `most` results are held at once. */
  constructor(keepFor: number, most: number) {
    this.#keepFor = keepFor;
    this.#most = most;
  }

  /** What the key stands for, read now unless it is at hand. What fails is not shared any further. */
  get(key: string, read: () => Promise<Result>): Promise<Result> {
    const known = this.#taken.get(key);
    if (known) return known.result;
    const taken: Taken<Result> = { result: read() };
    this.#taken.set(key, taken);
    const [oldest] = this.#taken.keys();
    if (this.#taken.size > this.#most && oldest !== undefined) this.#drop(oldest);
    taken.result.then(
      () => this.#arrived(key, taken),
      () => this.#dropOwn(key, taken),
    );
    return taken.result;
  }

  /** What was read before, or is being read, is not shared any more. */
  forget(): void {
    for (const key of this.#taken.keys()) this.#drop(key);
  }

  #arrived(key: string, taken: Taken<Result>): void {
    if (this.#keepFor === 0) {
      this.#dropOwn(key, taken);
    } else if (this.#taken.get(key) === taken) {
      taken.timer = setTimeout(() => this.#drop(key), this.#keepFor).unref();
    }
  }

  #dropOwn(key: string, taken: Taken<Result>): void {
    if (this.#taken.get(key) === taken) this.#drop(key);
  }

  #drop(key: string): void {
    clearTimeout(this.#taken.get(key)?.timer);
    this.#taken.delete(key);
  }
}
