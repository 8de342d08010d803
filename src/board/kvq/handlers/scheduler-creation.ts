/** Handlers that create job schedulers, and preview the runs of a schedule before. */

import type { CreateJobSchedulerBody } from '../../contract/index.ts';
import { DutyCycleQueue, QueueFullError } from '../../../lib/index.ts';
import { BoardError, isoTime, isTimeZone, mostComputed, sentValue } from '../../core/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { invalidBody, isRefusedJob, refusedPart, validJob } from './add-job.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { isUnavailable } from '../errors/unavailable.ts';
import { DriverRefusal, type Schedule } from '../model/driver.ts';
import { isKeyText } from '../model/job-id.ts';
import { presentScheduler } from '../present/present-scheduler.ts';
import { runsOf } from '../reads/next-runs.ts';
import { invalidPattern, neverFires, scheduleOf, type Wanted } from './schedule-of.ts';
import { unlessRefused, type Scope } from './scope.ts';

/** Options of a job that a schedule sets, or that its runs cannot have. */
const notOfRuns = ['jobId', 'delay', 'repeat', 'timestamp', 'prevMillis', 'repeatJobKey', 'parent'];

/** Ids that BullMQ would take for those of a repeatable job, or for that of a run, `repeat:<id>:<milliseconds>`. */
const isReserved = (id: string): boolean => id.split(':').length >= 5 || /:\d+$/.test(id);

/** The id in the library: Bull composes the stored one of the name, the id and the schedule, with colons between. */
function idOf({ driver }: BoardQueue, { id, name }: CreateJobSchedulerBody): string | undefined {
  if (id !== undefined && !isKeyText(id)) throw invalidBody('id');
  if (driver.type === 'legacy') {
    if (id?.includes(':')) throw invalidBody('id');
    if (name.includes(':')) throw invalidBody('name');
    return id;
  }
  if (id === undefined || isReserved(id)) throw invalidBody('id');
  return id;
}

/** The name of the runs without one, as the libraries choose it. */
const nameOf = ({ driver }: BoardQueue, { id, name }: CreateJobSchedulerBody): string =>
  name || (driver.type === 'legacy' ? '__default__' : (id ?? ''));

function newSchedule(
  wanted: Wanted & { readonly startDate?: string | number | null | undefined },
): Schedule {
  const { startDate } = wanted;
  const schedule = scheduleOf(wanted, startDate == null ? null : Number(startDate));
  const { every, tz } = schedule;
  // With an interval, no library looks at the time zone.
  const isOdd = every !== undefined && tz !== undefined && !isTimeZone(tz);
  if (isOdd || neverFires(schedule)) throw invalidPattern(undefined, tz);
  return schedule;
}

export function schedulerCreation(scope: Scope) {
  // A pattern with almost no matches keeps the parser busy for a while.
  const parsing = new DutyCycleQueue(mostComputed);

  /** The first runs of a schedule. Throws `INVALID_SCHEDULER_PATTERN` if it has none. */
  const firstRuns = async (
    { driver }: BoardQueue,
    name: string,
    schedule: Schedule,
    most: number,
    signal: AbortSignal,
  ): Promise<number[]> => {
    const find = await driver.runFinder();
    let runs: number[];
    try {
      runs = await runsOf(
        find,
        { name, schedule, most },
        async (work) => await parsing.run(work),
        () => signal.aborted,
      );
    } catch (error) {
      if (error instanceof QueueFullError) throw new BoardError('SCHEDULE_LIMIT', { cause: error });
      if (error instanceof DriverRefusal || isUnavailable(error)) throw error;
      throw invalidPattern(error, schedule.tz);
    }
    if (runs.length === 0) throw invalidPattern(undefined, schedule.tz);
    return runs;
  };

  return {
    async previewJobScheduler(context) {
      const queue = await scope.queue(context);
      if (!queue.driver.capabilities.jobSchedulers.preview) {
        throw new BoardError('JOB_SCHEDULER_EDIT_NOT_SUPPORTED');
      }
      const { count, ...wanted } = context.body;
      const runs = await firstRuns(queue, '', newSchedule(wanted), count, context.signal);
      return { runs: runs.map(isoTime) };
    },

    async createJobScheduler(context) {
      const queue = await scope.writable(context);
      const { driver } = queue;
      if (!driver.capabilities.jobSchedulers.create) {
        throw new BoardError('JOB_SCHEDULER_EDIT_NOT_SUPPORTED');
      }
      const { body, request } = context;
      const { raw } = context.query;
      const odd = notOfRuns.find((option) => body.options[option] !== undefined);
      if (odd !== undefined) throw invalidBody(`options.${odd}`);
      const [id, name] = [idOf(queue, body), nameOf(queue, body)];
      const data = sentValue(body.data, raw, 'data');
      const job = await validJob(queue, { name, data, opts: body.options });
      const schedule = newSchedule(body);
      await firstRuns(queue, name, schedule, 1, context.signal);
      const exists = (): BoardError => new BoardError('JOB_SCHEDULER_EXISTS');
      const create = (): Promise<string | null> => driver.createScheduler(id, schedule, job);
      const created = await unlessRefused(scope.change(queue, create), {
        exists,
        taken: exists,
      }).catch((error: unknown) => {
        if (error instanceof BoardError || error instanceof DriverRefusal) throw error;
        throw isRefusedJob(error) ? invalidBody(refusedPart(job), error) : error;
      });
      if (created === null) throw invalidPattern();
      const stored = await driver.store.scheduler(created);
      if (!stored) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      const [view, { versionOf }] = [await scope.view(request), scope.options];
      return { scheduler: presentScheduler(queue, stored, view, raw, versionOf) };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
