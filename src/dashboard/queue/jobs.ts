/** Jobs of either engine as one kind of row, and the queries that list them. */

import { queryOptions } from '@tanstack/react-query';

import type { Board } from '../api/boards.ts';
import type { Answer } from '../api/client.ts';
import { instant } from '../format/time.ts';
import { live, liveSearch } from '../live/loop.ts';
import { shareRows } from '../live/shared-rows.ts';
import type { JobSearch } from './filter-language.ts';

export interface JobRow {
  readonly id: string;
  readonly name: string;
  readonly state: string;
  /** Attempts made, and how many there may be. */
  readonly attempts?: number | undefined;
  readonly attemptsLimit?: number | undefined;
  readonly added?: number | undefined;
  readonly started?: number | undefined;
  readonly finished?: number | undefined;
  /** When a delayed job runs. */
  readonly runsAt?: number | undefined;
  readonly priority?: number | undefined;
  /** Percent. */
  readonly progress?: number | undefined;
  /** Progress that is not a number, as JSON text. */
  readonly progressText?: string | undefined;
  /** The name of the worker that runs it, or has run it. */
  readonly worker?: string | undefined;
  /** Data as JSON text, cut. */
  readonly data?: string | undefined;
  /** Reason of a failure. */
  readonly why?: string | undefined;
  /** Key that a job may not share, or its group. */
  readonly key?: string | undefined;
  /** Group of jobs of pg-boss. */
  readonly group?: string | undefined;
  /** Key with which no two jobs run at a time, by the policy of the queue. */
  readonly singleton?: string | undefined;
  /** Active although its worker is gone. */
  readonly orphaned?: boolean;
  /** Values of the fields that were asked for, as JSON texts. */
  readonly columns?: readonly (string | null)[] | undefined;
}

export interface JobPage {
  readonly jobs: readonly JobRow[];
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
  readonly total: number | undefined;
  /** Jobs that a search has looked at. */
  readonly examined?: number | null;
  /** Whether the search is still under way. */
  readonly goesOn?: boolean;
  /** Milliseconds that it took. */
  readonly took?: number;
}

type Summary = Answer<'GET /api/queues/{queueName}/jobs'>['jobs'][number];
type Whole = Answer<'GET /api/queues/{queueName}/search'>['jobs'][number];
type PgqSummary = Answer<'GET /api/pgq/queues/{queueName}/jobs'>['jobs'][number];

/** The attempt that a job is at. BullMQ counts those that have ended. */
export const attemptOf = (
  { state, attempts }: { readonly state: string; readonly attempts?: number | undefined },
  countsEnded: boolean,
): number | undefined =>
  attempts !== undefined && countsEnded && state === 'active' ? attempts + 1 : attempts;

function fromKvq(
  job: Omit<Summary, 'state' | 'data' | 'progress' | 'progressText' | 'columns'>,
  {
    state,
    data,
    progress,
    progressText,
    columns,
  }: Pick<JobRow, 'state' | 'data' | 'progress' | 'progressText' | 'columns'>,
): JobRow {
  const { timestamp, delay } = job;
  const runsByDelay = timestamp !== undefined && delay ? timestamp + delay : undefined;
  return {
    id: job.id,
    name: job.name ?? '',
    state,
    attempts: job.attempts,
    added: timestamp,
    started: job.processedOn ?? undefined,
    finished: job.finishedOn ?? undefined,
    runsAt: state === 'delayed' ? (job.runsAt ?? runsByDelay) : undefined,
    priority: job.priority,
    progress,
    progressText,
    worker: job.processedBy ?? undefined,
    data,
    why: job.failedReason,
    orphaned: job.isOrphaned ?? false,
    columns,
  };
}

const fromSummary = (job: Summary): JobRow => fromKvq(job, job);

