/** Visibility of queues: calls the guard of the host once per request and queue. */

import { BoardError } from './board-error.ts';
import type { HookRequest } from './request/request.ts';

/** Tells whether the sender of a request may see a queue. */
export type VisibilityGuard = (
  request: HookRequest,
  queueName: string,
) => boolean | Promise<boolean>;

/**
 * Visibility of the queues of a board. The guard is called at most once per request and queue; without a guard, every
 * queue is visible. Only a truthy answer shows a queue, and a guard that throws fails the request, so that no queue is
 * shown by accident.
 */
export class QueueVisibility {
  readonly #guard: VisibilityGuard | undefined;
  readonly #answers = new WeakMap<HookRequest, Map<string, Promise<boolean>>>();

  constructor(guard: VisibilityGuard | undefined) {
    this.#guard = guard;
  }

  /** Whether the sender may see the queue of that name, if it exists. */
  async allows(request: HookRequest, name: string): Promise<boolean> {
    const guard = this.#guard;
    if (!guard) return true;
    let answers = this.#answers.get(request);
    if (!answers) this.#answers.set(request, (answers = new Map()));
    let answer = answers.get(name);
    if (!answer) {
      answer = Promise.resolve(guard(request, name)).then(Boolean);
      answers.set(name, answer);
    }
    return answer;
  }

  /** The names of the queues that the sender may see. */
  async visibleAmong(request: HookRequest, names: Iterable<string>): Promise<ReadonlySet<string>> {
    const distinct = [...new Set(names)];
    const answers = await Promise.all(distinct.map((name) => this.allows(request, name)));
    return new Set(distinct.filter((_name, index) => answers[index]));
  }

  /**
   * Requires a queue that exists and is visible. The guard is not called for missing queues.
   *
   * @throws {BoardError} QUEUE_NOT_FOUND when the queue is missing or hidden
   */
  async require(request: HookRequest, name: string, exists: boolean): Promise<void> {
    if (!exists || !(await this.allows(request, name))) throw new BoardError('QUEUE_NOT_FOUND');
  }
}
