/** The history provider over a store. */

import { checkOptions, refuseArguments } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { globalQueue } from '../board/core/index.ts';
import type {
  DurationBucket,
  HistoryPoint,
  HistoryProvider,
  HistoryQuery,
  HistoryQueues,
  MinuteCount,
  TodayDurations,
} from '../board/core/index.ts';
import { addTo, bounds, emptyHistogram, latencyPoints } from './model/histogram.ts';
import type { Histogram } from './model/histogram.ts';
import { resolveRetention, retentionRows } from './model/retention.ts';
import type { MetricsHistoryOptions } from './model/retention.ts';
import type { BucketRange, Durations, MetricsStore, Series } from './model/store.ts';
import { bucketRange, combined, filled, widthOf } from './model/series.ts';
import { dayMs, dayOf, minuteOf } from './model/time.ts';
import { groupErrors } from './model/errors.ts';

/** A provider with every method of the interface. */
export type MetricsHistoryProvider = Required<HistoryProvider>;

/**
 * Serves the history of a store on a board: its option `historyProvider`.
 *
 * @throws {TypeError} when the store has another type, or an option is unknown or has a wrong type
 */
export function metricsHistoryProvider(
  store: MetricsStore,
  options?: MetricsHistoryOptions,
  ...more: readonly unknown[]
): MetricsHistoryProvider {
  refuseArguments('metricsHistoryProvider', 2, more);
  const storeRow = option.withMethods('a metrics store', 'counters', 'histograms');
  checkOptions('metricsHistoryProvider', { store }, { store: option.required(storeRow) });
  checkOptions('metricsHistoryProvider', options, retentionRows);
  const { days } = resolveRetention(options);

  return {
    source: 'recorder',
    async getHistory(query) {
      const range = bucketRange(query, query.granularity, days);
      if (!range) return [];
      const series = await store.counters(query.metric, queuesOf(query), range);
      return pointsOf(query, range, combined(series, query.metric === 'queueage'));
    },
    async getHistoryByQueue(query) {
      const range = bucketRange(query, query.granularity, days);
      const series = range ? await store.counters(query.metric, query.queues, range) : [];
      return new Map(
        query.queues.map((queue, index) => [
          queue,
          range ? pointsOf(query, range, new Map(series[index] ?? [])) : [],
        ]),
      );
    },
    async getLatency(query) {
      const { granularity, metric, percentiles } = query;
      // Hours are kept as long as days by default; a range of at most two days is read by hours, exactly.
      const unit =
        granularity === 'range' && query.to - query.from > 2 * dayMs ? 'day' : granularity;
      const range = bucketRange(query, unit === 'day' ? 'day' : 'hour', days);
      if (!range) return [];
      const merged = new Map<number, number[]>();
      const series = await store.histograms(metric, queuesOf(query), range);
      for (const [bucket, { counts }] of series.flat()) {
        const ts = granularity === 'range' ? query.from : bucket * widthOf(range.granularity);
        merged.set(ts, addTo(merged.get(ts) ?? emptyHistogram(), counts));
      }
      return latencyPoints(
        [...merged].toSorted(([left], [right]) => left - right),
        percentiles,
      );
    },
    async getRecent(queues, minutes) {
      const to = minuteOf(Date.now()) - 1;
      const from = to - minutes + 1;
      const [completed, failed] = await Promise.all([
        store.minutes('completed', queues, from, to),
        store.minutes('failed', queues, from, to),
      ]);
      const sum = (counts: readonly MinuteCount[] = []): number =>
        counts.reduce((total, [, count]) => total + count, 0);
      return new Map(
        queues.map((queue, index) => [
          queue,
          { completed: sum(completed[index]), failed: sum(failed[index]) },
        ]),
      );
    },
    async getToday(queues) {
      const today = dayOf(Date.now());
      const range = { granularity: 'day', from: today, to: today } as const;
      const [completed, failed, runtime, waittime] = await Promise.all([
        store.counters('completed', queues, range),
        store.counters('failed', queues, range),
        store.histograms('runtime', queues, range),
        store.histograms('waittime', queues, range),
      ]);
      const value = (series: Series<number> = []): number => series[0]?.[1] ?? 0;
      const durations = (series: Series<Durations> = []): TodayDurations => {
        const { counts, ms } = series[0]?.[1] ?? { counts: emptyHistogram(), ms: 0 };
        return { buckets: cumulative(counts), sumMs: ms };
      };
      return queues.map((queue, index) => ({
        queue,
        completed: value(completed[index]),
        failed: value(failed[index]),
        durations: { runtime: durations(runtime[index]), waittime: durations(waittime[index]) },
      }));
    },
    lastRecorded: () => store.lastWrite(),
    async getErrors({ queue, queues, from, to }) {
      const names = queue === undefined ? queues : [queue];
      return groupErrors(await store.attempts(names), from, to);
    },
    async getAttempts(queue, job) {
      return (await store.attempts([queue]))
        .filter((attempt) => attempt.job === job)
        .map(({ queue: _queue, ...attempt }) => attempt);
    },
    getUsage: () => store.usage(),
    purge: (scope) => store.purge(scope),
  };
}

/** The queues that a read covers. */
function queuesOf({ queue, queues }: HistoryQueues): readonly string[] {
  if (queue !== undefined) return [queue];
  return queues ?? [globalQueue];
}

/** Days of a counter include zeros, unless none was recorded; other series only what is stored. */
function pointsOf(
  { metric, granularity }: HistoryQuery,
  range: BucketRange,
  values: ReadonlyMap<number, number>,
): HistoryPoint[] {
  const width = widthOf(granularity);
  if (granularity === 'hour' || metric === 'queueage' || values.size === 0) {
    return [...values]
      .toSorted(([left], [right]) => left - right)
      .map(([bucket, value]) => ({ ts: bucket * width, value }));
  }
  const last = Math.max(Math.min(range.to, dayOf(Date.now())), ...values.keys());
  return filled(values, range.from, last, width);
}

/** Each bucket with those below it. */
function cumulative(counts: Histogram): DurationBucket[] {
  let count = 0;
  return counts.map((each, bucket) => {
    count += each;
    return { leMs: bounds[bucket] ?? Infinity, count };
  });
}
