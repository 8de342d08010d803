/** Histograms of durations with fixed bounds: buckets, merging, percentiles. */

import type { LatencyPoint } from '../../board/core/index.ts';

/** Inclusive upper bounds in milliseconds; a last bucket holds what is longer. */
export const bounds: readonly number[] = [
  10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000, 300_000, 600_000,
  1_800_000, 3_600_000, 21_600_000,
];

export const bucketCount = bounds.length + 1;

/** Counts by bucket. */
export type Histogram = readonly number[];

export const emptyHistogram = (): number[] => Array.from({ length: bucketCount }, () => 0);

/** The bucket of a duration. */
export function bucketOf(ms: number): number {
  const index = bounds.findIndex((bound) => ms <= bound);
  return index < 0 ? bounds.length : index;
}

export const totalOf = (counts: Histogram): number => counts.reduce((sum, count) => sum + count, 0);

/** Adds the counts of one histogram to another. */
export function addTo(target: number[], counts: Histogram): number[] {
  for (const [bucket, count] of counts.entries()) target[bucket] = (target[bucket] ?? 0) + count;
  return target;
}

/** A duration in a bucket, of which a share is shorter. Beyond the last bound, that bound. */
const linear = (bucket: number, share: number): number => {
  const upper = bounds[bucket] ?? bounds.at(-1) ?? 0;
  const lower = bucket === 0 ? 0 : (bounds[bucket - 1] ?? 0);
  return lower + (upper - lower) * share;
};

/** The duration below which `percent` of the jobs ran, interpolated inside its bucket; null for an empty histogram. */
export function percentile(counts: Histogram, percent: number, within = linear): number | null {
  const total = totalOf(counts);
  if (total === 0) return null;
  const rank = (percent / 100) * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      return Math.round(within(bucket, Math.max(0, (rank - below) / count)));
    }
    below += count;
  }
  return bounds.at(-1) ?? 0;
}

/** Percentiles of each histogram that has jobs. */
export function latencyPoints(
  histograms: readonly (readonly [ts: number, counts: Histogram])[],
  percentiles: readonly number[],
  within = linear,
): LatencyPoint[] {
  return histograms.flatMap(([ts, counts]) => {
    const count = totalOf(counts);
    if (count === 0) return [];
    const values = percentiles.map((each) => [String(each), percentile(counts, each, within) ?? 0]);
    return [{ ts, count, values: Object.fromEntries(values) }];
  });
}
