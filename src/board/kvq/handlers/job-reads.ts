/** Handlers that read jobs. */

import type { EngineHandlers } from '../../core/index.ts';
import { readFlow } from '../reads/flow.ts';
import { presentJob } from '../present/present-job.ts';
import type { Scope } from './scope.ts';

/** Lines of a window without a limit. */
const mostLines = 1_000;

export function jobReads(scope: Scope) {
  return {
    async getJob(context) {
      const queue = await scope.queue(context);
      const { raw } = context.query;
      const { job, state, version, texts } = await scope.job(queue, context.params.jobId, raw);
      const view = await scope.view(context.request);
      return { job: { ...presentJob(queue, job, view, texts), state }, status: state, version };
    },

    async getJobLogs(context) {
      const { store } = (await scope.queue(context)).driver;
      const { jobId } = context.params;
      const { window, start: from, limit = mostLines } = context.query;
      const start = from ?? (context.query.limit === undefined ? undefined : 0);
      if (start !== undefined) {
        const { lines, total } = await store.logPage(jobId, start, limit, scope.limits);
        const whole = Math.min(limit, Math.max(0, total - start));
        return { lines: [...lines], total, truncated: lines.length < whole, start };
      }
      const { lines, total } = await store.logs(jobId, scope.limits);
      if (window !== 'true') return [...lines];
      const truncated = lines.length < total;
      return { lines: [...lines], total, truncated, start: total - lines.length };
    },

    async getJobFlow(context) {
      const queue = await scope.queue(context);
      const located = await scope.job(queue, context.params.jobId);
      const view = await scope.flowView(queue, context.request);
      return readFlow(queue, located, view, { ...context.query, ...scope.limits });
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
