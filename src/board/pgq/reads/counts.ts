/** Live counts of the jobs of a queue, per state up to a cap. */

import type { PgqStateCount, PgqStateCounts } from '../../contract/index.ts';
import { type CompiledQueryRules, type ListRequestInput, planQuery } from '../../../rules/index.ts';
import { Semaphore, withTimeout } from '../../../lib/index.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { readTimeout } from '../connect/read-timeout.ts';
import type { JobState } from '../schema/tables.ts';

/** The number of jobs that a request of the rules asks for. */
export function countJobs(
  { listings, read, jobOptions }: JobSchema,
  rules: CompiledQueryRules,
  request: ListRequestInput,
): Promise<number> {
  return read((session) =>
    listings
      .source(session, 'job')
      .prepare(planQuery(request, rules, jobOptions), rules, {})
      .count(),
  );
}

/** Limits of the counts of all states. */
interface CountLimits {
  readonly countCap: number;
  readonly queryTimeoutMs: number;
}

/** Concurrent counts. A channel reads as many at a time: a count beyond them could not be withdrawn from its queue. */
const maxCounts = 3;

/**
 * The counts of all six states, each up to the cap; one statement per state. They share one time limit: a state without
 * a count at its end is `null`, and no statement starts in the last tenth of the limit.
 */
export async function stateCounts(
  schema: JobSchema,
  queueName: string,
  { countCap, queryTimeoutMs }: CountLimits,
): Promise<PgqStateCounts> {
  const semaphore = new Semaphore(maxCounts);
  const latestStart = performance.now() + 0.9 * queryTimeoutMs;
  const of = async (state: JobState): Promise<PgqStateCount> => {
    const filter = { queueName: { eq: queueName }, state: { eq: state } };
    const start = async () => {
      // At the limit, the server ends the running counts and the next would start before its own wait has ended.
      if (performance.now() > latestStart) throw readTimeout(queryTimeoutMs);
      return countJobs(schema, schema.listings.rules.cappedJobs, { filter });
    };
    try {
      const found = await withTimeout(
        semaphore.run(start, queryTimeoutMs, readTimeout),
        queryTimeoutMs,
        readTimeout,
      );
      return { count: Math.min(found, countCap), capped: found > countCap };
    } catch (error) {
      if (isTimeout(error)) return { count: null, capped: false };
      throw error;
    }
  };
  const [created, retry, active, completed, cancelled, failed] = await Promise.all([
    of('created'),
    of('retry'),
    of('active'),
    of('completed'),
    of('cancelled'),
    of('failed'),
  ]);
  return { created, retry, active, completed, cancelled, failed };
}
