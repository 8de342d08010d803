/** Converts a job scheduler to the contract. */

import { type VersionOf, withinDepth } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { newRecord } from '../model/job-record.ts';
import type { SchedulerRecord } from '../model/store.ts';
import type { AppJobScheduler } from '../model/types.ts';
import { shownOptions, shownTexts, type JobView } from './job-view.ts';
import { presentName, toAll } from './present-job.ts';

/** The texts of a template; a hash of Redis has others. */
const pick = ({ data, opts }: NonNullable<SchedulerRecord['texts']> = {}) => ({
  ...(data !== undefined && { data }),
  ...(opts !== undefined && { opts }),
});

/** Omits members without a value. */
function given<Members extends object>(
  members: Members,
): {
  [Name in keyof Members]?: NonNullable<Members[Name]>;
} {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== null)) as {
    [Name in keyof Members]?: NonNullable<Members[Name]>;
  };
}

/**
 * The scheduler as `AppJobScheduler`; with `raw`, its template also as stored. Its version is made of what everybody is
 * shown of its schedule and its template, and not of its runs. The time of its last run is the time at which the next run was added.
 */
export function presentScheduler(
  queue: BoardQueue,
  scheduler: SchedulerRecord,
  view: JobView,
  raw: boolean,
  versionOf: VersionOf,
): AppJobScheduler {
  const { data: formatData } = queue.formatters;
  const { template } = scheduler;
  const { opts } = template;
  const hasRun = (scheduler.iterationCount ?? 0) > 1;
  const host = view.problems.hostFunctions(queue);
  // The formatter of the name receives the job of a run.
  const run = newRecord(scheduler.id, {
    name: scheduler.name,
    data: template.data,
    opts: opts ?? {},
  });
  const name = presentName(queue, run, host);
  const data =
    formatData && 'data' in template
      ? host.run('data', () => formatData(template.data))
      : withinDepth(template.data);
  const { pattern, every, tz, limit, startDate, endDate } = scheduler;
  return {
    id: scheduler.id,
    version: versionOf([
      queue.name,
      scheduler.id,
      name,
      [pattern, every, tz, limit, startDate, endDate],
      // All digits count, but not what a formatter hides.
      formatData ? data : (scheduler.texts?.data ?? data),
      opts && shownOptions(toAll, queue, opts),
    ]),
    queueName: queue.name,
    name,
    ...given({
      pattern,
      every,
      tz,
      limit,
      startDate,
      endDate,
      next: scheduler.next,
      nextRunJobId: scheduler.nextRunJobId,
      lastRun: hasRun ? scheduler.nextRunAdded : null,
      lastRunJobId: scheduler.lastRunJobId,
      iterationCount: scheduler.iterationCount,
    }),
    ...(Object.keys(template).length > 0 && {
      template: {
        ...('data' in template && { data: data ?? null }),
        ...(opts && { opts: { ...shownOptions(view, queue, opts) } }),
      },
    }),
    ...(raw && { raw: shownTexts(view, queue, pick(scheduler.texts), opts ?? {}) }),
    ...host.mark,
  };
}