const fromWhole = ({ job, status: state, columns }: Whole): JobRow =>
  fromKvq(
    { ...job, id: String(job.id ?? '') },
    {
      state,
      columns,
      data: JSON.stringify(job.data)?.slice(0, 200),
      ...(typeof job.progress === 'number'
        ? { progress: job.progress }
        : { progressText: JSON.stringify(job.progress).slice(0, 200) }),
    },
  );

function fromPgq(job: PgqSummary): JobRow {
  return {
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
    data: job.brief?.data,
    why: job.brief?.reason,
    key: job.singletonKey ?? job.groupId ?? undefined,
    group: job.groupId ?? undefined,
    singleton: job.singletonKey ?? undefined,
    columns: job.columns,
  };
}

/** States whose jobs have ended: of these, a range is one of the time at which they did. */
const ended: ReadonlySet<string> = new Set(['completed', 'failed', 'cancelled']);

/** The conditions of a range of time: when the jobs of the state were added, or ended. */
export function within(
  engine: 'kvq' | 'pgq',
  state: string,
  { from, to }: { readonly from: number; readonly to: number },
): Readonly<Record<string, string>> {
  if (!ended.has(state)) return { from: String(from), to: String(to) };
  if (engine === 'kvq') return { finishedFrom: String(from), finishedTo: String(to) };
  return {
    'filter[completedOn][gte]': new Date(from).toISOString(),
    // A database has parts of a millisecond.
    'filter[completedOn][lt]': new Date(to + 1).toISOString(),
  };
}

export interface JobListing {
  readonly state: string;
  readonly cursor: string | undefined;
  readonly size: number;
  readonly order: 'desc' | 'asc';
  /** A search instead of a listing. */
  readonly search: JobSearch | undefined;
  /** Fields of which each job has the value; undefined for none. */
  readonly columns?: string | undefined;
}

/** The numbers of rows that are offered for a page; an address may name another one. */
export const pageSizes = [50, 100, 500, 1_000] as const;

/** The size that a view names, or the usual one. */
export const pageSizeOf = ({ size }: { readonly size?: string | undefined }): number =>
  /^[1-9][0-9]{0,2}$/.test(size ?? '') || Number(size) === 1_000 ? Number(size) : pageSizes[0];

/** Jobs that the board gives in one answer. */
export const perAnswer = 100;

/** Milliseconds of a search that is not repeated by itself. */
export const longSearch = 2_000;

let isStopped = false;

/** Ends the search that is under way, with what it has found. */
export const stopSearch = (): void => {
  isStopped = true;
};

type ReadPage = (
  board: Board,
  queueName: string,
  listing: JobListing,
  signal: AbortSignal,
) => Promise<JobPage>;

const searchedKvq: ReadPage = async (
  { client },
  queueName,
  { state, cursor, size, search, columns },
  signal,
) => {
  const { jobs, nextCursor, examined } = await client.call('GET /api/queues/{queueName}/search', {
    params: { queueName },
    query: {
      ...search?.query,
      status: state === 'latest' ? undefined : state,
      cursor,
      limit: String(size),
      columns,
    },
    signal,
  });
  return { jobs: jobs.map(fromWhole), nextCursor, prevCursor: null, total: undefined, examined };
};

const listedKvq: ReadPage = async (
  { client },
  queueName,
  { state, cursor, size, columns },
  signal,
) => {
  const { jobs, nextCursor, total } = await client.call('GET /api/queues/{queueName}/jobs', {
    params: { queueName },
    query: { status: state, cursor, limit: String(size), columns },
    signal,
  });
  return { jobs: jobs.map(fromSummary), nextCursor, prevCursor: null, total };
};

