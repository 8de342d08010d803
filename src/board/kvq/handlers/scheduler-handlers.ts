/** Job schedulers: listed, removed, replaced, run. */

import { BoardError } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { addJob } from '../add-job.ts';
import type { BoardQueue } from '../board-queue.ts';
import type { Schedule } from '../driver.ts';
import { presentJob } from '../present-job.ts';
import { presentScheduler } from '../present-scheduler.ts';
import { asError } from '../problem-log.ts';
import type { SchedulerRecord } from '../store.ts';
import type { AppJobScheduler } from '../types.ts';
import { isUnreachable } from '../unreachable.ts';
import type { Scope } from './scope.ts';

/** Most schedulers of one queue that are listed: those that fire soonest. */
const maxListed = 10_000;

/** What the client wants instead of the schedule that is stored. */
interface Wanted {
  readonly pattern?: string | undefined;
  readonly every?: string | number | null | undefined;
  readonly tz?: string | undefined;
  readonly limit?: number | null | undefined;
  readonly endDate?: string | number | null | undefined;
}

/** The schedule to set. A beginning that is still to come is kept; the client cannot name one. */
function scheduleOf(wanted: Wanted, stored: SchedulerRecord): Schedule {
  const pattern = wanted.pattern?.trim();
  const tz = wanted.tz?.trim();
  const { startDate } = stored;
  return {
    ...(pattern ? { pattern } : { every: Number(wanted.every) }),
    ...(tz && { tz }),
    ...(wanted.limit != null && { limit: wanted.limit }),
    ...(startDate !== null && startDate > Date.now() && { startDate }),
    ...(wanted.endDate != null && { endDate: Number(wanted.endDate) }),
  };
}

/** Options of a template that belong to the schedule, not to a job that runs now. */
const ofSchedule = new Set(['repeat', 'jobId', 'delay', 'prevMillis', 'repeatJobKey', 'timestamp']);

function jobOptions(
  options: Readonly<Record<string, unknown>> | undefined,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(options ?? {}).filter(([name]) => !ofSchedule.has(name)),
  );
}

export function schedulerHandlers(scope: Scope) {
  const stored = async (queue: BoardQueue, id: string): Promise<SchedulerRecord> => {
    const scheduler = await queue.driver.store.scheduler(id);
    if (!scheduler) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
    return scheduler;
  };

  const listed = async (queue: BoardQueue): Promise<AppJobScheduler[]> => {
    const { problems } = scope.options;
    try {
      const schedulers = await queue.driver.store.schedulers(maxListed);
      const shown = schedulers.map((scheduler) => presentScheduler(queue, scheduler));
      problems.note(queue, 'schedulers', null);
      return shown;
    } catch (error) {
      problems.note(queue, 'schedulers', asError(error));
      throw error;
    }
  };

  return {
    async listJobSchedulers({ query, request }) {
      const visible = await scope.visible(request);
      const { queueName } = query;
      const asked =
        queueName === undefined ? visible : visible.filter((queue) => queue.name === queueName);
      const read = await Promise.allSettled(asked.map(listed));
      // A queue that cannot be read hides its own schedulers only.
      const [first] = read;
      if (first?.status === 'rejected' && read.every(({ status }) => status === 'rejected')) {
        throw first.reason;
      }
      return {
        schedulers: read.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
      };
    },

    async removeJobScheduler(context) {
      const queue = await scope.writable(context);
      const { schedulerId } = context.params;
      await stored(queue, schedulerId);
      const removed = await scope.change(queue, () => queue.driver.removeScheduler(schedulerId));
      if (!removed) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
    },

    async updateJobScheduler(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      const { schedulerId } = context.params;
      if (!driver.capabilities.jobSchedulers.update) {
        throw new BoardError('JOB_SCHEDULER_EDIT_NOT_SUPPORTED');
      }
      const scheduler = await stored(queue, schedulerId);
      const schedule = scheduleOf(context.body, scheduler);
      const { name, template } = scheduler;
      const job = { name, data: template.data ?? {}, opts: template.opts ?? {} };
      const update = async (): Promise<boolean> => {
        try {
          return await driver.updateScheduler(schedulerId, schedule, job);
        } catch (error) {
          const fromServer =
            error instanceof Error && (error.name === 'ReplyError' || 'code' in error);
          if (fromServer || isUnreachable(error)) throw error;
          throw new BoardError('INVALID_SCHEDULER_PATTERN', {
            code: 'INVALID_REQUEST',
            cause: error,
          });
        }
      };
      if (await scope.change(queue, update)) return;
      throw new BoardError('INVALID_SCHEDULER_PATTERN', { code: 'INVALID_REQUEST' });
    },

    async runJobScheduler(context) {
      const queue = await scope.writable(context);
      const { schedulerId } = context.params;
      if (!queue.driver.capabilities.jobSchedulers.run) {
        throw new BoardError('JOB_SCHEDULER_RUN_NOT_SUPPORTED');
      }
      const { name, template } = await stored(queue, schedulerId);
      const opts = jobOptions(template.opts);
      const added = await scope.change(queue, () =>
        addJob(queue, { name, data: template.data, opts }),
      );
      return { job: presentJob(queue, added.job) };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
