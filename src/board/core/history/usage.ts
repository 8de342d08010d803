/** Sums the storage of queues to that of a history. */

import type { HistoryUsage, QueueHistoryUsage, TierUsage } from './provider.ts';

/** The storage of a queue before it is summed. */
export type QueueUsageRow = Omit<QueueHistoryUsage, 'keys' | 'bytes'>;

function sum(usages: readonly TierUsage[]): TierUsage {
  return {
    keys: usages.reduce((total, { keys }) => total + keys, 0),
    bytes: usages.reduce((total, { bytes }) => total + bytes, 0),
  };
}

/** The storage of all queues, the largest first; queues without any are left out. */
export function usageOf(rows: readonly QueueUsageRow[]): HistoryUsage {
  const queues = rows
    .map((row) => ({ ...row, ...sum(Object.values(row.tiers)) }))
    .filter(({ keys }) => keys > 0)
    .toSorted((left, right) => right.bytes - left.bytes);
  const days = queues.flatMap((queue) => queue.days).toSorted();
  return {
    ...sum(queues),
    minutes: queues.reduce((total, { minutes }) => total + minutes, 0),
    oldestDay: days[0] ?? null,
    newestDay: days.at(-1) ?? null,
    tiers: {
      minute: sum(queues.map(({ tiers }) => tiers.minute)),
      hour: sum(queues.map(({ tiers }) => tiers.hour)),
      day: sum(queues.map(({ tiers }) => tiers.day)),
    },
    queues,
  };
}
