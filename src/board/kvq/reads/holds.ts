/** The reasons that hold a job back: its own state, the limits of its queue, and the jobs that come first. */

import type { JobHold } from '../../contract/index.ts';
import type { JobPlace } from '../model/course.ts';
import type { FactsResult, LocatedJob } from '../model/store.ts';

/** States of jobs that a worker could take. */
export const ready: ReadonlySet<string> = new Set(['waiting', 'prioritized', 'paused']);

/** The reasons that hold a job back which a worker could take. */
function ofReady(
  result: FactsResult | undefined,
  { ahead, capped = false }: JobPlace,
  now: number,
): JobHold[] {
  const order: JobHold[] = ahead
    ? [{ reason: 'order', count: ahead, ...(capped && { capped }) }]
    : [];
  if (!result || 'error' in result) return order;
  const { facts, hasWorkers } = result;
  const { isPaused, activeRateLimitTtl: limited, globalConcurrency: limit } = facts;
  const { active: count = 0 } = facts.counts;
  return [
    ...(isPaused ? [{ reason: 'paused' as const }] : []),
    ...(hasWorkers === false ? [{ reason: 'no-worker' as const }] : []),
    ...(limited > 0 ? [{ reason: 'rate-limit' as const, until: now + limited }] : []),
    ...(limit !== null && count >= limit ? [{ reason: 'concurrency' as const, count, limit }] : []),
    ...order,
  ];
}

/** The reasons, the most general first. */
export function holdsOf(
  { job, state }: LocatedJob,
  result: FactsResult | undefined,
  place: JobPlace,
): JobHold[] {
  const now = Date.now();
  if (ready.has(state)) return ofReady(result, place, now);
  if (state === 'waiting-children') return [{ reason: 'children', count: place.children }];
  const until = job.runsAt ?? job.timestamp + job.delay;
  if (state !== 'delayed' || until <= now) return [];
  return [{ reason: job.attemptsMade > 0 ? 'backoff' : 'delayed', until }];
}
