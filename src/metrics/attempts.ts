/** Notes the failed attempts of workers, for a recorder that runs beside them. */

import { reasonLength } from '../lib/index.ts';
import type { FailedAttempt } from '../board/contract/index.ts';

/**
 * A worker of BullMQ, or a queue of Bull that processes jobs, which tells of each failed attempt. The event is that of
 * the process: other processes have recorders of their own.
 */
export interface WatchedWorker {
  /** Name of the queue. */
  readonly name: string;
  /** Listens to failed attempts. */
  on(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
  /** Ends listening. */
  off(event: 'failed', listener: (job: unknown, error: Error) => void): unknown;
}

/** Attempts by queue until the next tick, bounded like those in the store. */
export class AttemptNotes {
  readonly #perQueue: number;
  readonly #notes = new Map<string, FailedAttempt[]>();
  readonly #watched = new Map<WatchedWorker, (job: unknown, error: Error) => void>();

  constructor(perQueue: number) {
    this.#perQueue = perQueue;
  }

  /** Notes the failures of a worker under the name of its queue on the board. */
  watch(worker: WatchedWorker, queue: string): void {
    if (this.#watched.has(worker)) return;
    const listener = (job: unknown, error: Error): void => {
      const notes = this.#notes.get(queue) ?? [];
      this.#notes.set(queue, notes);
      notes.push(attemptOf(job, error));
      if (notes.length > this.#perQueue) notes.shift();
    };
    this.#watched.set(worker, listener);
    worker.on('failed', listener);
  }

  /** The notes so far, which are then forgotten. */
  take(): ReadonlyMap<string, readonly FailedAttempt[]> {
    const taken = new Map(this.#notes);
    this.#notes.clear();
    return taken;
  }

  /** Puts notes back that could not be stored, before later ones. */
  putBack(taken: ReadonlyMap<string, readonly FailedAttempt[]>): void {
    for (const [queue, notes] of taken) {
      this.#notes.set(queue, [...notes, ...(this.#notes.get(queue) ?? [])].slice(-this.#perQueue));
    }
  }

  stop(): void {
    for (const [worker, listener] of this.#watched) worker.off('failed', listener);
    this.#watched.clear();
  }
}

/** A job of either library, read with care: a worker tells of a job that is gone without it. */
function attemptOf(job: unknown, error: Error): FailedAttempt {
  const read = (name: string): unknown =>
    typeof job === 'object' && job !== null ? Reflect.get(job, name) : undefined;
  const at = Number(read('finishedOn')) || Date.now();
  const started = Number(read('processedOn'));
  return {
    job: String(read('id') ?? ''),
    attempt: Number(read('attemptsMade')) || 1,
    at,
    ms: started > 0 ? Math.max(0, at - started) : null,
    reason: String(error?.message ?? error)
      .slice(0, reasonLength)
      .toWellFormed()
      .replaceAll('\0', ''),
  };
}
