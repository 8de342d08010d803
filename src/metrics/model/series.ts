/** Combines the series of queues. */

import type { Series } from './store.ts';

/** One series of several queues: sums, or the maximum of a gauge. */
export function combined(all: readonly Series<number>[], isGauge: boolean): Map<number, number> {
  const values = new Map<number, number>();
  for (const [bucket, value] of all.flat()) {
    const before = values.get(bucket) ?? 0;
    values.set(bucket, isGauge ? Math.max(before, value) : before + value);
  }
  return values;
}
