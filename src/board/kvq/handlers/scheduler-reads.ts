/** Handlers that list job schedulers. */

import { BoardError, NextRuns, isoTime } from '../../core/index.ts';
import type { AskedRuns, EngineHandlers } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobView } from '../present/job-view.ts';
import { problemOf } from '../present/present-queue.ts';
import { presentScheduler } from '../present/present-scheduler.ts';
import { asError } from '../queue/problem-log.ts';
import { DriverRefusal, type RunFinder } from '../model/driver.ts';
import type { SchedulerRecord } from '../model/store.ts';
import type { AppJobScheduler } from '../model/types.ts';
import { runsOf, storedSchedule } from '../reads/next-runs.ts';
import type { Scope } from './scope.ts';

/** Maximum number of schedulers listed per queue, earliest next run first. */
const maxListed = 10_000;

/** Maximum number of schedulers of an answer whose next runs are computed. */
const maxComputed = 1_000;

/** A scheduler as stored and as shown. */
interface Listed {
  readonly queue: BoardQueue;
  readonly stored: SchedulerRecord;
  readonly shown: AppJobScheduler;
}

/** The next runs of a scheduler, to be computed. */
function asked(find: RunFinder, { queue, stored }: Listed, most: number): AskedRuns {
  const { name, next } = stored;
  const schedule = storedSchedule(stored);
  return {
    key: JSON.stringify([queue.name, name, next, most, schedule]),
    compute: () => runsOf(find, { name, schedule, most, ...(next !== null && { first: next }) }),
  };
}

export function schedulerReads(scope: Scope) {
  const listed = async (queue: BoardQueue, view: JobView, raw: boolean): Promise<Listed[]> => {
    const { problems } = scope.options;
    try {
      const schedulers = await queue.driver.store.schedulers(maxListed);
      const all = schedulers.map((stored) => ({
        queue,
        stored,
        shown: presentScheduler(queue, stored, view, raw, scope.options.versionOf),
      }));
      problems.note(queue, 'schedulers', null);
      return all;
    } catch (error) {
      problems.note(queue, 'schedulers', asError(error));
      throw error;
    }
  };

  const nextRuns = new NextRuns();

  /** The finder of a queue; `undefined`, with a line in the log, where the library computes no runs. */
  const finderOf = async (queue: BoardQueue): Promise<RunFinder | undefined> => {
    try {
      return await queue.driver.runFinder();
    } catch (error) {
      if (!(error instanceof DriverRefusal)) throw error;
      scope.options.problems.note(queue, 'next runs', error);
      return undefined;
    }
  };

  /** The schedulers with their next runs, as many as were asked for. */
  const withRuns = async (all: readonly Listed[], most: number): Promise<AppJobScheduler[]> => {
    const finders = new Map<BoardQueue, RunFinder | undefined>();
    for (const { queue } of all) {
      if (finders.has(queue) || !queue.driver.capabilities.jobSchedulers.preview) continue;
      finders.set(queue, await finderOf(queue));
    }
    const computed = all.slice(0, maxComputed).flatMap((scheduler) => {
      const find = finders.get(scheduler.queue);
      return find ? [{ scheduler, runs: asked(find, scheduler, most) }] : [];
    });
    const found = await nextRuns.of(computed.map(({ runs }) => runs));
    const runsOfShown = new Map(
      computed.map(({ scheduler }, index) => [scheduler.shown, found[index] ?? []]),
    );
    return all.map(({ shown }) => {
      const runs = runsOfShown.get(shown) ?? [];
      return runs.length === 0 ? shown : { ...shown, nextRuns: runs.map(isoTime) };
    });
  };

  return {
    async listJobSchedulers({ query, request }) {
      const visible = await scope.visible(request, 'schedule.read');
      const { queueName, raw, runs } = query;
      const asked =
        queueName === undefined ? visible : visible.filter((queue) => queue.name === queueName);
      const view = await scope.view(request);
      const read = await Promise.allSettled(asked.map((queue) => listed(queue, view, raw)));
      // A failed queue hides only its own schedulers.
      const [first] = read;
      if (first?.status === 'rejected' && read.every(({ status }) => status === 'rejected')) {
        throw first.reason;
      }
      const problems = read.flatMap((result, index) => {
        const queue = asked[index];
        if (!queue || result.status === 'fulfilled') return [];
        return [{ queueName: queue.name, problem: problemOf(queue, asError(result.reason)) }];
      });
      const all = read.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
      return {
        schedulers: runs === undefined ? all.map(({ shown }) => shown) : await withRuns(all, runs),
        ...(problems.length > 0 && { problems }),
      };
    },

    async listJobSchedulerRuns(context) {
      const { schedulerId } = context.params;
      const { limit } = context.query;
      const { driver } = await scope.queue(context);
      const scheduler = await driver.store.scheduler(schedulerId);
      if (!scheduler) throw new BoardError('JOB_SCHEDULER_NOT_FOUND');
      const { runPrefix } = scheduler;
      const due = (id: string): number => Number(id.slice(runPrefix.length));
      const ids = (await driver.store.latestWithPrefix(runPrefix))
        .filter((id) => Number.isSafeInteger(due(id)))
        .toSorted((left, right) => due(right) - due(left))
        .slice(0, limit);
      const jobs =
        ids.length === 0
          ? []
          : await driver.store.flowJobs(ids, 0, { ...scope.limits, withData: false });
      return {
        runs: ids.flatMap((jobId, index) => {
          const found = jobs[index];
          if (!found) return [];
          const { job, state } = found;
          return [{ jobId, dueOn: due(jobId), status: state, finishedOn: job.finishedOn }];
        }),
      };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
