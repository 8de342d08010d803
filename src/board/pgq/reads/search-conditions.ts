/** The conditions of a search of jobs: named parameters, paths in JSON, and a filter as text. */

import type { PgqJobState } from '../../contract/index.ts';
import type { JsonPaths } from '../../../schema/index.ts';
import { BoardError } from '../../core/index.ts';
import type { WantedFields } from '../listings/listing-rules.ts';
import { readWhere } from '../../filters/where.ts';
import { jsonFields, messagePaths } from '../listings/search-rules.ts';
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
