/** Changes all jobs of a state, in steps, until the client disconnects. */

import { KeyedMutex, withTimeout } from '../../../lib/index.ts';
import { setImmediate } from 'node:timers/promises';
import { BoardError } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { BulkStep, CleanableStatus } from '../model/driver.ts';
import type { Scope } from './scope.ts';
import { timeouts } from '../timeouts.ts';

/** Timeout of the whole change in milliseconds, longer than clients wait. */
const bulkTimeoutMs = 24 * 3_600_000;

/** Minimum age in milliseconds of the jobs that cleaning a status removes. */
const grace = 5_000;

/** Status names in paths, with the job status of each. */
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

/** The statuses that emptying a queue removes; active jobs and parents of active children stay. */
const emptied: readonly CleanableStatus[] = [
  'waiting',
  'prioritized',
  'paused',
  'delayed',
  'completed',
  'failed',
];

/** Runs steps until none is left or the client disconnects. */
async function run(step: BulkStep, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && (await withTimeout(step(), timeouts().stepMs))) await setImmediate();
}

export function bulkWrites(scope: Scope) {
  const mutex = new KeyedMutex();

  /** Runs one bulk operation at a time per queue; concurrent ones would count and move the same jobs twice. */
  const change = async <Result>(
    queue: BoardQueue,
    work: () => Promise<Result>,
  ): Promise<Result> => {
    // Report an unavailable datastore at once instead of after waiting for the mutex.
    await queue.driver.store.ready();
    return mutex.run(queue.name, () => scope.change(queue, work, bulkTimeoutMs));
  };

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
      return change(queue, work);
    },

    async promoteJobs(context) {
      const queue = await scope.writable(context);
      const work = (): Promise<void> => run(queue.driver.promoteStep(), context.signal);
      await change(queue, work);
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
      const { driver } = queue;
      const step = driver.cleanStep(status, Date.now() - grace);
      // A library without this status has no such jobs, so cleaning must not remove jobs of another status.
      if (driver.statuses.includes(status)) await change(queue, () => run(step, context.signal));
      return {};
    },

    async emptyQueue(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      // Otherwise producers that keep adding jobs would keep the queue from ever being empty.
      const until = Date.now();
      const work = async (): Promise<void> => {
        for (const status of emptied.filter((name) => driver.statuses.includes(name))) {
          await run(driver.cleanStep(status, until), context.signal);
        }
        if (!context.signal.aborted) await driver.drain();
      };
      await change(queue, work);
      return {};
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
