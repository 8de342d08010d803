/** The reads of a run: the jobs that its filter accepts, their number, and those that were edited meanwhile. */

import type { BulkControl } from '../../core/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { ReadSession } from '../connect/read-channel.ts';
import { isTimeout } from '../connect/read-errors.ts';
import type { PgqRow } from '../listings/listings.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { largestPart } from '../listings/listing-rules.ts';
import type { Installation } from '../listings/installation.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { countJobs } from '../reads/counts.ts';
import { findJob } from '../reads/job-rows.ts';
import type { SearchRequest } from '../reads/search-request.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import type { JobState } from '../schema/tables.ts';
import type { Seen } from './chosen-jobs.ts';
import { allowedStates } from './change-jobs.ts';
import type { LockedJob } from './locked-jobs.ts';
import { limitedTo } from './run-jobs.ts';
import type { Page, Run } from './run-jobs.ts';

/** Jobs per page of a dry run. */
const pageSize = 1_000;

/** The position behind the last page of a dry run. */
const atEnd = 'end';

/** The page of ids to which a search is limited, and which part of its statement is sent. */
interface MatchingOptions {
  readonly page?: Page;
  readonly perPage?: number;
  readonly alone?: boolean;
}

/** Where a run reads, as the sender of the run sees it. */
export interface RunScope {
  readonly installation: Installation;
  readonly queues: VisibleQueues;
  readonly values: ShownValues;
}

/** Reads the ids of jobs that the filter accepts; with `alone`, sends the conditions of that statement only. */
export function matching(
  { listings, jobOptions }: JobSchema,
  session: ReadSession,
  { queueName, action, until }: Run,
  { filters, paths, where }: SearchRequest,
  { page, perPage = largestPart, alone = false }: MatchingOptions,
) {
  const { rules, source, conditions, predicate } = listings.search(paths);
  const request = new URLSearchParams(filters);
  request.append('fields', 'id');
  // Along the key: a walk along another index would pass the whole queue for each page.
  request.append('sort', 'id');
  request.append('perPage', String(perPage));
  return runQuery((alone ? conditions : source)(session), request, rules, {
    ...jobOptions,
    ...(alone && { customize: () => undefined }),
    transformPlan: limitedTo(queueName, allowedStates[action], until, {
      page,
      conditions: where && [predicate(where)],
    }),
  });
}

/** Whether there are jobs that the filter accepts; also if the answer takes too long. */
export async function leaves(
  { installation, queues }: RunScope,
  run: Run,
  asked: SearchRequest,
): Promise<boolean> {
  try {
    return await installation.open(async (opened) => {
      const schema = await queues.require(opened, run.sender, run.queueName);
      const found = await schema.read((session) =>
        matching(schema, session, run, asked, { perPage: 1 }),
      );
      return keysetPage(found).data.length > 0;
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return true;
  }
}

/** The number of jobs in the states; `null` if counting takes too long. */
export async function countInStates(
  { installation, queues }: RunScope,
  { sender, queueName }: Run,
  states: readonly JobState[],
): Promise<number | null> {
  const filter = { queueName: { eq: queueName }, state: { in: [...states] } };
  try {
    return await installation.open(async (opened) => {
      const schema = await queues.require(opened, sender, queueName);
      return countJobs(schema, schema.listings.rules.countedJobs, { filter });
    });
  } catch (error) {
    if (!isTimeout(error)) throw error;
    return null;
  }
}

/** Why a job has failed; null where a formatter replaces it. */
function reasonOf({ state, reasonBrief }: PgqRow<'job'>, { replaced }: ShownValues): string | null {
  if (state !== 'failed') return '';
  return replaced.has('output') ? null : (reasonBrief ?? '');
}

/** When a job came into its state, or was created. */
const sinceOf = ({ completedOn, createdOn }: PgqRow<'job'>): number =>
  new Date(completedOn ?? createdOn ?? 0).getTime();

/** Counts the jobs without a lock. */
export async function countMatching(
  { installation, queues, values }: RunScope,
  { sender, queueName, action, until }: Run,
  { filters, paths, where }: SearchRequest,
  { signal, report, position, found: told }: BulkControl,
): Promise<void> {
  if (position === atEnd) return;
  let cursor: string | null = position ?? null;
  await installation.open(async (opened) => {
    const schema = await queues.require(opened, sender, queueName);
    const { rules, source, predicate } = schema.listings.search(paths);
    const conditions = where && [predicate(where)];
    do {
      const page = new URLSearchParams(filters);
      page.append('sort', 'createdOn,id');
      page.append('fields', schema.listings.rules.listFields({ brief: true }) ?? '');
      page.append('perPage', String(pageSize));
      if (cursor !== null) page.append('cursor', cursor);
      const found = keysetPage(
        await schema.read((session) =>
          runQuery(source(session), page, rules, {
            ...schema.jobOptions,
            transformPlan: limitedTo(queueName, allowedStates[action], until, { conditions }),
          }),
        ),
      );
      const { length } = found.data;
      for (const row of found.data) told?.add(reasonOf(row, values), sinceOf(row));
      cursor = found.nextCursor;
      await report({ examined: length, matched: length }, cursor ?? atEnd);
    } while (cursor !== null && !signal.aborted);
  });
}

/** The ids of jobs with another version than the one that the client has seen. */
export async function editedAmong(
  values: ShownValues,
  schema: JobSchema,
  queueName: string,
  found: readonly Pick<LockedJob, 'id'>[],
  seen: Seen,
): Promise<ReadonlySet<string>> {
  const edited = new Set<string>();
  for (const { id } of found) {
    const version = seen.get(id)?.ifUnchanged;
    if (version === undefined) continue;
    // One at a time: a job may be large.
    const row = await findJob(schema, queueName, id);
    const owner = { queueName, jobId: id };
    if (!row || values.versionOf(owner, row) !== version) edited.add(id);
  }
  return edited;
}

/** The time after all jobs so far, by the clock of the server. */
export async function timeAfterAll(installation: Installation): Promise<string> {
  const [row] = await installation.read((session) =>
    session.query('select extract(epoch from clock_timestamp()) * 1000 as now', []),
  );
  // The next millisecond, which is after every job so far.
  return new Date(Math.ceil(Number(row?.['now'] ?? 0)) + 1).toISOString();
}
