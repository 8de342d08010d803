/** Converts a job scheduler to the contract. */

import { withinDepth } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { SchedulerRecord } from '../model/store.ts';
import type { AppJobScheduler } from '../model/types.ts';

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

/** The scheduler as `AppJobScheduler`. The time of its last run is the time at which the next run was added. */
export function presentScheduler(queue: BoardQueue, scheduler: SchedulerRecord): AppJobScheduler {
  const { data: formatData } = queue.formatters;
  const { template } = scheduler;
  const hasRun = (scheduler.iterationCount ?? 0) > 1;
  const data = formatData && 'data' in template ? formatData(template.data) : template.data;
  return {
    id: scheduler.id,
    queueName: queue.name,
    name: scheduler.name,
    ...given({
      pattern: scheduler.pattern,
      every: scheduler.every,
      tz: scheduler.tz,
      limit: scheduler.limit,
      startDate: scheduler.startDate,
      endDate: scheduler.endDate,
      next: scheduler.next,
      nextRunJobId: scheduler.nextRunJobId,
      lastRun: hasRun ? scheduler.nextRunAdded : null,
      lastRunJobId: scheduler.lastRunJobId,
      iterationCount: scheduler.iterationCount,
    }),
    ...(Object.keys(template).length > 0 && {
      template: {
        ...('data' in template && { data: withinDepth(data) }),
        ...(template.opts && { opts: { ...template.opts } }),
      },
    }),
  };
}
