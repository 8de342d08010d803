/** Handlers that change single jobs. */

import { lastMoment } from '../../contract/index.ts';
import { BoardError, rounding, sentValue } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { invalidBody } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobCommand } from '../model/driver.ts';
import { withoutData } from '../model/read-limits.ts';
import { isRefusedValue } from '../errors/refused-value.ts';
import type { LocatedJob, VersionedJob } from '../model/store.ts';
import { assertBelowWritable } from './flow-reach.ts';
import { type Scope, unlessRefused } from './scope.ts';

/** The state of the job that the body of a command expects. */
interface Conditions {
  readonly expectedState?: string | undefined;
  /** The version of an earlier answer. */
  readonly ifUnchanged?: string | undefined;
}

/** A state that differs from the expected one counts before its own refusals. */
function assertExpected({ expectedState }: Conditions, state: string): void {
  if (expectedState === undefined || expectedState === state) return;
  throw new BoardError('JOB_CHANGED', { options: { state } });
}

/** A command made of a job as stored, which counts only for this job if it has taken anything from it. */
type MadeCommand = (
  job: VersionedJob,
) => Promise<{ readonly command: JobCommand; readonly isOfStored?: boolean }>;

/** Attempts to change a job that others change meanwhile. */
const maxAttempts = 10;

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

  /**
   * Changes the job in the path if it meets the conditions of the body. A command that is made of the job as stored, and
   * one for a version, are bound to the job that was read for them: if another change comes first, it is read again.
   */
  const change = async (
    { params: { jobId }, body }: { readonly params: JobParams; readonly body: Conditions },
    queue: BoardQueue,
    command: JobCommand | MadeCommand,
    answers: Parameters<typeof unlessRefused>[1] = {},
  ): Promise<void> => {
    const { expectedState, ifUnchanged } = body;
    const run = (made: JobCommand, revision?: string): Promise<void> => {
      const work = () => queue.driver.change(jobId, made, { expectedState, revision });
      return unlessRefused(scope.change(queue, work), answers);
    };
    if (typeof command !== 'function' && ifUnchanged === undefined) return run(command);
    for (let attempt = 1; ; attempt += 1) {
      const job = await scope.job(queue, jobId, typeof command === 'function');
      if (ifUnchanged !== undefined && scope.versionOf(queue, job) !== ifUnchanged) {
        throw new BoardError('JOB_CHANGED', { options: { state: job.state } });
      }
      const made = typeof command === 'function' ? await command(job) : { command };
      const isBound = ifUnchanged !== undefined || made.isOfStored === true;
      try {
        return await run(made.command, isBound ? job.revision : undefined);
      } catch (error) {
        const isLost = error instanceof BoardError && error.key === 'JOB_CHANGED';
        if (!isBound || !isLost || attempt === maxAttempts) throw error;
      }
    }
  };

  return {
    async retryJob(context) {
      const { queue, jobId, state } = await found(context);
      if (!queue.allowRetries) throw new BoardError('RETRIES_DISABLED');
      assertExpected(context.body, state);
      if (state !== 'failed' && state !== 'completed') throw notRetriable(state);
      if (state === 'completed' && !queue.allowCompletedRetries) {
        throw new BoardError('COMPLETED_RETRIES_DISABLED');
      }
      const refused = async (): Promise<BoardError> => notRetriable(await stateOf(queue, jobId));
      await change(
        context,
        queue,
        { act: 'retry', from: state },
        { state: refused, active: refused },
      );
    },

    async cleanJob(context) {
      const queue = await scope.writable(context);
      const { jobId } = context.params;
      const { driver } = queue;
      const reach = await scope.reach(context.request, queue);
      await change(
        context,
        queue,
        { act: 'remove', reach },
        {
          active: () => active(jobId),
          scheduled: async () => {
            const { job } = await scope.job(queue, jobId);
            return awaited(jobId, driver.schedulerOf(job) ?? '');
          },
        },
      );
    },

    async releaseJob(context) {
      const { queue, jobId } = await found(context);
      const notActive = async (): Promise<BoardError> =>
        new BoardError('JOB_NOT_ACTIVE', { options: { state: await stateOf(queue, jobId) } });
      await change(
        context,
        queue,
        { act: 'release' },
        { state: notActive, active: () => active(jobId) },
      );
    },

    async promoteJob(context) {
      const { queue, jobId } = await found(context);
      const refused = async (): Promise<BoardError> => notDelayed(await stateOf(queue, jobId));
      await change(context, queue, { act: 'promote' }, { state: refused });
    },

    async updateJobData(context) {
      const { queue } = await found(context);
      const { raw } = context.query;
      const sent = sentValue(context.body.jobData, raw, 'jobData');
      try {
        await change(context, queue, async (job) => {
          const data = scope.storedData(
            queue,
            [job.job.data, job.texts?.data],
            sent,
            raw,
            'jobData',
          );
          const failure = await queue.dataSchema.failureIn(rounding(data));
          if (failure !== null) throw invalidBody(failure.replace(/^data/, 'jobData'));
          return { command: { act: 'data', data }, isOfStored: data !== sent };
        });
      } catch (error) {
        throw isRefusedValue(error) ? invalidBody('jobData', error) : error;
      }
      return {};
    },

    async changeJobDelay(context) {
      const { queue, driver, jobId } = await found(context);
      if (!driver.capabilities.changeDelay) throw new BoardError('JOB_EDIT_NOT_SUPPORTED');
      const { runAt } = context.body;
      if (Math.abs(runAt) > lastMoment)
        throw new BoardError('INVALID_RUN_AT', { code: 'INVALID_REQUEST' });
      const delay = Math.max(0, Math.round(runAt - Date.now()));
      const refused = async (): Promise<BoardError> => notDelayed(await stateOf(queue, jobId));
      await change(context, queue, { act: 'delay', delay }, { state: refused });
      return {};
    },

    async changeJobPriority(context) {
      const { queue, driver } = await found(context);
      if (!driver.capabilities.changePriority) throw new BoardError('JOB_EDIT_NOT_SUPPORTED');
      await change(context, queue, { act: 'priority', priority: context.body.priority });
      return {};
    },

    async removeUnprocessedChildren(context) {
      const { queue, driver, jobId } = await found(context);
      const unsupported = (): BoardError =>
        new BoardError('JOB_UNPROCESSED_CHILDREN_NOT_SUPPORTED');
      if (!driver.capabilities.removeUnprocessedChildren) throw unsupported();
      const unprocessed = async (): Promise<number> =>
        (await driver.store.flowJobs([jobId], 1, withoutData))[0]?.dependencies.unprocessed ?? 0;
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
