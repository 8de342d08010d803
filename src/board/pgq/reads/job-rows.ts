/** Reads single jobs, and dependencies between jobs, by key. */

import type { PgqDependencyRef } from '../../contract/index.ts';
import { type Predicate, type TransformPlan, runQuery } from '../../../rules/index.ts';
import { adding } from '../../filters/index.ts';
import type { OpenSchema } from '../listings/installation.ts';
import type { JobSchema, QueueLimit } from '../listings/visible-queues.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobState } from '../schema/tables.ts';
import { BoardError } from '../../core/index.ts';

const uuidText = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** @throws {BoardError} INVALID_QUERY_PARAM when the id in a path is not a UUID */
export function requireJobId(jobId: string): void {
  if (uuidText.test(jobId)) return;
  throw new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: 'jobId' },
  });
}

/** The job of a queue by id, with all of its fields, read by primary key. */
export async function findJob(
  { listings, read, jobOptions }: JobSchema,
  queueName: string,
  id: string,
): Promise<PgqRow<'job'> | undefined> {
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'job'),
      { filter: { queueName: { eq: queueName }, id: { eq: id } } },
      listings.rules.job,
      jobOptions,
    ),
  );
  return data[0];
}

/** Ids and states of the jobs that exist and that the sender may see. */
export async function jobStatesById(
  { listings, read, jobOptions }: JobSchema,
  queueName: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, JobState>> {
  const { data } = await read((session) =>
    runQuery(
      listings.source(session, 'job'),
      { filter: { queueName: { eq: queueName }, id: { in: ids } }, perPage: String(ids.length) },
      listings.rules.jobStates,
      jobOptions,
    ),
  );
  const states = new Map<string, JobState>();
  for (const { id, state } of data) if (id && state) states.set(id, state);
  return states;
}

const among = (
  path: string,
  names: readonly string[],
  operator: QueueLimit['operator'] = 'in',
): Predicate => ({ type: 'condition', path, operator, value: names });

/** Limits a plan over jobs to some queues. */
export const inQueues = (names: readonly string[]): TransformPlan =>
  adding([among('queueName', names)]);

/** Limits a plan over jobs to the queues that a sender may see, and by further conditions. */
export const withinLimit = (
  { operator, names }: QueueLimit,
  conditions: readonly Predicate[] = [],
): TransformPlan => {
  const isAll = names.length === 0 && operator === 'notIn';
  return adding([...(isAll ? [] : [among('queueName', names, operator)]), ...conditions]);
};

/** The references to jobs that the sender may see. */
export async function withinScope(
  { listings, read, jobOptions }: JobSchema,
  refs: readonly PgqDependencyRef[],
): Promise<PgqDependencyRef[]> {
  if (!jobOptions.scope || refs.length === 0) return [...refs];
  const key = (queueName: string, id: string) => `${id} ${queueName}`;
  const seen = new Set<string>();
  for (const queueName of new Set(refs.map((ref) => ref.queueName))) {
    const ids = refs.filter((ref) => ref.queueName === queueName).map(({ id }) => id);
    const { data } = await read((session) =>
      runQuery(
        listings.source(session, 'job'),
        { filter: { queueName: { eq: queueName } }, paginate: 'false' },
        listings.rules.jobStates,
        { ...jobOptions, transformPlan: adding([among('id', ids)]) },
      ),
    );
    for (const { id = '' } of data) seen.add(key(queueName, id));
  }
  return refs.filter(({ queueName, id }) => seen.has(key(queueName, id)));
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
