/** The time up to which jobs belong to a command over many of them: those that exist when it begins. */

import type { BoardQueue } from '../queue/board-queue.ts';
import { withoutData } from '../model/read-limits.ts';
import type { JobStatus } from '../model/types.ts';

/** The most that the clock of another host may be ahead, in milliseconds. */
const maxAheadMs = 60_000;

/** Newest jobs of each status whose times are looked at. */
const examined = 100;

/** Now, or the time of a newer job of these statuses: hosts with clocks ahead of the board's write later times. */
export async function snapshotTime(
  { driver: { statuses, store } }: BoardQueue,
  asked: readonly JobStatus[],
): Promise<number> {
  const known = asked.filter((status) => statuses.includes(status));
  const pages = await store.pages(known, 0, examined - 1, withoutData);
  const now = Date.now();
  const times = pages.flatMap(({ jobs }) =>
    jobs.map(({ finishedOn, timestamp }) => finishedOn ?? timestamp),
  );
  return Math.max(now, ...times.filter((time) => time <= now + maxAheadMs));
}
