/** Facts of queues out of the rows of the facts statement. */

import type { JobStatus } from '../types.ts';
import type { FactsResult } from '../store.ts';

type Row = Readonly<Record<string, unknown>>;

/** Finds the facts of a queue among the rows; a queue without rows has no jobs. */
export function parseFacts(
  rows: readonly Row[],
  statuses: readonly JobStatus[],
): (queue: string, withWorkers: boolean) => FactsResult {
  const facts = new Map<string, string>();
  const workers = new Set<string>();
  for (const { fact, queue, name, value } of rows) {
    if (fact === 'worker') workers.add(String(queue).split(':w:', 1)[0] ?? '');
    else facts.set(JSON.stringify([queue, fact, name]), String(value));
  }
  return (queue, withWorkers) => {
    const fact = (kind: string, name = ''): string | undefined =>
      facts.get(JSON.stringify([queue, kind, name]));
    const concurrency = fact('meta', 'concurrency');
    return {
      facts: {
        counts: Object.fromEntries(
          statuses.map((status) => [status, Number(fact('count', status) ?? 0)]),
        ),
        jobSchedulerCount: Number(fact('schedulers') ?? 0),
        isPaused: fact('meta', 'paused') !== undefined,
        globalConcurrency: concurrency === undefined ? null : Number(concurrency),
        activeRateLimitTtl: Math.max(0, Number(fact('limit') ?? 0)),
      },
      hasWorkers: withWorkers ? workers.has(queue) : null,
    };
  };
}
