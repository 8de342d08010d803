/** The header `Server-Timing`: its value, and how it is added beside one of the host. */

import type { QueryTimings } from '../../rules/index.ts';
import type { AnswerHeaders } from './cache-headers.ts';

const header = 'server-timing';
const millisecondDigits = 2;

/** Adds the parts of a request in the order in which they happen. */
export function addTimings(
  headers: AnswerHeaders,
  { plan, database, present }: QueryTimings,
): void {
  const timings = Object.entries({ plan, database, present }).map(
    ([name, duration]) => `${name};dur=${duration.toFixed(millisecondDigits)}`,
  );
  headers.set(header, [headers.get(header) ?? [], timings].flat().join(', '));
}
