/** How long the parts of a request took, for the host that asks for it. */

/** Milliseconds of the parts of a request. */
export interface QueryTimings {
  /** From the request to its first statement: checks, plan, text and values, with the hooks of the host. */
  readonly plan: number;
  /** While at least one statement was on its way to the database or back. */
  readonly database: number;
  /** The rest: from the rows of the driver to the result. */
  readonly present: number;
}

/** Told when a statement starts and ends. Statements of one request may overlap. */
export interface StatementTimer {
  /** Called when a statement is sent. */
  start(): void;
  /** Called when it is answered, refused or given up. */
  end(): void;
}

/** Options of a read that is measured. */
export interface Timed {
  readonly timer?: StatementTimer | undefined;
}

/** Measures one request, from its construction. Its plan ends where the first statement starts. */
export class RequestTimer implements StatementTimer {
  readonly #started = performance.now();
  #planned: number | undefined;
  #running = 0;
  #since = 0;
  #database = 0;

  start(): void {
    if (this.#running === 0) this.#since = performance.now();
    this.#planned ??= this.#since;
    this.#running += 1;
  }

  end(): void {
    this.#running -= 1;
    if (this.#running === 0) this.#database += performance.now() - this.#since;
  }

  get timings(): QueryTimings {
    const now = performance.now();
    const planned = this.#planned ?? now;
    const rest = now - planned;
    const database = Math.min(rest, this.#database);
    return { plan: planned - this.#started, database, present: rest - database };
  }
}
