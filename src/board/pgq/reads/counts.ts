/** Live counts: per state up to a cap for display, over several states without a cap for commands. */

import type { PgqStateCount, PgqStateCounts } from '../../contract/index.ts';
import { type CompiledQueryRules, type ListRequestInput, planQuery } from '../../../rules/index.ts';
import type { OpenSchema } from '../listings/installation.ts';
import { isTimeout } from '../connect/read-errors.ts';
import type { JobState } from '../schema/tables.ts';

function count(
  { listings, read }: OpenSchema,
  rules: CompiledQueryRules,
  request: ListRequestInput,
): Promise<number> {
  return read((session) =>
    listings.source(session, 'job').prepare(planQuery(request, rules), rules, {}).count(),
  );
}

/** The jobs of a queue in one of the states. */
export function countJobs(
  schema: OpenSchema,
  queueName: string,
  states: readonly JobState[],
): Promise<number> {
  const filter = { queueName: { eq: queueName }, state: { in: states } };
  return count(schema, schema.listings.rules.countedJobs, { filter });
}

/** A state whose count times out is `null`; the others are returned. */
async function countState(
  schema: OpenSchema,
  queueName: string,
  state: JobState,
  cap: number,
): Promise<PgqStateCount> {
  const filter = { queueName: { eq: queueName }, state: { eq: state } };
  try {
    const found = await count(schema, schema.listings.rules.cappedJobs, { filter });
    return { count: Math.min(found, cap), capped: found > cap };
  } catch (error) {
    if (isTimeout(error)) return { count: null, capped: false };
    throw error;
  }
}

/** The counts of all six states, each up to the cap; one statement per state, run concurrently. */
export async function stateCounts(
  schema: OpenSchema,
  queueName: string,
  cap: number,
): Promise<PgqStateCounts> {
  const of = (state: JobState) => countState(schema, queueName, state, cap);
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
