/** Handlers that list job schedulers. */

import type { EngineHandlers } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { JobView } from '../present/job-view.ts';
import { problemOf } from '../present/present-queue.ts';
import { presentScheduler } from '../present/present-scheduler.ts';
import { asError } from '../queue/problem-log.ts';
import type { AppJobScheduler } from '../model/types.ts';
import type { Scope } from './scope.ts';

/** Maximum number of schedulers listed per queue, earliest next run first. */
const maxListed = 10_000;

export function schedulerReads(scope: Scope) {
  const listed = async (
    queue: BoardQueue,
    view: JobView,
    raw: boolean,
  ): Promise<AppJobScheduler[]> => {
    const { problems } = scope.options;
    try {
      const schedulers = await queue.driver.store.schedulers(maxListed);
      const shown = schedulers.map((scheduler) => presentScheduler(queue, scheduler, view, raw));
      problems.note(queue, 'schedulers', null);
      return shown;
    } catch (error) {
      problems.note(queue, 'schedulers', asError(error));
      throw error;
    }
  };

  return {
    async listJobSchedulers({ query, request }) {
      const visible = await scope.visible(request, 'schedule.read');
      const { queueName, raw } = query;
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
        return [{ queueName: queue.name, problem: problemOf(asError(result.reason)) }];
      });
      return {
        schedulers: read.flatMap((result) => (result.status === 'fulfilled' ? result.value : [])),
        ...(problems.length > 0 && { problems }),
      };
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
