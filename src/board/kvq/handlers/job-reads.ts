/** Handlers that read jobs. */

import type { JobHolds } from '../../contract/index.ts';
import type { EngineHandlers } from '../../core/index.ts';
import { memberOf } from '../libraries/record.ts';
import { unknownPlace } from '../model/course.ts';
import { readFlow } from '../reads/flow.ts';
import { holdsOf, ready } from '../reads/holds.ts';
import { presentJob } from '../present/present-job.ts';
import type { Scope } from './scope.ts';

/** Lines of a window without a limit. */
const mostLines = 1_000;

/** Milliseconds by which the clock of a client and that of the datastore may differ. */
const clockGapMs = 60_000;

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

    async getJobCourse(context) {
      const queue = await scope.queue(context);
      return scope.options.heavy.run(async () => {
        const { job } = await scope.job(queue, context.params.jobId);
        const { id, timestamp, finishedOn, opts } = job;
        // A client may give any time as that at which it has added the job.
        const from = Math.max(0, Math.min(timestamp, Date.now()) - clockGapMs);
        // Others may be deduplicated with a job that has ended.
        const ttl = Number(memberOf(opts['deduplication'], 'ttl')) || 0;
        const end = Math.max(0, finishedOn ?? 0, Math.min(timestamp + ttl, Date.now()));
        const to = finishedOn === null ? null : end + clockGapMs;
        const { moments, since } = await queue.driver.store.events(id, from, to);
        return { moments: moments.toReversed(), since };
      }, context.signal);
    },

    async getJobHolds(context) {
      const queue = await scope.queue(context);
      return scope.options.heavy.run(async (): Promise<JobHolds> => {
        const located = await scope.job(queue, context.params.jobId);
        const { finishedOn, deduplicationId: key } = located.job;
        const ended = finishedOn !== null && key === null;
        const place = ended ? unknownPlace : await queue.driver.store.place(located);
        const facts = ready.has(located.state) ? await scope.snapshots.take() : undefined;
        const { holder } = place;
        return {
          holds: holdsOf(located, facts?.get(queue), place),
          ...(key !== null && holder && { deduplication: { key, ...holder } }),
        };
      }, context.signal);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
