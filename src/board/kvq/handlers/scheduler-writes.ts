/** Handlers that remove, replace and run job schedulers. */

import { KeyedMutex } from '../../../lib/index.ts';
import {
  BoardError,
  type EngineHandlers,
  parseExact,
  rounding,
  sentValue,
} from '../../core/index.ts';
import { addStoredJob, invalidBody } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { DriverRefusal, type NewJob } from '../model/driver.ts';
import { presentJob } from '../present/present-job.ts';
import { presentScheduler } from '../present/present-scheduler.ts';
import { isFromServer, isRefusedValue } from '../errors/refused-value.ts';
import type { LocatedJob, SchedulerRecord, VersionedJob } from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { invalidPattern, neverFires, scheduleOf } from './schedule-of.ts';
import type { Scope } from './scope.ts';

/** States of a pending run. */
const toCome: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'delayed', 'paused']);

/** Runs that already count towards the limit: all but the one that the edit replaces. */
function countedRuns({ iterationCount }: SchedulerRecord, latest: LocatedJob | null): number {
  const repeat = latest?.job.opts['repeat'];
  if (!latest || typeof repeat !== 'object' || repeat === null || !('count' in repeat)) {
    return (iterationCount ?? 1) - (latest && toCome.has(latest.state) ? 1 : 0);
  }
  return (Number(repeat.count) || 1) - (toCome.has(latest.state) ? 1 : 0);
}

/** Options of a run that belong to the schedule and not to the job. */
const ofSchedule = new Set(['repeat', 'jobId', 'delay', 'prevMillis', 'repeatJobKey', 'timestamp']);

function jobOptions(options: NewJob['opts']): NewJob['opts'] {
  return Object.fromEntries(Object.entries(options).filter(([name]) => !ofSchedule.has(name)));
}

/** The data with every digit that is stored. */
function exactly(data: unknown, text: string | undefined): unknown {
  return text === undefined ? data : parseExact(text);
}

/** The data of every run as stored, and its text. */
const dataOf = (
  { template, texts, iterationCount }: SchedulerRecord,
  latest: VersionedJob | null,
): readonly [data: unknown, text: string | undefined] =>
  iterationCount === null && latest
    ? [latest.job.data, latest.texts?.data]
    : [template.data ?? {}, texts?.data];

/** The job template of every run. Repeatable jobs that predate schedulers store it only in the run. */
function jobOf(scheduler: SchedulerRecord, latest: VersionedJob | null): NewJob {
  const { name, template, iterationCount } = scheduler;
  const data = exactly(...dataOf(scheduler, latest));
  const isOld = iterationCount === null && latest;
  return { name, data, opts: isOld ? jobOptions(latest.job.opts) : (template.opts ?? {}) };
}

/** Removes the run that the edit has replaced: in a paused queue, BullMQ 6 keeps it, so it would run as well. */
async function forgetReplaced({ driver }: BoardQueue, id: string): Promise<void> {
  const left = await driver.store.job(id);
  if (!left || !toCome.has(left.state)) return;
  await driver.change(id, { act: 'remove', reach: [] }, {}).catch((error: unknown) => {
    // A worker has just started it.
    if (!(error instanceof DriverRefusal)) throw error;
  });
}

export function schedulerWrites(scope: Scope) {
  const mutex = new KeyedMutex();

  /** Changes a scheduler under a mutex per id, so that a concurrent update does not restore a removed one. */
  const change = <Result>(
    queue: BoardQueue,
    id: string,
    work: (scheduler: SchedulerRecord, latest: VersionedJob | null) => Promise<Result>,
  ): Promise<Result> =>
    mutex.run(JSON.stringify([queue.name, id]), () =>
      scope.change(queue, async () => {
        const { store } = queue.driver;
        const scheduler = await store.scheduler(id);
        if (!scheduler) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
        const { nextRunJobId } = scheduler;
        return work(scheduler, nextRunJobId === null ? null : await store.job(nextRunJobId, true));
      }),
    );

  return {
    async removeJobScheduler(context) {
      const queue = await scope.writable(context);
      const { schedulerId } = context.params;
      const removed = await change(queue, schedulerId, () =>
        queue.driver.removeScheduler(schedulerId),
      );
      if (!removed) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
    },

    async updateJobScheduler(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      const { schedulerId } = context.params;
      if (!driver.capabilities.jobSchedulers.update) {
        throw new BoardError('JOB_SCHEDULER_EDIT_NOT_SUPPORTED');
      }
      const { data, ifUnchanged } = context.body;
      const { raw } = context.query;
      const sent = sentValue(data, raw, 'data');
      const { versionOf } = scope.options;
      // A version is made of what everybody is shown, so that nobody's view is asked for.
      const versionNow = (scheduler: SchedulerRecord): string =>
        presentScheduler(queue, scheduler, scope.viewAmong([]), false, versionOf).version;
      await change(queue, schedulerId, async (scheduler, latest) => {
        if (ifUnchanged !== undefined && versionNow(scheduler) !== ifUnchanged) {
          throw new BoardError('JOB_CHANGED');
        }
        let job = jobOf(scheduler, latest);
        if (sent !== undefined) {
          const stored = dataOf(scheduler, latest);
          job = { ...job, data: scope.storedData(queue, stored, sent, raw, 'data') };
          const failure = await queue.dataSchema.failureIn(rounding(job.data));
          if (failure !== null) throw invalidBody(failure);
        }
        // The client cannot change the start and the runs that count towards the limit.
        const counted = countedRuns(scheduler, latest);
        const schedule = scheduleOf(context.body, scheduler.startDate, counted);
        if (neverFires(schedule)) throw invalidPattern();
        let next: string | null;
        try {
          next = await driver.updateScheduler(schedulerId, schedule, job);
        } catch (error) {
          const isFailure = isUnavailable(error) || (isFromServer(error) && !isRefusedValue(error));
          throw isFailure ? error : invalidPattern(error, schedule.tz);
        }
        if (next === null) throw invalidPattern();
        if (latest && latest.job.id !== next) await forgetReplaced(queue, latest.job.id);
      });
    },

    async runJobScheduler(context) {
      const queue = await scope.writable(context);
      const { schedulerId } = context.params;
      if (!queue.driver.capabilities.jobSchedulers.run) {
        throw new BoardError('JOB_SCHEDULER_RUN_NOT_SUPPORTED');
      }
      const added = await change(queue, schedulerId, (scheduler, latest) => {
        const job = jobOf(scheduler, latest);
        return addStoredJob(queue, { ...job, opts: jobOptions(job.opts) });
      });
      return { job: presentJob(queue, added.job, await scope.view(context.request)) };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
