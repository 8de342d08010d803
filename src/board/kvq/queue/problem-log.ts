/** Logs why a part of a queue cannot be read: each new reason once, however often clients poll. */

import { HostFunctions } from '../../core/index.ts';
import type { BoardQueue } from './board-queue.ts';

/** The parts of a queue that are read separately. */
type QueuePart =
  | 'activity'
  | 'counts'
  | 'failures'
  | 'jobs'
  | 'next runs'
  | 'running'
  | 'schedulers'
  | 'search'
  | 'workers'
  | `formatted ${string}`;

/** Receives the warnings; `console` is one. */
interface WarningSink {
  warn(message: string, details?: unknown): void;
}

export class ProblemLog {
  readonly #sink: WarningSink;
  readonly #logged = new WeakMap<BoardQueue, Map<QueuePart, string>>();

  constructor(sink: WarningSink) {
    this.#sink = sink;
  }

  /** Runs functions of the host on a job of the queue: only the first failure of a field is logged. */
  hostFunctions(queue: BoardQueue): HostFunctions {
    return new HostFunctions((field, thrown) => {
      const part: QueuePart = `formatted ${field}`;
      if (!this.#logged.get(queue)?.has(part)) this.note(queue, part, asError(thrown));
    });
  }

  /** Records the result of reading a part; `null` for success. */
  note(queue: BoardQueue, part: QueuePart, error: Error | null): void {
    const logged = this.#logged.get(queue) ?? new Map<QueuePart, string>();
    this.#logged.set(queue, logged);
    const reason = error?.message;
    if (logged.get(part) === reason) return;
    if (reason === undefined) {
      logged.delete(part);
      return;
    }
    logged.set(part, reason);
    this.#sink.warn(`Board: the ${part} of queue "${queue.name}" cannot be read`, error);
  }
}

/** Converts a thrown value to an error. */
export function asError(thrown: unknown): Error {
  return thrown instanceof Error ? thrown : new Error(String(thrown));
}
