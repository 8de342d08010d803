/** Changes of every job of a state: in steps, and only while somebody waits for the end. */

import { setImmediate } from 'node:timers/promises';
import { BoardError } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import type { BulkStep, CleanableStatus } from '../driver.ts';
import { within } from '../time-limit.ts';
import type { Scope } from './scope.ts';

/** Milliseconds one step may take. */
const patience = 60_000;

/** Milliseconds the whole may take; the client will have gone long before. */
const bulkPatience = 24 * 3_600_000;

/** Jobs younger than this stay when a status is cleaned; milliseconds. */
const grace = 5_000;

/** Names of the path, with the status each means. */
const cleanable: ReadonlyMap<string, CleanableStatus> = new Map([
  ['completed', 'completed'],
  ['failed', 'failed'],
  ['delayed', 'delayed'],
  ['active', 'active'],
  ['wait', 'waiting'],
  ['waiting', 'waiting'],
  ['prioritized', 'prioritized'],
  ['paused', 'paused'],
]);

/** What emptying a queue removes; active jobs stay, and parents stay with children that are active. */
const emptied: readonly CleanableStatus[] = [
  'waiting',
  'prioritized',
  'paused',
  'delayed',
  'completed',
  'failed',
];

/** Steps until there is no more to do, or the client has gone. */
async function run(step: BulkStep, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await within(patience, step()))) await setImmediate();
}

export function bulkWrites(scope: Scope) {
  return {
    async retryJobs(context) {
      const queue = await scope.writable(context);
      const { queueStatus } = context.params;
      if (!queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      if (queueStatus !== 'failed' && queueStatus !== 'completed') {
        throw new BoardError('STATUS_NOT_RETRIABLE', { options: { status: queueStatus } });
      }
      if (queueStatus === 'completed' && !queue.allowCompletedRetries) {
        throw new BoardError('COMPLETED_RETRIES_DISABLED');
      }
      const { driver } = queue;
      const before = Date.now();
      const work = async (): Promise<{ retried: number; skipped: number }> => {
        const counted = await driver.store.countFinished(queueStatus, before);
        await run(driver.retryStep(queueStatus, before), context.signal);
        const left = await driver.store.countFinished(queueStatus, before);
        const retried = Math.max(0, counted - left);
        return { retried, skipped: counted - retried };
      };
      return scope.change(queue, work, bulkPatience);
    },

    async promoteJobs(context) {
      const queue = await scope.writable(context);
      const work = (): Promise<void> => run(queue.driver.promoteStep(), context.signal);
      await scope.change(queue, work, bulkPatience);
      return {};
    },

    async cleanJobs(context) {
      const queue = await scope.writable(context);
      const status = cleanable.get(context.params.queueStatus);
      if (!status) {
        throw new BoardError('INVALID_QUERY_PARAM', {
          code: 'INVALID_REQUEST',
          options: { field: 'queueStatus' },
        });
      }
      const work = (): Promise<void> => run(queue.driver.cleanStep(status, grace), context.signal);
      await scope.change(queue, work, bulkPatience);
      return {};
    },

    async emptyQueue(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      const work = async (): Promise<void> => {
        for (const status of emptied) await run(driver.cleanStep(status, 0), context.signal);
        if (!context.signal.aborted) await driver.drain();
      };
      await scope.change(queue, work, bulkPatience);
      return {};
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
