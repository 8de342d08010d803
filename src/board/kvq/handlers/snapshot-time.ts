/** The time up to which jobs belong to a command over many of them: those that exist when it begins. */

import type { BoardQueue } from '../queue/board-queue.ts';
import { withoutData } from '../model/read-limits.ts';
import type { JobStatus } from '../model/types.ts';

/** The most that the clock of another host may be ahead, in milliseconds. */
const maxAheadMs = 60_000;

/** Newest jobs of each status whose times are looked at. */
const examined = 100;

/**
 * Now, or the time of a job of these statuses from a host whose clock is ahead of the board's. Jobs that are added while
 * times are read are not such jobs.
 */
export async function snapshotTime(
  { driver: { statuses, store } }: BoardQueue,
  asked: readonly JobStatus[],
): Promise<number> {
  const begun = Date.now();
  const known = asked.filter((status) => statuses.includes(status));
  if (known.length === 0) return begun;
  const pages = await store.pages(known, 0, examined - 1, withoutData);
  const read = Date.now();
  const ahead = pages
    .flatMap(({ jobs }) => jobs.map(({ finishedOn, timestamp }) => finishedOn ?? timestamp))
    .filter((time) => time > read && time <= read + maxAheadMs);
  return Math.max(begun, ...ahead);
}
