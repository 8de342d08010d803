/** Lets changes of the same thing come one after the other: a second one begins with what the first has left. */

export class Turns {
  readonly #last = new Map<string, Promise<unknown>>();

  /** Does the work when all earlier work of the same name is done, however that ended. */
  async run<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
    const turn = (this.#last.get(name) ?? Promise.resolve()).then(work);
    const settled = turn.catch(() => undefined);
    this.#last.set(name, settled);
    try {
      return await turn;
    } finally {
      if (this.#last.get(name) === settled) this.#last.delete(name);
    }
  }
}
