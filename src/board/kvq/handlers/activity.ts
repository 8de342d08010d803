/** Handlers of what goes on in queues: who works on them, on which jobs, and how many over time. */

import {
  bucketsOf,
  measuredJobs,
  mostRunning,
  mostRunningQueues,
  type JobSummaryField,
  type QueueActivity,
  type QueueRunning,
} from '../../contract/index.ts';
import { BoardError, type EngineHandlers, readErrors } from '../../core/index.ts';
import type { HookRequest } from '../../core/index.ts';
import { knownMinutes, lastMinutes, type ActivityResult } from '../model/activity.ts';
import { problemOf } from '../present/present-queue.ts';
import { presentSummary } from '../present/present-summary.ts';
import { asError } from '../queue/problem-log.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { ActivityReader } from '../reads/activities.ts';
import { inboxOf } from '../reads/failures.ts';
import { assertSomeRead } from '../errors/unavailable.ts';
import type { Scope } from './scope.ts';

const unknown = { workers: null, oldestWaiting: null, perMinute: null } as const;

function present(
  queue: BoardQueue,
  result: ActivityResult,
  at: number,
  minutes: number,
): QueueActivity {
  const { name, driver } = queue;
  if ('error' in result) {
    return { queueName: name, ...unknown, problem: problemOf(queue, result.error) };
  }
  const { waitingSince, workers, completed, failed, kept } = result.activity;
  const isRecorded = completed !== null || failed !== null;
  const count = (metrics: typeof completed, length: number): number[] =>
    metrics ? lastMinutes(metrics, at, length) : Array.from({ length }, () => 0);
  const known = [completed, failed].reduce(
    (least, metrics) => (metrics ? knownMinutes(metrics, at, least) : least),
    minutes,
  );
  return {
    queueName: name,
    workers: driver.capabilities.workers ? workers : null,
    oldestWaiting: waitingSince === null ? 0 : Math.max(0, at - waitingSince),
    perMinute: isRecorded
      ? {
          completed: count(completed, 1)[0] ?? 0,
          failed: count(failed, 1)[0] ?? 0,
          source: 'metrics',
        }
      : { ...kept, source: 'jobs' },
    ...(minutes > 0 && {
      minutes: isRecorded
        ? { completed: count(completed, known), failed: count(failed, known) }
        : null,
    }),
  };
}

/** The parts of a job that a list of running ones has. */
const shownParts: ReadonlySet<JobSummaryField> = new Set(['name', 'processedOn', 'processedBy']);

/** The middle one of some durations. */
function median(durations: readonly number[]): QueueRunning['usual'] {
  const ms = durations.toSorted((one, other) => one - other)[Math.floor(durations.length / 2)];
  return ms === undefined ? null : { ms, jobs: durations.length };
}

/** The jobs of a queue that run, those that began first, and how long its last ones ran. */
async function runningIn(
  scope: Scope,
  queue: BoardQueue,
  active: number,
  request: HookRequest,
): Promise<QueueRunning> {
  const { name: queueName, driver, formatters } = queue;
  const whole = (formatters.name ?? driver.nameOf) !== undefined;
  const read = async (status: 'active' | 'completed', start: number, limit: number) => {
    const [page] = await scope.snapshots.summaries(queue, {
      statuses: [status],
      start,
      limit,
      after: null,
      withData: false,
      whole: whole && status === 'active',
      maxBytes: scope.options.maxReadBytes,
    });
    return page?.jobs ?? [];
  };
  try {
    const [jobs, ended, view] = await Promise.all([
      read('active', Math.max(0, active - mostRunning), mostRunning),
      read('completed', 0, measuredJobs),
      scope.view(request),
    ]);
    return {
      queueName,
      active,
      // The list has the last job to begin first.
      jobs: jobs.toReversed().map((summary) => {
        const {
          processedOn,
          processedBy,
          state: _state,
          ...shown
        } = presentSummary(queue, summary, 'active', view, shownParts);
        return { ...shown, worker: processedBy ?? null, startedOn: processedOn ?? null };
      }),
      usual: median(
        ended.flatMap(({ job: { processedOn, finishedOn } }) =>
          processedOn === null || finishedOn === null
            ? []
            : [Math.max(0, finishedOn - processedOn)],
        ),
      ),
    };
  } catch (thrown) {
    const error = asError(thrown);
    scope.options.problems.note(queue, 'running', error);
    return { queueName, active, jobs: [], usual: null, problem: problemOf(queue, error) };
  }
}

