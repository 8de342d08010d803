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
      return scope.options.heavy.run(async () => {
        const located = await scope.job(queue, context.params.jobId, raw);
        const { job, state, texts } = located;
        const version = scope.versionOf(queue, located);
        const view = await scope.view(context.request);
        return { job: { ...presentJob(queue, job, view, texts), state }, status: state, version };
      }, context.signal);
    },

    async getJobLogs(context) {
      const { name, driver } = await scope.queue(context);
      const { jobId } = context.params;
      const { window, start: from, limit = mostLines } = context.query;
      const start = from ?? (context.query.limit === undefined ? undefined : 0);
      const read = async () => {
        if (start !== undefined) {
          const { lines, total } = await driver.store.logPage(jobId, start, limit, scope.limits);
          const whole = Math.min(limit, Math.max(0, total - start));
          return { lines: [...lines], total, truncated: lines.length < whole, start };
        }
        const { lines, total } = await driver.store.logs(jobId, scope.limits);
        if (window !== 'true') return [...lines];
        const truncated = lines.length < total;
        return { lines: [...lines], total, truncated, start: total - lines.length };
      };
      // A log is the same for everyone who may read it.
      const key = [scope.registry.version, name, jobId, start, limit, window];
      return scope.options.heavy.shared(JSON.stringify(key), read, context.signal);
    },

    async getJobFlow(context) {
      const queue = await scope.queue(context);
      return scope.options.heavy.run(async () => {
        const located = await scope.job(queue, context.params.jobId);
        const view = await scope.flowView(queue, context.request);
        return readFlow(queue, located, view, { ...context.query, ...scope.limits });
      }, context.signal);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
