/** Who may see a queue: the host's guard, asked once per request and queue. */

import type { HookRequest } from './request.ts';

/** Says whether the sender of a request may see a queue. */
export type VisibilityGuard = (
  request: HookRequest,
  queueName: string,
) => boolean | Promise<boolean>;

/**
 * A guard that asks the host's own at most once per request and queue. Without one, every queue is visible.
 * A guard that throws fails the request: a queue is never shown by accident.
 */
export function visibility(guard: VisibilityGuard | undefined): VisibilityGuard {
  if (!guard) return () => true;
  const asked = new WeakMap<HookRequest, Map<string, Promise<boolean>>>();
  return (request, queueName) => {
    let answers = asked.get(request);
    if (!answers) asked.set(request, (answers = new Map()));
    let answer = answers.get(queueName);
    if (!answer) {
      answer = Promise.resolve(guard(request, queueName)).then(Boolean);
      answers.set(queueName, answer);
    }
    return answer;
  };
}