export function activityHandlers(scope: Scope, keepFor: number) {
  const reader = new ActivityReader(scope.registry, keepFor, scope.options.showWorkers);
  return {
    async listActivity({ query, request }) {
      const { queueName, minutes } = query;
      const visible = await scope.visible(request);
      const asked = queueName === undefined ? visible : visible.filter((q) => q.name === queueName);
      const [only] = queueName === undefined ? [] : asked;
      if (asked.length === 0) return { at: Date.now(), queues: [] };
      const { at, byQueue } = await reader.read(minutes, only);
      const results = asked.flatMap((queue) => {
        const result = byQueue.get(queue);
        return result ? [{ queue, result }] : [];
      });
      assertSomeRead(results.map(({ result }) => result));
      for (const { queue, result } of results) {
        const problem = 'error' in result ? asError(result.error) : null;
        scope.options.problems.note(queue, 'activity', problem);
      }
      return {
        at,
        queues: results.map(({ queue, result }) => present(queue, result, at, minutes)),
      };
    },

    async listWorkers({ request }) {
      const visible = await scope.visible(request);
      if (!scope.options.showWorkers) throw new BoardError('WORKERS_DISABLED');
      if (visible.length === 0) return { queues: [] };
      const byQueue = await reader.workers();
      const results = visible.flatMap((queue) => {
        const result = byQueue.get(queue);
        return result ? [{ queue, result }] : [];
      });
      assertSomeRead(results.map(({ result }) => result));
      return {
        queues: results.map(({ queue, result }) => {
          const { name: queueName } = queue;
          scope.options.problems.note(queue, 'workers', 'error' in result ? result.error : null);
          return 'error' in result
            ? { queueName, workers: null, problem: problemOf(queue, result.error) }
            : { queueName, workers: result.workers && [...result.workers] };
        }),
      };
    },
    async listRunning({ query, request, signal }) {
      const visible = await scope.visible(request, 'job.read');
      const asked = visible.filter(
        ({ name }) => query.queueName === undefined || name === query.queueName,
      );
      const at = Date.now();
      if (asked.length === 0) return { at, queues: [], others: 0 };
      const snapshot = await scope.snapshots.take();
      const busy = asked
        .flatMap((queue) => {
          const result = snapshot.get(queue);
          const active = result && 'facts' in result ? (result.facts.counts.active ?? 0) : 0;
          return active > 0 ? [{ queue, active }] : [];
        })
        .toSorted((one, other) => (one.queue.name < other.queue.name ? -1 : 1));
      const shown = busy.slice(0, mostRunningQueues);
      return scope.options.heavy.run(async () => {
        const queues = await Promise.all(
          shown.map(({ queue, active }) => runningIn(scope, queue, active, request)),
        );
        return { at, queues, others: busy.length - shown.length };
      }, signal);
    },

    async getTimeline({ query, request, signal }) {
      const { queueName } = query;
      const queue = await scope.queue({ params: { queueName }, request });
      await scope.options.permissions.require(request, 'job.read', queueName);
      const buckets = bucketsOf(query);
      const key = JSON.stringify(['timeline', scope.registry.version, queueName, buckets]);
      return scope.options.heavy.shared(key, () => queue.driver.store.timeline(buckets), signal);
    },
    async listErrors({ query, request, signal }) {
      const { queueName: only, name } = query;
      if (only !== undefined) {
        await scope.queue({ params: { queueName: only }, request });
        await scope.options.permissions.require(request, 'job.read', only);
      }
      const readable = await scope.visible(request, 'job.read');
      const queues = readable.filter((queue) => only === undefined || queue.name === only);
      const [snapshot, view] = await Promise.all([scope.snapshots.take(), scope.view(request)]);
      const inbox = inboxOf(scope.options, { queues, snapshot, view, name, signal });
      return scope.options.heavy.run(() => readErrors(query, inbox), signal);
    },
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
