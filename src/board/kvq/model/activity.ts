/** The activity of a queue, and the counts per minute from the metrics that the libraries keep. */

/** The metrics of one kind as stored: jobs counted so far, and per minute before `prevTS`, newest first. */
export interface StoredMetrics {
  readonly prevTS: number;
  readonly prevCount: number;
  readonly count: number;
  readonly data: readonly number[];
}

export interface ActivityRead {
  /** Since when the oldest waiting job could run, epoch milliseconds; `null` if none waits. */
  readonly waitingSince: number | null;
  /** Number of workers; `null` when the server does not tell. */
  readonly workers: number | null;
  /** `null` where the library records none. */
  readonly completed: StoredMetrics | null;
  readonly failed: StoredMetrics | null;
  /** Jobs finished in the last 60 seconds that are still stored. */
  readonly kept: { readonly completed: number; readonly failed: number };
}

/** The activity of a queue, or the error of reading it. */
export type ActivityResult = { readonly activity: ActivityRead } | { readonly error: Error };

/** Milliseconds of a minute. */
export const minuteMs = 60_000;

/** The counts of the last full minutes before `now`, newest first. */
export function lastMinutes(metrics: StoredMetrics, now: number, minutes: number): number[] {
  const { prevTS, prevCount, count, data } = metrics;
  const current = Math.floor(now / minuteMs);
  const base = Math.floor(prevTS / minuteMs);
  return Array.from({ length: minutes }, (_, index) => {
    const minute = current - 1 - index;
    // The library adds a minute to the list when a job finishes in a later one.
    if (minute === base) return Math.max(0, count - prevCount);
    return minute > base ? 0 : (data[base - 1 - minute] ?? 0);
  });
}

/**
 * How many of the last full minutes before `now` are known, at most `minutes`: the library keeps as many as its workers
 * are told to. One that has counted no more than it keeps has dropped none.
 */
export function knownMinutes(metrics: StoredMetrics, now: number, minutes: number): number {
  const { prevTS, prevCount, data } = metrics;
  if (data.reduce((sum, count) => sum + count, 0) >= prevCount) return minutes;
  const since = Math.floor(prevTS / minuteMs) - data.length;
  return Math.min(minutes, Math.max(0, Math.floor(now / minuteMs) - since));
}
