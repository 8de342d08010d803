/** Reads of jobs of all visible queues: the list, and the search within them. */

import type { PgqJobState, PgqJobSummary } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { JsonPaths } from '../../../schema/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import type { WantedFields } from '../listings/listing-rules.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { clockOf, withClock } from '../../filters/clock.ts';
import { readWhere } from '../../filters/where.ts';
import { jsonFields, messagePaths } from '../listings/search-rules.ts';
import { windowedPages } from '../listings/windowed-pages.ts';
import { withinLimit } from './job-rows.ts';
import { jobColumns } from './job-columns.ts';
import { jobSummary, queuesNamedBy } from './present-job.ts';
import { type SearchRequest, searchRequest } from './search-request.ts';
import type { ShownValues } from './shown-values.ts';

/** The parameters of the list. */
export interface AllJobsQuery {
  readonly state?: PgqJobState | 'pending' | undefined;
  readonly queues?: readonly string[] | undefined;
  readonly cursor?: string | undefined;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
}

/** The parameters of the search, besides conditions on paths. */
export interface SearchQuery extends AllJobsQuery {
  readonly id?: string | undefined;
  readonly key?: string | undefined;
  readonly minRetries?: number | undefined;
  readonly from?: number | undefined;
  readonly to?: number | undefined;
  readonly error?: string | undefined;
  /** A filter as text, and the moment from which it tells times. */
  readonly where?: string | undefined;
  readonly now?: number;
  /** Whether the beginnings of data and reason are read. */
  readonly brief?: boolean;
  readonly columns?: WantedFields['columns'];
}

/** The rows of a page, and the cursors of its neighbours. */
export interface JobPage {
  readonly jobs: PgqJobSummary[];
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
}

/** Parts of the time limit of a read: for the one statement of a search, and for its windows. */
const wholePart = 0.4;
const windowsPart = 0.8;

/** The years 1 and 9999: jobs of other years do not exist, and not every one of their moments can be compared. */
const firstMoment = Date.parse('0001-01-01T00:00:00Z');
const lastMoment = Date.parse('9999-12-31T23:59:59.999Z');

/** The moment as text, within the years of jobs. */
function moment(milliseconds: number | undefined): string | undefined {
  if (milliseconds === undefined) return undefined;
  return new Date(Math.min(Math.max(milliseconds, firstMoment), lastMoment)).toISOString();
}

/** The named parameters as filters of the list grammar. */
function conditionsOf(query: SearchQuery): [string, string][] {
  const { state, id, key, minRetries, from, to } = query;
  const found: [string, string | undefined][] = [
    ['state][in', state === 'pending' ? 'created,retry' : state],
    ['id][eq', id],
    ['singletonKey][like', key],
    ['retryCount][gte', minRetries === undefined ? undefined : String(minRetries)],
    ['createdOn][gte', moment(from)],
    ['createdOn][lte', moment(to)],
  ];
  return found.flatMap(([name, value]): [string, string][] =>
    value === undefined ? [] : [[`filter[${name}]`, value]],
  );
}

/** @throws {BoardError} SEARCH_FIELD_CLOSED when a condition reads a part that a formatter replaces */
function requireOpen({ closed }: ShownValues, paths: readonly string[]): void {
  const isAsked = (part: 'data' | 'output') => paths.some((path) => path.startsWith(`${part}.`));
  const field =
    (['data', 'output'] as const).find((part) => closed.has(part) && isAsked(part)) ??
    (closed.has('output') && paths.includes('error') ? 'error' : undefined);
  if (field === undefined) return;
  throw new BoardError('SEARCH_FIELD_CLOSED', { code: 'INVALID_REQUEST', options: { field } });
}

/**
 * The conditions of a search, without paging.
 *
 * @throws {BoardError} SEARCH_FIELD_CLOSED when a condition reads a part that a formatter replaces
 */
