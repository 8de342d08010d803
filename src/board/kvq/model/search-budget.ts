/** The remaining budget of a search: examined jobs, bytes in the response, and time. */

import { heavyRead } from '../../core/index.ts';

/** Redis jobs examined per request, or an equal amount of work. */
const maxWork = 5_000;

/** Bytes of jobs per response; the job that exceeds the limit is the last one. */
const maxBytes = 16_000_000;

/** Milliseconds after which a search returns its results so far. */
const maxDuration = 2_000;

export class SearchBudget {
  readonly #until = performance.now() + maxDuration;
  readonly #signal: AbortSignal | undefined;
  #work = 0;
  #examined = 0;
  /** Bytes of the found jobs. */
  bytes = 0;

  /** `signal` is aborted when the client disconnects. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Number of jobs examined. */
  get examined(): number {
    return this.#examined;
  }

  /** Number of jobs that may still be examined. */
  get jobsLeft(): number {
    return Math.max(0, maxWork - this.#work);
  }

  /** Bytes that the response may still hold. */
  get bytesLeft(): number {
    return Math.max(0, maxBytes - this.bytes);
  }

  /** Whether the search must stop at its current position. */
  get isSpent(): boolean {
    const waited = heavyRead()?.waited ?? 0;
    const late = this.#signal?.aborted === true || performance.now() - waited > this.#until;
    return late || this.jobsLeft === 0 || this.bytesLeft === 0;
  }

  /** Counts examined jobs; `work` is their cost in Redis jobs. */
  spend(jobs: number, work: number = jobs): void {
    this.#examined += jobs;
    this.#work += work;
  }
}