const listedPgq: ReadPage = async (
  { client },
  queueName,
  { state, cursor, size, order, search, columns },
  signal,
) => {
  const query = {
    state: state === 'latest' ? undefined : state,
    cursor,
    limit: String(size),
    order,
    brief: '1' as const,
    columns,
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

/** One answer of a listing or a search. */
export const readJobs: ReadPage = (board, queueName, listing, signal) => {
  const kvq = listing.search ? searchedKvq : listedKvq;
  return (board.engine === 'pgq' ? listedPgq : kvq)(board, queueName, listing, signal);
};

/**
 * A long page: one answer after the other, since each begins where the last one has ended. A search that has looked at many
 * jobs goes on until the page is full or the person stops it, and tells what it has found.
 */
async function readWhole(
  board: Board,
  queueName: string,
  listing: JobListing,
  signal: AbortSignal,
  tell: (page: JobPage) => void,
): Promise<JobPage> {
  const begun = performance.now();
  isStopped = false;
  const next = (cursor: string | undefined, size: number): Promise<JobPage> =>
    readJobs(board, queueName, { ...listing, cursor, size: Math.min(size, perAnswer) }, signal);
  let page = await next(listing.cursor, listing.size);
  const isSearch = listing.search !== undefined;
  while (page.nextCursor !== null && page.jobs.length < listing.size) {
    if (isSearch && isStopped) break;
    if (isSearch) tell({ ...page, goesOn: true });
    const { jobs, nextCursor, examined } = await next(
      page.nextCursor,
      listing.size - page.jobs.length,
    );
    const known = new Set(page.jobs.map(({ id }) => id));
    // A job that has moved in the meantime may be in two answers.
    const others = jobs.filter(({ id }) => !known.has(id));
    const both = page.examined !== null && examined !== null;
    page = {
      ...page,
      jobs: [...page.jobs, ...others],
      nextCursor,
      ...(isSearch && { examined: both ? (page.examined ?? 0) + (examined ?? 0) : null }),
    };
  }
  if (isSearch) page = { ...page, took: performance.now() - begun };
  // The cursor before a page leads back by one answer.
  return listing.size > perAnswer ? { ...page, prevCursor: null } : page;
}

const idOf = ({ id }: JobRow): string => id;

/** The page with the jobs that are as they were, by id: a new job moves all others. An equal page is the one before. */
function sharePage(before: JobPage | undefined, page: JobPage): JobPage {
  if (!before) return page;
  const jobs = shareRows(before.jobs, page.jobs, idOf);
  const isSame =
    jobs === before.jobs &&
    page.nextCursor === before.nextCursor &&
    page.prevCursor === before.prevCursor &&
    page.total === before.total &&
    page.examined === before.examined &&
    page.goesOn === before.goesOn;
  return isSame ? before : { ...page, jobs };
}

export const jobPage = (board: Board, queueName: string, listing: JobListing) =>
  queryOptions({
    queryKey: [board.basePath, 'jobs', queueName, listing],
    queryFn: async ({ signal, client, queryKey }): Promise<JobPage> => {
      const { data: before, isInvalidated } = client.getQueryState<JobPage>(queryKey) ?? {};
      // A command on jobs invalidates it.
      const isKept = !before?.goesOn && !isInvalidated && (before?.took ?? 0) > longSearch;
      if (before && isKept) return before;
      return readWhole(board, queueName, listing, signal, (page) => {
        if (!signal.aborted) client.setQueryData(queryKey, page);
      });
    },
    structuralSharing: (before, page) => sharePage(before as JobPage | undefined, page as JobPage),
    meta: listing.search ? liveSearch : live,
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

const errorNames = new WeakMap<JobRow, string>();

/** The normal form of the reason of a job. */
export function errorName(job: JobRow): string {
  let name = errorNames.get(job);
  if (name === undefined) {
    name = normalError(job.why ?? '');
    errorNames.set(job, name);
  }
  return name;
}

/** The longest part of a reason that its normal form kept, to search for. */
export function longestPart(sample: string, normal: string): string {
  const parts = normal.split('…').map((part) => part.trim());
  const longest = parts.reduce((best, part) => (part.length > best.length ? part : best), '');
  return longest === '' ? sample.slice(0, 100) : longest;
}
