/** Groups failed attempts by their error, without what differs from job to job. */

import type { ErrorGroup, FailedAttempt } from '../../board/contract/index.ts';
import { hourMs } from './time.ts';

export interface QueueAttempt extends FailedAttempt {
  readonly queue: string;
}

/** Characters of a reason that are kept. */
export const reasonLength = 500;

/** Days after which the attempts of a queue without new ones are forgotten. */
export const attemptDays = 90;

/** The parts that are taken out of a reason, in order. */
const variable: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<id>'],
  [/\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s"'<>)]{1,500}/gi, '<url>'],
  [/(?:[a-z]:)?[\\/][\w.@-]{1,100}(?:[\\/][\w.@-]{0,100}){1,30}/gi, '<path>'],
  [/\b(?=[0-9a-f]*\d)[0-9a-f]{8,}\b/gi, '<id>'],
  [/\d+(?:[.,:]\d+)*/g, '<n>'],
];

/** The first line of a reason without digits, ids and paths. */
export function normalizedError(reason: string): string {
  const [line = ''] = reason.slice(0, reasonLength).split('\n', 1);
  return variable.reduce((text, [pattern, name]) => text.replaceAll(pattern, name), line.trim());
}

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
