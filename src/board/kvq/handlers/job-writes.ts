/** Handlers that change single jobs. */

import { BoardError } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { invalidBody } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobRecord } from '../model/job-record.ts';
import { isRefusedValue } from '../errors/refused-value.ts';
import type { LocatedJob } from '../model/store.ts';
import { assertBelowWritable } from './flow-reach.ts';
import type { Scope } from './scope.ts';
import { unlessRefused } from './scope.ts';

/** The latest valid date. */
const lastMoment = 8.64e15;

/** Parameters of a job's routes. */
interface JobParams {
  readonly queueName: string;
  readonly jobId: string;
}

const notDelayed = (status: string): BoardError =>
  new BoardError('JOB_NOT_DELAYED', { options: { status } });

const notRetriable = (state: string): BoardError =>
  new BoardError('JOB_NOT_RETRIABLE', { options: { state } });

const active = (jobId: string): BoardError =>
  new BoardError('JOB_IS_ACTIVE', {
    message: { key: 'JOB_IS_ACTIVE_DETAILS', options: { jobId } },
  });

function awaited(jobId: string, jobSchedulerId: string): BoardError {
  return new BoardError('JOB_BELONGS_TO_JOB_SCHEDULER', {
    code: 'JOB_BELONGS_TO_JOB_SCHEDULER',
    message: {
      key: 'JOB_BELONGS_TO_JOB_SCHEDULER_DETAILS',
      options: { jobId, jobSchedulerId },
    },
    extra: { jobSchedulerId },
  });
}

/** The scheduler whose next run this job is; without that run, the schedule would not fire again. */
async function schedulerAwaiting(queue: BoardQueue, job: JobRecord): Promise<string | null> {
  const made = queue.driver.schedulerOf(job);
  if (!made) return null;
  const scheduler = await queue.driver.store.scheduler(made.id);
  return scheduler && scheduler.next !== null && made.isRunAt(scheduler.next) ? made.id : null;
}

const processed: ReadonlySet<string> = new Set(['active', 'completed', 'failed']);

const isUnprocessed = ({ state }: LocatedJob): boolean => !processed.has(state);

export function jobWrites(scope: Scope) {
  /** The current state of the job, for a response that includes it. */
  const stateOf = async (queue: BoardQueue, id: string): Promise<string> =>
    (await scope.job(queue, id)).state;

  const found = async (context: {
    readonly params: JobParams;
    readonly request: Parameters<Scope['queue']>[0]['request'];
  }) => {
    const queue = await scope.writable(context);
    const { jobId } = context.params;
    return { queue, driver: queue.driver, jobId, ...(await scope.job(queue, jobId)) };
  };

  return {
    async retryJob(context) {
      const { queue, driver, jobId, state } = await found(context);
      if (!queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      if (state !== 'failed' && state !== 'completed') throw notRetriable(state);
      if (state === 'completed' && !queue.allowCompletedRetries) {
        throw new BoardError('COMPLETED_RETRIES_DISABLED');
      }
      await unlessRefused(
        scope.change(queue, () => driver.retry(jobId, state)),
        {
          state: async () => notRetriable(await stateOf(queue, jobId)),
          active: async () => notRetriable(await stateOf(queue, jobId)),
        },
      );
    },

    async cleanJob(context) {
      const { queue, driver, jobId, job, state } = await found(context);
      const scheduler = await schedulerAwaiting(queue, job);
      if (scheduler !== null && state !== 'active') throw awaited(jobId, scheduler);
      await assertBelowWritable(scope, { queue, id: jobId }, context.request);
      await unlessRefused(
        scope.change(queue, () => driver.remove(jobId)),
        {
          active: async () => {
            // One of the libraries reports a missing job in the same way.
            await scope.job(queue, jobId);
            return active(jobId);
          },
          scheduled: () => awaited(jobId, driver.schedulerOf(job)?.id ?? ''),
        },
      );
    },

    async promoteJob(context) {
      const { queue, driver, jobId, state } = await found(context);
      if (state !== 'delayed') throw notDelayed(state);
      await unlessRefused(
        scope.change(queue, () => driver.promote(jobId)),
        { state: async () => notDelayed(await stateOf(queue, jobId)) },
      );
    },

    async updateJobData(context) {
      const { queue, driver, jobId } = await found(context);
      const { jobData } = context.body;
      const failure = await queue.dataSchema.failureIn(jobData);
      if (failure !== null) throw invalidBody(failure.replace(/^data/, 'jobData'));
      const update = async (): Promise<void> => {
        try {
          await driver.updateData(jobId, jobData);
        } catch (error) {
          throw isRefusedValue(error) ? invalidBody('jobData', error) : error;
        }
      };
      await unlessRefused(scope.change(queue, update), {});
      return {};
    },

    async changeJobDelay(context) {
      const { queue, driver, jobId, state } = await found(context);
      if (!driver.capabilities.changeDelay) throw new BoardError('JOB_EDIT_NOT_SUPPORTED');
      if (state !== 'delayed') throw notDelayed(state);
      const { runAt } = context.body;
      if (Math.abs(runAt) > lastMoment)
        throw new BoardError('INVALID_RUN_AT', { code: 'INVALID_REQUEST' });
      const delay = Math.max(0, Math.round(runAt - Date.now()));
      await unlessRefused(
        scope.change(queue, () => driver.changeDelay(jobId, delay)),
        { state: async () => notDelayed(await stateOf(queue, jobId)) },
      );
      return {};
    },

    async changeJobPriority(context) {
      const { queue, driver, jobId } = await found(context);
      if (!driver.capabilities.changePriority) throw new BoardError('JOB_EDIT_NOT_SUPPORTED');
      const { priority } = context.body;
      await unlessRefused(
        scope.change(queue, () => driver.changePriority(jobId, priority)),
        {},
      );
      return {};
    },

    async removeUnprocessedChildren(context) {
      const { queue, driver, jobId } = await found(context);
      const unsupported = (): BoardError =>
        new BoardError('JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED');
      if (!driver.capabilities.removeUnprocessedChildren) throw unsupported();
      const unprocessed = async (): Promise<number> =>
        (await driver.store.flowJobs([jobId], 1))[0]?.dependencies.unprocessed ?? 0;
      const before = await unprocessed();
      if (before === 0) throw new BoardError('JOB_HAS_NO_UNPROCESSED_CHILDREN');
      await assertBelowWritable(scope, { queue, id: jobId }, context.request, isUnprocessed);
      await unlessRefused(
        scope.change(queue, () => driver.removeUnprocessedChildren(jobId)),
        { active: () => active(jobId), unsupported },
      );
      return { removed: Math.max(0, before - (await unprocessed())) };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
