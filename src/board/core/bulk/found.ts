/** The findings of a run that only counts, beside the number of its jobs: how many errors they have, and since when. */

import type { BulkRun } from '../../contract/index.ts';
import { errorDigest } from '../inbox/fingerprint.ts';

/** The most errors that are told apart. */
const mostErrors = 1_000;

interface Stored {
  /** Digests of the errors; null where the sender may not see them. */
  readonly errors: readonly string[] | null;
  readonly oldest: number | null;
}

const nothing: Stored = { errors: [], oldest: null };

const parsed = (text: string | undefined): Stored =>
  text === undefined ? nothing : (JSON.parse(text) as Stored);

/** The jobs that have been met so far. */
export class FoundJobs {
  #errors: Set<string> | null;
  #oldest: number | null;

  /** @param text that of an earlier owner of the run */
  constructor(text?: string) {
    const { errors, oldest } = parsed(text);
    this.#errors = errors && new Set(errors);
    this.#oldest = oldest;
  }

  /**
   * @param reason why the job failed, as the sender sees it; empty for none, null where the sender may not see it
   * @param at when the job came into its state, in epoch milliseconds
   */
  add(reason: string | null, at: number): void {
    this.#oldest = Math.min(this.#oldest ?? at, at);
    if (reason === null) this.#errors = null;
    if (!reason || !this.#errors || this.#errors.size >= mostErrors) return;
    this.#errors.add(errorDigest(reason));
  }

  /** The text to keep with the run. */
  get text(): string {
    return JSON.stringify({ errors: this.#errors && [...this.#errors], oldest: this.#oldest });
  }
}

/** The numbers to tell. */
export function foundOf(text: string): NonNullable<BulkRun['found']> {
  const { errors, oldest } = parsed(text);
  return { errors: errors && errors.length, oldest };
}
