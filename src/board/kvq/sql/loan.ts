/**
 * The loan of a board from a pool that belongs to the library or the host: a part of its connections, so that the host
 * adds and finishes jobs while the board reads, and nothing while the server does not answer.
 */

import { CircuitOpenError, Semaphore, TimeoutError } from '../../../lib/index.ts';
import { UnreachableError } from '../errors/unavailable.ts';
import { timeouts } from '../timeouts.ts';
import type { SqlPool } from './pool.ts';

/** The number of connections of a pool that does not tell it; the default of `pg`. */
const usualSize = 10;

/** The most connections for reads and for changes; of a small pool a third and a fifth. */
const [mostReads, mostChanges] = [3, 2];

/** Milliseconds after which a question to the server counts as lost with its connection, and is asked again. */
const lostAfter = 30_000;

/** The most questions that may wait for an answer. */
const maxQuestions = 3;

/** The loans of all boards of the process from one pool. */
export class Loan {
  readonly #pool: SqlPool;
  readonly #reads: Semaphore;
  readonly #searches: Semaphore;
  readonly #changes: Semaphore;
  #questions = 0;
  /** When the server was asked whether it answers; undefined while it does. */
  #askedAt: number | undefined;

  constructor(pool: SqlPool) {
    const size = Number(pool.options?.max ?? usualSize);
    const reads = Math.min(mostReads, Math.ceil(size / 3));
    this.#pool = pool;
    this.#reads = new Semaphore(reads);
    // Searches leave a connection to short reads.
    this.#searches = new Semaphore(Math.max(1, reads - 1));
    this.#changes = new Semaphore(Math.min(mostChanges, Math.ceil(size / 5)));
  }

  /**
   * Reads within the time limit, after waiting at most as long for a connection.
   *
   * @throws {CircuitOpenError} at once, while the server does not answer
   */
  async read<Result>(work: () => Promise<Result>, milliseconds: number): Promise<Result> {
    this.#requireAnswers();
    try {
      return await this.#reads.run(work, milliseconds);
    } catch (error) {
      if (error instanceof TimeoutError) this.#ask();
      throw error;
    }
  }

  /** Reads as {@link read}; a search may take long, so fewer run at a time. */
  search<Result>(work: () => Promise<Result>, milliseconds: number): Promise<Result> {
    const wait = timeouts().statementMs;
    return this.#searches.run(() => this.read(work, milliseconds), wait, undefined, null);
  }

  /** Changes jobs, once a connection is free. How long the change takes is for the caller to limit. */
  async change<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#requireAnswers();
    // Shorter than the limit of the caller, so that no change starts after its answer.
    const wait = Math.ceil(timeouts().changeMs / 2);
    const busy = (): Error => new UnreachableError('The connections of the board are in use.');
    return this.#changes.run(work, wait, busy, null);
  }

  #requireAnswers(): void {
    if (this.#askedAt === undefined) return;
    if (performance.now() - this.#askedAt > lostAfter) this.#ask();
    throw new CircuitOpenError();
  }

  /** Asks the server once, not with every request; an error is an answer too. */
  #ask(): void {
    const isAsking = this.#askedAt !== undefined && performance.now() - this.#askedAt <= lostAfter;
    if (isAsking || this.#questions >= maxQuestions) return;
    this.#askedAt = performance.now();
    this.#questions += 1;
    const answered = (): void => {
      this.#questions -= 1;
      this.#askedAt = undefined;
    };
    this.#pool.query('select 1').then(answered, answered);
  }
}

const loans = new WeakMap<SqlPool, Loan>();

export function loanOf(pool: SqlPool): Loan {
  let loan = loans.get(pool);
  if (!loan) loans.set(pool, (loan = new Loan(pool)));
  return loan;
}
