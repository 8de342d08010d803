/** Groups failed attempts by their error, without what differs from job to job. */

import type { ErrorGroup, FailedAttempt } from '../../board/contract/index.ts';
import { normalizedError } from '../../lib/index.ts';
import { hourMs } from './time.ts';

export interface QueueAttempt extends FailedAttempt {
  readonly queue: string;
}

/** Days after which the attempts of a queue without new ones are forgotten. */
export const attemptDays = 90;

/** Groups by error, the most frequent first; `from` and `to` are inclusive. */
export function groupErrors(
  attempts: readonly QueueAttempt[],
  from: number,
  to: number,
): ErrorGroup[] {
  const groups = Map.groupBy(
    attempts.filter(({ at }) => at >= from && at <= to),
    ({ reason }) => normalizedError(reason),
  );
  return Array.from(groups, ([error, members]) => {
    const times = members.map(({ at }) => at);
    const latest = members.reduce((last, each) => (each.at >= last.at ? each : last));
    const hours = Map.groupBy(members, ({ at }) => Math.floor(at / hourMs) * hourMs);
    return {
      error,
      example: latest.reason,
      queues: [...new Set(members.map(({ queue }) => queue))].toSorted(),
      count: members.length,
      firstAt: times.reduce((least, at) => Math.min(least, at)),
      lastAt: latest.at,
      hours: Array.from(hours, ([ts, some]) => ({ ts, value: some.length })).toSorted(
        (left, right) => left.ts - right.ts,
      ),
    };
  }).toSorted((left, right) => right.count - left.count || right.lastAt - left.lastAt);
}
