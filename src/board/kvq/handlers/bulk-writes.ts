/** Changes all jobs of a state, in steps, until the client disconnects. */

import { KeyedMutex, withTimeout } from '../../../lib/index.ts';
import { setImmediate } from 'node:timers/promises';
import { BoardError } from '../../core/index.ts';
import type { EngineHandlers, HandlerContext } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { BulkCounts, BulkStep, CleanableStatus } from '../model/driver.ts';
import { bulkTimeoutMs } from './scope.ts';
import type { Scope } from './scope.ts';
import { snapshotTime } from './snapshot-time.ts';
import { timeouts } from '../timeouts.ts';

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

/**
 * The statuses that emptying a queue removes, in the order in which jobs pass through them; active jobs and parents of
 * active children stay.
 */
const emptied: readonly CleanableStatus[] = [
  'delayed',
  'prioritized',
  'paused',
  'waiting',
  'completed',
  'failed',
];

/** Runs steps until none is left or the client disconnects; returns the number of jobs by outcome. */
async function run(step: BulkStep, signal: AbortSignal): Promise<BulkCounts> {
  let [changed, skipped, spared] = [0, 0, 0];
  for (let more = true; more && !signal.aborted;) {
    const outcome = await withTimeout(step(), timeouts().stepMs);
    changed += outcome.changed;
    skipped += outcome.skipped;
    spared += outcome.spared;
    ({ more } = outcome);
    await setImmediate();
  }
  return { changed, skipped, spared };
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

  /** Removes the jobs of these statuses that existed at the time `until`. */
  const remove = async (
    { request, signal }: Pick<HandlerContext, 'request' | 'signal'>,
    queue: BoardQueue,
    statuses: readonly CleanableStatus[],
    until: number,
  ): Promise<{ removed: number; spared: number }> => {
    const { driver } = queue;
    const reach = await scope.reach(request, queue);
    // A library without a status has no such jobs, so cleaning must not remove jobs of another status.
    const present = statuses.filter((status) => driver.statuses.includes(status));
    let [removed, spared] = [0, 0];
    await change(queue, async () => {
      for (const status of present) {
        const counts = await run(driver.cleanStep(status, until, reach), signal);
        removed += counts.changed;
        spared += counts.spared;
      }
    });
    return { removed, spared };
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
      const step = queue.driver.retryStep(queueStatus, await snapshotTime(queue, [queueStatus]));
      const { changed, skipped } = await change(queue, () => run(step, context.signal));
      return { retried: changed, skipped };
    },

    async promoteJobs(context) {
      const queue = await scope.writable(context);
      const step = queue.driver.promoteStep(await snapshotTime(queue, ['delayed']));
      const { changed, skipped } = await change(queue, () => run(step, context.signal));
      return { promoted: changed, skipped };
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
      return remove(context, queue, [status], Date.now() - grace);
    },

    async emptyQueue(context) {
      const queue = await scope.writable(context);
      return remove(context, queue, emptied, await snapshotTime(queue, emptied));
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
