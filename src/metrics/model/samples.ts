/** Turns samples of finished jobs into histograms by the hour in which they finished. */

import { bucketOf, emptyHistogram } from './histogram.ts';
import type { Sample } from '../../board/core/index.ts';
import type { Durations, HourDurations } from './store.ts';
import { dayMs, hourOf } from './time.ts';

/** Durations of the jobs; `total` is how many finished, of which the jobs are an even selection. */
export function hoursOf(jobs: readonly Sample[], total: number): HourDurations[] {
  const scale = jobs.length > 0 ? Math.max(1, total / jobs.length) : 1;
  const hours = Map.groupBy(jobs, ({ finished }) => hourOf(finished));
  return Array.from(hours, ([hour, some]) => ({
    hour,
    runtime: durationsOf(
      some.map(({ ran }) => ran),
      scale,
    ),
    waittime: durationsOf(
      some.flatMap(({ waited }) => waited ?? []),
      scale,
    ),
  }));
}

/** A clock that was wrong by decades must not fill the sums. */
const longestMs = 366 * dayMs;

function durationsOf(durations: readonly number[], scale: number): Durations {
  const counts = emptyHistogram();
  let sum = 0;
  for (const ms of durations) {
    const bucket = bucketOf(ms);
    counts[bucket] = (counts[bucket] ?? 0) + 1;
    sum += Math.min(ms, longestMs);
  }
  return { counts: counts.map((count) => Math.round(count * scale)), ms: Math.round(sum * scale) };
}
