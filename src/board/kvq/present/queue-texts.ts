/** The JSON texts of queues in listings, kept while the facts of a queue are the same. */

import type { BoardQueue } from '../queue/board-queue.ts';
import type { FactsResult } from '../model/store.ts';
import { presentQueue } from './present-queue.ts';

interface Kept {
  readonly queue: BoardQueue;
  readonly jobsPerPage: number;
  readonly text: string;
}

export class QueueTexts {
  readonly #showWorkers: boolean;
  readonly #kept = new WeakMap<FactsResult, Kept>();

  constructor(showWorkers: boolean) {
    this.#showWorkers = showWorkers;
  }

  /** The text of a queue without jobs, for senders who may do the same in all queues. */
  of(queue: BoardQueue, result: FactsResult, jobsPerPage: number): string {
    const kept = this.#kept.get(result);
    if (kept?.queue === queue && kept.jobsPerPage === jobsPerPage) return kept.text;
    const shown = { jobs: [], status: undefined, page: 1, jobsPerPage };
    const text = JSON.stringify(
      presentQueue(queue, result, { ...shown, showWorkers: this.#showWorkers }),
    );
    this.#kept.set(result, { queue, jobsPerPage, text });
    return text;
  }
}
