/** Handlers that change whole queues. */

import type { QueuePause } from '../../contract/index.ts';
import { BoardError, idempotencyKeyOf, sentValue } from '../../core/index.ts';
import type { EngineHandlers, HookRequest } from '../../core/index.ts';
import { addJob } from './add-job.ts';
import { presentJob } from '../present/present-job.ts';
import { assertParent } from './flow-reach.ts';
import type { Scope } from './scope.ts';

/** PostgreSQL reads limits as 32-bit integers; a larger value would stop the queue. */
const maxLimit = 2_147_483_647;

interface SeveralQueues {
  readonly request: HookRequest;
  readonly body: { readonly queues?: readonly string[] | undefined };
}

/** Who pauses now, and why. */
async function noteOf(
  { options }: Scope,
  {
    request,
    body,
  }: { readonly request: HookRequest; readonly body: { reason?: string | undefined } },
): Promise<QueuePause> {
  // A queue is paused also where the session cannot be looked up.
  const by = await options.whoSent(request).catch(() => undefined);
  return {
    since: Date.now(),
    ...(by !== undefined && { by }),
    ...(body.reason && { reason: body.reason }),
  };
}

/**
 * Pauses (with a note) or resumes every queue that is visible and writable for the sender, or those of them that are named,
 * unless it is already in that state.
 */
async function setPaused(
  scope: Scope,
  { request, body }: SeveralQueues,
  note: QueuePause | undefined,
): Promise<void> {
  const paused = note !== undefined;
  scope.snapshots.forget();
  const named = body.queues && new Set(body.queues);
  const writable = (await scope.visible(request, 'queue.pause')).filter(
    ({ readOnly, name }) => !readOnly && (named?.has(name) ?? true),
  );
  if (writable.length === 0) return;
  const snapshot = await scope.snapshots.take();
  const failures: unknown[] = [];
  await Promise.all(
    writable.map(async (queue) => {
      const read = snapshot.get(queue);
      if (read && 'facts' in read && read.facts.isPaused === paused) return;
      const { driver } = queue;
      try {
        await scope.change(queue, () => (note ? driver.pause(note) : driver.resume()));
      } catch (error) {
        // Pause the other queues too before reporting this error.
        failures.push(error);
      }
    }),
  );
  if (failures.length > 0) throw failures[0];
}

export function queueWrites(scope: Scope) {
  return {
    async pauseQueues(context) {
      await setPaused(scope, context, await noteOf(scope, context));
      return {};
    },

    async resumeQueues(context) {
      await setPaused(scope, context, undefined);
      return {};
    },

    async pauseQueue(context) {
      const queue = await scope.writable(context);
      const note = await noteOf(scope, context);
      await scope.change(queue, () => queue.driver.pause(note));
      return {};
    },

    async resumeQueue(context) {
      const queue = await scope.writable(context);
      await scope.change(queue, () => queue.driver.resume());
      return {};
    },

    async addJob(context) {
      const queue = await scope.writable(context);
      const { name, options: opts } = context.body;
      const data = sentValue(context.body.data, context.query.raw, 'data');
      const key = idempotencyKeyOf(context.request);
      await assertParent(scope, queue, opts['parent'], context.request);
      const added = await scope.change(queue, () => addJob(queue, { name, data, opts }, key));
      const view = await scope.view(context.request);
      return {
        job: { ...presentJob(queue, added.job, view), state: added.state },
        status: added.state,
        ...(added.added !== undefined && { added: added.added }),
      };
    },

    async setGlobalConcurrency(context) {
      const queue = await scope.writable(context);
      const { concurrency } = context.body;
      if (concurrency > maxLimit)
        throw new BoardError('INVALID_CONCURRENCY', { code: 'INVALID_REQUEST' });
      await scope.change(queue, () => queue.driver.setGlobalConcurrency(concurrency));
      return {};
    },

    async setQueueRateLimit(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      if (!driver.capabilities.globalRateLimit) throw new BoardError('RATE_LIMIT_NOT_SUPPORTED');
      const { max, duration } = context.body;
      if (typeof max !== 'number' || typeof duration !== 'number') {
        await scope.change(queue, () => driver.setRateLimit(null));
        return {};
      }
      if (max > maxLimit || duration > maxLimit) {
        throw new BoardError('INVALID_RATE_LIMIT', { code: 'INVALID_REQUEST' });
      }
      await scope.change(queue, () => driver.setRateLimit({ max, duration }));
      return {};
    },

    async releaseQueueRateLimit(context) {
      const queue = await scope.writable(context);
      await scope.change(queue, () => queue.driver.releaseRateLimit());
      return {};
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
