/** Handlers of what goes on in many queues, and who works on them. */

import type { QueueActivity } from '../../contract/index.ts';
import { BoardError, type EngineHandlers } from '../../core/index.ts';
import { knownMinutes, lastMinutes, type ActivityResult } from '../model/activity.ts';
import { problemOf } from '../present/present-queue.ts';
import { asError } from '../queue/problem-log.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import { ActivityReader } from '../reads/activities.ts';
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
  } satisfies Partial<EngineHandlers<'kvq'>>;
}