export function searchConditions(
  values: ShownValues,
  query: SearchQuery,
  rawQuery: string,
): SearchRequest {
  const { filters, paths: inBrackets } = searchRequest(rawQuery);
  const { error, where: text, now } = query;
  const read = text === undefined ? undefined : readWhere('pgq', text, now);
  const inText = [...(read?.paths ?? [])];
  requireOpen(values, [
    ...jsonFields.flatMap((part) => Object.keys(inBrackets[part]).map((path) => `${part}.${path}`)),
    ...inText,
    ...(error === undefined ? [] : ['error']),
  ]);
  for (const [name, value] of conditionsOf(query)) filters.append(name, value);
  const paths = { ...inBrackets, named: inText.filter((path) => path.includes('.')) };
  const where = read && { where: read.filter };
  if (error === undefined) return { filters, paths, ...where };
  // Other paths that the request names itself are compared as they are there.
  const output: JsonPaths = { ...messagePaths, ...paths.output, message: 'string' };
  const texts = Object.keys(messagePaths).filter((path) => output[path] === 'string');
  for (const [at, path] of texts.entries()) {
    filters.append(`filter[$or][${at}][output.${path}][like]`, error);
  }
  return { filters, paths: { ...paths, output }, ...where };
}

/** Reads of jobs of all visible queues. */
export class AllJobs {
  readonly #installation: Installation;
  readonly #queues: VisibleQueues;
  readonly #timeoutMs: number;

  readonly #values: ShownValues;

  constructor(
    installation: Installation,
    queues: VisibleQueues,
    queryTimeoutMs: number,
    values: ShownValues,
  ) {
    this.#installation = installation;
    this.#queues = queues;
    this.#values = values;
    this.#timeoutMs = queryTimeoutMs;
  }

  /** A page of the jobs of all visible queues, newest first by default. */
  list(request: HookRequest, query: AllJobsQuery, rawQuery: string): Promise<JobPage> {
    return this.#page(request, query, rawQuery, () => undefined);
  }

  /** As `list`, with the conditions of a search; a page may be short although more follow. */
  async search(
    request: HookRequest,
    query: SearchQuery,
    rawQuery: string,
  ): Promise<Pick<JobPage, 'jobs' | 'nextCursor'> & { readonly examined: number | null }> {
    let examined: number | null = null;
    const clock = clockOf(query);
    const asked = { ...query, ...clock };
    const { jobs, nextCursor } = await this.#page(request, asked, rawQuery, (rows) => {
      examined = (examined ?? 0) + rows;
    });
    return { jobs, examined, nextCursor: withClock(query.where, clock.now, nextCursor) };
  }

  #page(
    request: HookRequest,
    query: SearchQuery,
    rawQuery: string,
    examined: (rows: number) => void,
  ): Promise<JobPage> {
    const { filters, paths, where } = searchConditions(this.#values, query, rawQuery);
    filters.append('sort', query.order === 'asc' ? 'createdOn,id' : '-createdOn,-id');
    filters.append('perPage', String(query.limit));
    if (query.cursor !== undefined) filters.append('cursor', query.cursor);
    return this.#installation.open(async (opened) => {
      const schema = await this.#queues.scoped(opened, request);
      const ofStates = [...filters.keys()].some((name) => name.startsWith('filter[state]'));
      const limit = await this.#queues.ofJobs(schema, request, { queues: query.queues, ofStates });
      if (limit.operator === 'in' && limit.names.length === 0) {
        return { jobs: [], nextCursor: null, prevCursor: null };
      }
      const { rules, source, predicate } = schema.listings.search(paths);
      const fields = schema.listings.rules.listFields(query);
      if (fields !== undefined) filters.append('fields', fields);
      const page = keysetPage(
        await schema.read((session) => {
          const whole = session.connection.stops === true ? wholePart * this.#timeoutMs : 0;
          const time = { whole, all: windowsPart * this.#timeoutMs };
          return runQuery(windowedPages(source(session), time, examined), filters, rules, {
            ...schema.jobOptions,
            transformPlan: withinLimit(limit, where && [predicate(where)]),
          });
        }),
      );
      const { nextCursor, prevCursor } = page;
      const jobs = await this.#summaries(request, page.data, query, schema);
      return { jobs, nextCursor, prevCursor };
    });
  }

  async #summaries(
    request: HookRequest,
    rows: readonly PgqRow<'job'>[],
    { brief = false, columns }: WantedFields,
    schema: JobSchema,
  ): Promise<PgqJobSummary[]> {
    const named = await this.#queues.visibleAmong(request, queuesNamedBy(rows));
    const columnsOf = await jobColumns(schema, rows, columns, this.#values);
    return rows.map((row) => {
      const summary = jobSummary(row, (name) => named.has(name), brief ? this.#values : undefined);
      return { ...summary, ...columnsOf(row, summary) };
    });
  }
}
