/** Parses facts of queues from the rows of the facts statement. */

import { pauseOf } from '../model/pause.ts';
import type { JobStatus } from '../model/types.ts';
import type { FactsResult } from '../model/store.ts';

type Row = Readonly<Record<string, unknown>>;

/** Separates the session name of the queue from the worker name. */
export const workerMark = ':w:';

/** Maximum length of a PostgreSQL session name in bytes. */
const sessionNameLength = 63;

/**
 * Whether a session name can hold the queue name and the worker separator: PostgreSQL truncates longer names and
 * replaces non-ASCII characters. The library looks for workers by session name, so for such queues it finds none.
 */
export function fitsSessionName(queue: string): boolean {
  return /^[\x20-\x7e]*$/.test(queue) && queue.length + workerMark.length <= sessionNameLength;
}

/** Selects the facts of a queue from the rows; a queue without rows has no jobs. */
export function parseFacts(
  rows: readonly Row[],
  statuses: readonly JobStatus[],
): (queue: string, withWorkers: boolean) => FactsResult {
  const facts = new Map<string, string>();
  const workers = new Set<string>();
  for (const { fact, queue, name, value } of rows) {
    if (fact === 'worker') workers.add(String(queue).split(workerMark, 1)[0] ?? '');
    else facts.set(JSON.stringify([queue, fact, name]), String(value));
  }
  return (queue, withWorkers) => {
    const fact = (kind: string, name = ''): string | undefined =>
      facts.get(JSON.stringify([queue, kind, name]));
    const [concurrency, note] = [fact('meta', 'concurrency'), fact('pause')];
    return {
      facts: {
        counts: Object.fromEntries(
          statuses.map((status) => [status, Number(fact('count', status) ?? 0)]),
        ),
        jobSchedulerCount: Number(fact('schedulers') ?? 0),
        isPaused: fact('meta', 'paused') !== undefined,
        ...(note !== undefined && { pause: pauseOf(() => note) }),
        globalConcurrency: concurrency === undefined ? null : Number(concurrency),
        activeRateLimitTtl: Math.max(0, Number(fact('limit') ?? 0)),
      },
      hasWorkers: withWorkers && fitsSessionName(queue) ? workers.has(queue) : null,
    };
  };
}
