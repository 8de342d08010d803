/** Histograms of durations with fixed bounds: buckets, merging, percentiles. */

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

/**
 * The duration below which `percent` of the jobs ran, by linear interpolation inside its bucket. Beyond the last bound,
 * that bound. Null for an empty histogram.
 */
export function percentile(counts: Histogram, percent: number): number | null {
  const total = totalOf(counts);
  if (total === 0) return null;
  const rank = (percent / 100) * total;
  let below = 0;
  for (const [bucket, count] of counts.entries()) {
    if (count > 0 && below + count >= rank) {
      const upper = bounds[bucket] ?? bounds.at(-1) ?? 0;
      const lower = bucket === 0 ? 0 : (bounds[bucket - 1] ?? 0);
      return Math.round(lower + (upper - lower) * Math.max(0, (rank - below) / count));
    }
    below += count;
  }
  return bounds.at(-1) ?? 0;
}
