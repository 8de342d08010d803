/** The families of a recorder for monitoring systems: jobs and durations since midnight (UTC), when they begin at zero. */

import type { LatencyMetric, TodayCounts } from '../history/provider.ts';
import type { MetricFamily } from './exposition.ts';

const millisecondsPerSecond = 1_000;

/** A bound in the form that OpenMetrics recommends, so that each number has one text. */
const boundOf = (seconds: number): string => {
  if (seconds === Infinity) return '+Inf';
  return Number.isInteger(seconds) ? seconds.toFixed(1) : String(seconds);
};

/** Counters and histograms of the queues. */
export function recordedFamilies(queues: readonly TodayCounts[]): MetricFamily[] {
  const counter = (result: 'completed' | 'failed'): MetricFamily => ({
    name: `sluice_recorded_${result}`,
    type: 'counter',
    help: `Jobs recorded as ${result} since midnight (UTC).`,
    samples: queues.map((counts) => ({ labels: { queue: counts.queue }, value: counts[result] })),
  });
  const histogram = (metric: LatencyMetric, help: string): MetricFamily => ({
    name: `sluice_recorded_${metric}_seconds`,
    type: 'histogram',
    help,
    samples: queues.flatMap(({ queue, durations }) => {
      const { buckets, sumMs } = durations[metric];
      return [
        ...buckets.map(({ leMs, count }) => ({
          labels: { queue, le: boundOf(leMs / millisecondsPerSecond) },
          value: count,
          suffix: '_bucket',
        })),
        { labels: { queue }, value: buckets.at(-1)?.count ?? 0, suffix: '_count' },
        { labels: { queue }, value: sumMs / millisecondsPerSecond, suffix: '_sum' },
      ];
    }),
  });
  return [
    counter('completed'),
    counter('failed'),
    histogram('runtime', 'How long jobs ran that finished since midnight (UTC).'),
    histogram('waittime', 'How long jobs waited that finished since midnight (UTC).'),
  ];
}
