/** Visibility of queues: calls the guard of the host once per request and queue. */

import type { BoardAction } from '../../contract/index.ts';
import { BoardError } from '../board-error.ts';
import type { BoardPermissions } from './permissions.ts';
import type { HookRequest } from '../request/request.ts';

/** Tells whether the sender of a request may see a queue. */
export type VisibilityGuard = (
  request: HookRequest,
  queueName: string,
) => boolean | Promise<boolean>;

/**
 * Visibility of the queues of a board. The guard is called at most once per request and queue; without a guard, every
 * queue is visible. Only a truthy answer shows a queue, and a guard that throws fails the request, so that no queue is
 * shown by accident. A queue that the sender may not read is hidden too.
 */
export class QueueVisibility {
  readonly #guard: VisibilityGuard | undefined;
  readonly #permissions: BoardPermissions;
  readonly #answers = new WeakMap<HookRequest, Map<string, Promise<boolean>>>();

  constructor(guard: VisibilityGuard | undefined, permissions: BoardPermissions) {
    this.#guard = guard;
    this.#permissions = permissions;
  }

  /** Whether the sender may see the queue of that name, if it exists, and do the action. */
  async allows(request: HookRequest, name: string, action?: BoardAction): Promise<boolean> {
    return (await this.visibleAmong(request, [name], action)).has(name);
  }

  /** The names of the queues that the sender may see, and in which they may do the action. */
  async visibleAmong(
    request: HookRequest,
    names: Iterable<string>,
    action: BoardAction = 'queue.read',
  ): Promise<ReadonlySet<string>> {
    const grants = await this.#permissions.of(request);
    const granted = [...new Set(names)].filter(
      (name) => grants.allows('queue.read', name) && grants.allows(action, name),
    );
    const guard = this.#guard;
    if (!guard) return new Set(granted);
    const shown = await Promise.all(granted.map((name) => this.#ask(guard, request, name)));
    return new Set(granted.filter((_name, index) => shown[index]));
  }

  /** The answer of the guard, which is asked once per request and queue. */
  async #ask(guard: VisibilityGuard, request: HookRequest, name: string): Promise<boolean> {
    let answers = this.#answers.get(request);
    if (!answers) this.#answers.set(request, (answers = new Map()));
    let answer = answers.get(name);
    if (!answer) {
      answer = Promise.resolve(guard(request, name)).then(Boolean);
      answers.set(name, answer);
    }
    return answer;
  }

  /**
   * Requires a queue that exists and is visible. The guard is called for missing queues too, so that the response time
   * does not distinguish them from hidden ones.
   *
   * @throws {BoardError} QUEUE_NOT_FOUND when the queue is missing or hidden
   */
  async require(request: HookRequest, name: string, exists: boolean): Promise<void> {
    if (!(await this.allows(request, name)) || !exists) throw new BoardError('QUEUE_NOT_FOUND');
  }
}
