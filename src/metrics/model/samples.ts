/** Turns samples of finished jobs into histograms by the hour in which they finished. */

import { bucketOf, emptyHistogram } from './histogram.ts';
import type { Sample } from './source.ts';
import type { HourHistograms } from './store.ts';
import { hourOf } from './time.ts';

/** Histograms of the jobs; `total` is how many finished, of which the jobs are an even selection. */
export function hoursOf(jobs: readonly Sample[], total: number): HourHistograms[] {
  const scale = jobs.length > 0 ? Math.max(1, total / jobs.length) : 1;
  const hours = new Map<number, { hour: number; runtime: number[]; waittime: number[] }>();
  for (const { finished, ran, waited } of jobs) {
    const hour = hourOf(finished);
    let found = hours.get(hour);
    if (!found) {
      hours.set(hour, (found = { hour, runtime: emptyHistogram(), waittime: emptyHistogram() }));
    }
    increase(found.runtime, ran);
    if (waited !== null) increase(found.waittime, waited);
  }
  const scaled = (counts: readonly number[]): number[] =>
    counts.map((count) => Math.round(count * scale));
  return Array.from(hours.values(), ({ hour, runtime, waittime }) => ({
    hour,
    runtime: scaled(runtime),
    waittime: scaled(waittime),
  }));
}

function increase(counts: number[], ms: number): void {
  const bucket = bucketOf(ms);
  counts[bucket] = (counts[bucket] ?? 0) + 1;
}
