/** Handlers that read jobs. */

import { withTimeout } from '../../../lib/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { readFlow } from '../reads/flow.ts';
import { presentJob } from '../present/present-job.ts';
import type { Scope } from './scope.ts';
import { timeouts } from '../timeouts.ts';

export function jobReads(scope: Scope) {
  return {
    async getJob(context) {
      const queue = await scope.queue(context);
      const { job, state } = await scope.job(queue, context.params.jobId);
      return { job: presentJob(queue, job), status: state };
    },

    async getJobLogs(context) {
      const { driver } = await scope.queue(context);
      await driver.store.ready();
      return [...(await withTimeout(driver.logs(context.params.jobId), timeouts().libraryMs))];
    },

    async getJobFlow(context) {
      const queue = await scope.queue(context);
      const { job } = await scope.job(queue, context.params.jobId);
      const visible = await scope.visible(context.request);
      return readFlow(queue, job, visible, context.query);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
