/** How much one search may still look at: jobs, bytes of what it shows, and time. */

/** Jobs of Redis one request looks at, or work that is worth as much. */
const maxWork = 5_000;

/** Bytes of jobs that one answer shows; the job that goes beyond is the last one. */
const maxBytes = 16_000_000;

/** Milliseconds after which a search gives what it has. */
const maxDuration = 2_000;

export class SearchBudget {
  readonly #until = performance.now() + maxDuration;
  readonly #signal: AbortSignal | undefined;
  #work = 0;
  #examined = 0;
  /** Bytes of the jobs that were found. */
  bytes = 0;

  /** `signal` is aborted when the client has gone. */
  constructor(signal?: AbortSignal) {
    this.#signal = signal;
  }

  /** Jobs that were looked at. */
  get examined(): number {
    return this.#examined;
  }

  /** Jobs it may still look at. */
  get jobsLeft(): number {
    return Math.max(0, maxWork - this.#work);
  }

  /** Bytes it may still show. */
  get bytesLeft(): number {
    return Math.max(0, maxBytes - this.bytes);
  }

  /** Whether it is to stop where it is. */
  get isSpent(): boolean {
    const late = this.#signal?.aborted === true || performance.now() > this.#until;
    return late || this.jobsLeft === 0 || this.bytesLeft === 0;
  }

  /** Jobs have been looked at; `work` says how many of Redis that was worth. */
  spend(jobs: number, work: number = jobs): void {
    this.#examined += jobs;
    this.#work += work;
  }
}
