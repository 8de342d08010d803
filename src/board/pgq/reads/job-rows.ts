/** Reads single jobs, and dependencies between jobs, by key. */

import type { PgqDependencyRef } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { OpenSchema } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobState } from '../schema/tables.ts';

/** The job of a queue by id, with all of its fields, read by primary key. */
export async function findJob(
  { listings, read }: OpenSchema,
  queueName: string,
  id: string,
): Promise<PgqRow<'job'> | undefined> {
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'job'),
      { filter: { queueName: { eq: queueName }, id: { eq: id } } },
      listings.rules.job,
    ),
  );
  return data[0];
}

/** Ids and states of the jobs that exist. */
export async function jobStatesById(
  { listings, read }: OpenSchema,
  queueName: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobState>> {
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'job'),
      { filter: { queueName: { eq: queueName }, id: { in: ids } }, perPage: String(ids.length) },
      listings.rules.jobStates,
    ),
  );
  const states = new Map<string, JobState>();
  for (const { id, state } of data) if (id && state) states.set(id, state);
  return states;
}

/** Dependencies that match the filter, in key order. */
export async function dependencyRows(
  { listings, read }: OpenSchema,
  filter: { readonly [path: string]: { readonly eq: string } },
): Promise<readonly PgqRow<'dependency'>[]> {
  const { data } = await read((session) =>
    runQuery(listings.source(session, 'dependency'), { filter }, listings.rules.dependencies),
  );
  return data;
}

/** One end of a dependency. */
export function refOf(queueName: string | undefined, id: string | undefined): PgqDependencyRef {
  return { queueName: queueName ?? '', id: id ?? '' };
}
