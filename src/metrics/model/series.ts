/** Series by hour or day: their ranges, their sums over queues, and their gaps. */

import type { HistoryPoint } from '../../board/core/index.ts';
import type { BucketRange, Series } from './store.ts';
import { dayMs, hourMs } from './time.ts';

/** Milliseconds of a bucket. */
export const widthOf = (granularity: BucketRange['granularity']): number =>
  granularity === 'day' ? dayMs : hourMs;

/** Buckets of the range, as far back as the days; undefined where there are none. */
export function bucketRange(
  { from, to }: { readonly from: number; readonly to: number },
  granularity: BucketRange['granularity'],
  days: number,
): BucketRange | undefined {
  // The clock of the source may be ahead.
  const end = Math.min(to, Date.now() + dayMs);
  const start = Math.max(from, end - (days + 1) * dayMs, 0);
  const bucket = (ms: number): number => Math.floor(ms / widthOf(granularity));
  return end >= start ? { granularity, from: bucket(start), to: bucket(end) } : undefined;
}

/** One series of several queues: sums, or the maximum of a gauge. */
export function combined(all: readonly Series<number>[], isGauge: boolean): Map<number, number> {
  const values = new Map<number, number>();
  for (const [bucket, value] of all.flat()) {
    const before = values.get(bucket) ?? 0;
    values.set(bucket, isGauge ? Math.max(before, value) : before + value);
  }
  return values;
}

/** A point of each bucket from one to another, zero where there is no value. */
export const filled = (
  values: ReadonlyMap<number, number>,
  first: number,
  last: number,
  width: number,
): HistoryPoint[] =>
  Array.from({ length: Math.max(0, last - first + 1) }, (_none, index) => ({
    ts: (first + index) * width,
    value: values.get(first + index) ?? 0,
  }));
