/** Jobs of either engine as one kind of row, and the queries that list them. */

import { queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { instant } from '../format/time.ts';
import { live } from '../live/loop.ts';
import type { JobSearch } from './filter-language.ts';

export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** Attempts made, and how many there may be. */
  readonly attempts: number | undefined;
  readonly attemptsLimit: number | undefined;
  readonly added: number | undefined;
  readonly started: number | undefined;
  readonly finished: number | undefined;
  /** When a delayed job runs. */
  readonly runsAt: number | undefined;
  readonly priority: number | undefined;
  /** Percent. */
  readonly progress: number | undefined;
  /** Data as JSON text, cut. */
  readonly data: string | undefined;
  /** Reason of a failure. */
  readonly why: string | undefined;
  /** Key that a job may not share, or its group. */
  readonly key: string | undefined;
  /** Active although its worker is gone. */
  readonly orphaned: boolean;
}

export interface JobPage {
  readonly jobs: readonly JobRow[];
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
  readonly total: number | undefined;
  /** Jobs that a search has looked at. */
  readonly examined?: number | null;
}

type Summary = Answer<'GET /api/queues/{queueName}/jobs'>['jobs'][number];
type Whole = Answer<'GET /api/queues/{queueName}/search'>['jobs'][number];
type PgqSummary = Answer<'GET /api/pgq/queues/{queueName}/jobs'>['jobs'][number];

const base = {
  key: undefined,
  attemptsLimit: undefined,
  orphaned: false,
} as const;

function fromSummary(job: Summary): JobRow {
  const { timestamp, delay } = job;
  return {
    ...base,
    id: job.id,
    name: job.name ?? '',
    state: job.state,
    attempts: job.attempts,
    added: timestamp,
    started: job.processedOn ?? undefined,
    finished: job.finishedOn ?? undefined,
    runsAt:
      job.state === 'delayed' && timestamp !== undefined && delay ? timestamp + delay : undefined,
    priority: job.priority,
    progress: job.progress,
    data: job.data,
    why: job.failedReason,
    orphaned: job.isOrphaned ?? false,
  };
}

function fromWhole({ job, status }: Whole): JobRow {
  const { delay } = job;
  return {
    ...base,
    id: String(job.id ?? ''),
    name: job.name,
    state: status,
    attempts: job.attempts,
    added: job.timestamp,
    started: job.processedOn ?? undefined,
    finished: job.finishedOn ?? undefined,
    runsAt: status === 'delayed' && delay ? job.timestamp + delay : undefined,
    priority: job.priority,
    progress: typeof job.progress === 'number' ? job.progress : undefined,
    data: JSON.stringify(job.data)?.slice(0, 200),
    why: job.failedReason,
    orphaned: job.isOrphaned ?? false,
  };
}

function fromPgq(job: PgqSummary): JobRow {
  return {
    ...base,
    id: job.id,
    name: '',
    state: job.blocked ? 'blocked' : job.deferred ? 'deferred' : job.state,
    attempts: job.retryCount + (job.state === 'created' ? 0 : 1),
    attemptsLimit: job.retryLimit + 1,
    added: instant(job.createdOn),
    started: instant(job.startedOn),
    finished: instant(job.completedOn),
    runsAt: job.deferred || job.state === 'retry' ? instant(job.startAfter) : undefined,
    priority: job.priority,
    progress: undefined,
    data: undefined,
    why: undefined,
    key: job.singletonKey ?? job.groupId ?? undefined,
  };
}

export interface JobListing {
  readonly state: string;
  readonly cursor: string | undefined;
  readonly size: number;
  readonly order: 'desc' | 'asc';
  /** A search instead of a listing. */
  readonly search: JobSearch | undefined;
}

const searchedKvq = async (
  { client }: Board,
  queueName: string,
  { state, cursor, size, search }: JobListing,
  signal: AbortSignal,
): Promise<JobPage> => {
  const { jobs, nextCursor, examined } = await client.call('GET /api/queues/{queueName}/search', {
    params: { queueName },
    query: {
      ...search?.query,
      status: state === 'latest' ? undefined : state,
      cursor,
      limit: String(size),
    },
    signal,
  });
  return { jobs: jobs.map(fromWhole), nextCursor, prevCursor: null, total: undefined, examined };
};

const listedKvq = async (
  { client }: Board,
  queueName: string,
  { state, cursor, size }: JobListing,
  signal: AbortSignal,
): Promise<JobPage> => {
  const { jobs, nextCursor, total } = await client.call('GET /api/queues/{queueName}/jobs', {
    params: { queueName },
    query: { status: state, cursor, limit: String(size) },
    signal,
  });
  return { jobs: jobs.map(fromSummary), nextCursor, prevCursor: null, total };
};

const listedPgq = async (
  { client }: Board,
  queueName: string,
  { state, cursor, size, order, search }: JobListing,
  signal: AbortSignal,
): Promise<JobPage> => {
  const query = {
    state: state === 'latest' ? undefined : state,
    cursor,
    limit: String(size),
    order,
  };
  if (search) {
    const { jobs, nextCursor, examined } = await client.call('GET /api/pgq/search', {
      query: { ...query, queues: queueName, ...search.query },
      signal,
    });
    return { jobs: jobs.map(fromPgq), nextCursor, prevCursor: null, total: undefined, examined };
  }
  const { jobs, nextCursor, prevCursor } = await client.call(
    'GET /api/pgq/queues/{queueName}/jobs',
    { params: { queueName }, query, signal },
  );
  return { jobs: jobs.map(fromPgq), nextCursor, prevCursor, total: undefined };
};

export const jobPage = (board: Board, queueName: string, listing: JobListing) =>
  queryOptions({
    queryKey: [board.basePath, 'jobs', queueName, listing],
    queryFn: ({ signal }): Promise<JobPage> => {
      if (board.engine === 'pgq') return listedPgq(board, queueName, listing, signal);
      return listing.search
        ? searchedKvq(board, queueName, listing, signal)
        : listedKvq(board, queueName, listing, signal);
    },
    meta: live,
    placeholderData: (before: JobPage | undefined, query) =>
      // A page of the same queue stays until the next one is there, so that nothing jumps.
      query?.queryKey[2] === queueName ? before : undefined,
  });

/** The reason of a failure without what differs from job to job: numbers, ids, paths, quoted texts. */
export function normalError(reason: string): string {
  const [line = ''] = reason.split('\n');
  return line
    .replaceAll(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, '…')
    .replaceAll(/(?:\/[\w.@-]+){2,}/g, '…')
    .replaceAll(/"[^"]*"|'[^']*'/g, '…')
    .replaceAll(/\b(?:0x)?[\da-f]*\d[\da-f]*\b/gi, '…')
    .slice(0, 160);
}

/** The longest part of a reason that its normal form kept, to search for. */
export function longestPart(sample: string, normal: string): string {
  const parts = normal.split('…').map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest === '' ? sample.slice(0, 100) : longest;
}
