/** A mutex per key. */

/** Runs tasks with the same key one after the other, in order of arrival. */
export class KeyedMutex {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Runs the task once all earlier tasks with the key have settled, whether they succeeded or failed. */
  async run<Result>(key: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(key) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#last.set(key, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(key) === settled) this.#last.delete(key);
    }
  }
}
