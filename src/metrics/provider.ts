/** The history provider over a store. */

import { checkOptions, refuseArguments, type OptionTableOf } from '../lib/index.ts';
import * as option from '../lib/option-rows.ts';
import { globalQueue } from '../board/core/index.ts';
import type {
  DurationBucket,
  HistoryPoint,
  HistoryProvider,
  HistoryQuery,
  HistoryQueues,
  LatencyQuery,
  MinuteCount,
  TodayDurations,
} from '../board/core/index.ts';
import { addTo, bounds, emptyHistogram, latencyPoints, type Histogram } from './model/histogram.ts';
import { resolveRetention, retentionDaysRow, retentionTable } from './model/retention.ts';
import type { MetricsRetention } from './model/retention.ts';
import type { BucketRange, Durations, MetricsStore, Series } from './model/store.ts';
import { combined } from './model/series.ts';
import { dayMs, dayOf, hourMs, hourOf, minuteOf } from './model/time.ts';
import { groupErrors } from './model/errors.ts';

/** Options of {@link metricsHistoryProvider}: as those of the recorder. */
export interface MetricsHistoryOptions {
  /** Days for which minutes, hours and days are kept. Default 7, 90 and 90. */
  readonly retention?: MetricsRetention;
  /** Days for which hours and days are kept. Default 90. */
  readonly retentionDays?: number;
}

const optionTable = {
  retention: option.objectOf(retentionTable),
  retentionDays: retentionDaysRow,
} satisfies OptionTableOf<MetricsHistoryOptions>;

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
  checkOptions('metricsHistoryProvider', options, optionTable);
  const retention = resolveRetention(options?.retention, options?.retentionDays);

  const rangeOf = ({ from, to }: LatencyQuery | HistoryQuery, granularity: 'hour' | 'day') =>
    bucketRange(from, to, granularity, retention.days);

  return {
    source: 'recorder',
    async getHistory(query) {
      const range = rangeOf(query, query.granularity);
      if (!range) return [];
      const series = await store.counters(query.metric, queuesOf(query), range);
      return pointsOf(query, range, combined(series, query.metric === 'queueage'));
    },
    async getHistoryByQueue(query) {
      const range = rangeOf(query, query.granularity);
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
      const range = rangeOf(query, unit === 'day' ? 'day' : 'hour');
      if (!range) return [];
      const merged = mergedHistograms(await store.histograms(metric, queuesOf(query), range));
      if (granularity === 'range') {
        const whole = emptyHistogram();
        for (const counts of merged.values()) addTo(whole, counts);
        return latencyPoints([[query.from, whole]], percentiles);
      }
      const width = range.granularity === 'day' ? dayMs : hourMs;
      return latencyPoints(
        [...merged].map(([bucket, counts]) => [bucket * width, counts] as const),
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

/** Buckets of the range, as far back as the retention; undefined where there are none. */
function bucketRange(
  from: number,
  to: number,
  granularity: 'hour' | 'day',
  days: number,
): BucketRange | undefined {
  // The clock of the source may be ahead.
  const end = Math.min(to, Date.now() + dayMs);
  const start = Math.max(from, end - (days + 1) * dayMs, 0);
  if (!(end >= start)) return undefined;
  const bucket = granularity === 'day' ? dayOf : hourOf;
  return { granularity, from: bucket(start), to: bucket(end) };
}

/** Days of a counter include zeros, unless none was recorded; other series only what is stored. */
function pointsOf(
  { metric, granularity }: HistoryQuery,
  range: BucketRange,
  values: ReadonlyMap<number, number>,
): HistoryPoint[] {
  const width = granularity === 'day' ? dayMs : hourMs;
  if (granularity === 'hour' || metric === 'queueage' || values.size === 0) {
    return [...values]
      .toSorted(([left], [right]) => left - right)
      .map(([bucket, value]) => ({ ts: bucket * width, value }));
  }
  const last = Math.max(Math.min(range.to, dayOf(Date.now())), ...values.keys());
  return Array.from({ length: last - range.from + 1 }, (_none, index) => ({
    ts: (range.from + index) * width,
    value: values.get(range.from + index) ?? 0,
  }));
}

/** Each bucket with those below it. */
function cumulative(counts: Histogram): DurationBucket[] {
  let count = 0;
  return counts.map((each, bucket) => {
    count += each;
    return { leMs: bounds[bucket] ?? Infinity, count };
  });
}

function mergedHistograms(all: readonly Series<Durations>[]): Map<number, number[]> {
  const merged = new Map<number, number[]>();
  for (const [bucket, { counts }] of all.flat()) {
    merged.set(bucket, addTo(merged.get(bucket) ?? emptyHistogram(), counts));
  }
  return new Map([...merged].toSorted(([left], [right]) => left - right));
}
