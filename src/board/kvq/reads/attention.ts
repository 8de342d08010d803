/** The facts for thresholds: jobs finished in the last minutes, the oldest waiting one, backlog and workers. */

import { failureMinutes } from '../../core/index.ts';
import type { AttentionReading } from '../../core/index.ts';
import { lastMinutes } from '../model/activity.ts';
import type { StoredMetrics } from '../model/activity.ts';
import { ActivityReader } from './activities.ts';
import type { QueueRegistry } from '../queue/queue-registry.ts';
import type { Snapshots } from './snapshots.ts';

/** Reads the facts of all queues of a board; a queue that cannot be read is left out. */
export function attentionReader(
  registry: QueueRegistry,
  snapshots: Snapshots,
  keepFor: number,
): () => Promise<AttentionReading[]> {
  const reader = new ActivityReader(registry, keepFor, false);
  return async () => {
    const [{ at, byQueue }, facts] = await Promise.all([
      reader.read(failureMinutes),
      snapshots.take(),
    ]);
    const sum = (metrics: StoredMetrics | null): number =>
      metrics
        ? lastMinutes(metrics, at, failureMinutes).reduce((total, count) => total + count, 0)
        : 0;
    return [...byQueue].flatMap(([queue, result]) => {
      const read = facts.get(queue);
      if ('error' in result || !read || 'error' in read) return [];
      const { completed, failed, waitingSince } = result.activity;
      const { waiting = 0, prioritized = 0 } = read.facts.counts;
      return [
        {
          queue: queue.name,
          finished: completed || failed ? { completed: sum(completed), failed: sum(failed) } : null,
          oldestMs: waitingSince === null ? 0 : Math.max(0, at - waitingSince),
          waiting: waiting + prioritized,
          hasWorkers: read.hasWorkers,
        },
      ];
    });
  };
}
