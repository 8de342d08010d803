/** Finds jobs in BullMQ's PostgreSQL tables through query rules, the same pipeline that lists any model. */

import { BoundedCache, TimeoutError } from '../../../lib/index.ts';
import { type ConditionText, conditionsOf } from '../../../adapters/sql/conditions.ts';
import {
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../../adapters/sql/index.ts';
import type { SqlConnection, SqlCustomize } from '../../../adapters/sql/index.ts';
import { isStorableText, QueryError } from '../../../schema/index.ts';
import type { ComputedFields, SchemaRegistry } from '../../../schema/index.ts';
import { type JobFilter, adding, changed, fieldsInJson, hidden } from '../../filters/index.ts';
import { defineQueryRules, runQuery } from '../../../rules/index.ts';
import type { Predicate } from '../../../rules/index.ts';
import { childMark } from '../model/examined.ts';
import { InvalidPosition, type JobCriteria } from '../model/search-criteria.ts';
import type { JobStatus } from '../model/types.ts';
import { dataCondition } from './data-condition.ts';
import { loanOf } from './loan.ts';
import type { SqlPool, SqlRows } from './pool.ts';
import { walkIds, type IdPage } from './walk.ts';
import { timeouts } from '../timeouts.ts';

/** Share of the statement timeout reserved for the server to report that it was exceeded. */
const grace = 0.2;

/** Prefix of positions that are ids instead of keyset cursors. */
const idMark = 'id:';

/**
 * The columns that a search reads. The key is (queue, id); a search covers one queue, in which the id alone is the key.
 */
const tables = sqlTables({
  job: {
    table: 'job',
    primaryKey: 'id',
    columns: {
      queue: 'text',
      id: 'text',
      name: 'text',
      state: {
        type: 'job_state',
        enumValues: ['waiting', 'active', 'completed', 'failed', 'delayed', 'waiting-children'],
      },
      priority: 'integer',
      failedReason: { type: 'text', column: 'failed_reason', nullable: true },
      timestamp: { type: 'bigint', column: 'added_at_ms' },
      processedOn: { type: 'bigint', column: 'processed_at_ms', nullable: true },
      finishedOn: { type: 'bigint', column: 'finished_at_ms', nullable: true },
      attemptsMade: { type: 'integer', column: 'attempts_made' },
      processedBy: { type: 'text', column: 'processed_by', nullable: true },
      data: { type: 'jsonb', nullable: true },
    },
  },
});

/** When a job ended in a state; null in others. */
const endedAs = (state: string) =>
  ({
    kind: 'bigint',
    sql: `case when {state} = '${state}' then {finishedOn} end`,
    ...hidden,
  }) as const;

const jobFields: ComputedFields[string] = {
  status: {
    kind: 'string',
    sql: `case when {state} = 'waiting' and {priority} > 0 then 'prioritized' else {state}::text end`,
    ...hidden,
  },
  duration: { kind: 'bigint', sql: '{finishedOn} - {processedOn}', ...hidden },
  failed: endedAs('failed'),
  completed: endedAs('completed'),
};

/** Fields by the names of texts, where these differ. */
const names: Readonly<Record<string, string>> = {
  added: 'timestamp',
  processed: 'processedOn',
  started: 'processedOn',
  finished: 'finishedOn',
  attempts: 'attemptsMade',
  worker: 'processedBy',
  error: 'failedReason',
  state: 'status',
};

const rulesOf = (registry: SchemaRegistry) =>
  defineQueryRules(
    registry,
    'job',
    {
      fields: { root: { allowed: ['id', 'timestamp'], default: ['id'] } },
      filters: [
        { path: 'queue', operators: ['eq'] },
        { path: 'name', operators: ['like', 'ilike'] },
        { path: 'state', operators: ['eq'] },
        { path: 'priority', operators: ['eq', 'gt'] },
        { path: 'failedReason', operators: ['like', 'ilike'] },
        { path: 'timestamp', operators: ['gte', 'lte'] },
        { path: 'finishedOn', operators: ['gte', 'lte'] },
      ],
      sorts: ['timestamp', 'id'],
      pagination: { mode: 'keyset' },
    },
    { families: ['postgresql'], maxPerPage: 300, allowUnpaginated: false },
  );

/** Sets of paths whose rules are kept; a client that invents paths replaces old ones. */
const listings = new BoundedCache<string, ReturnType<typeof listingOf>>(50);

/** The rules with the values at paths into data. */
function listingOf(paths: readonly string[]) {
  const { computed, nameOf } = fieldsInJson(paths);
  const registry = withComputedFields(sqlRegistry(tables) as SchemaRegistry, {
    job: { ...jobFields, ...computed },
  });
  return {
    registry,
    rules: rulesOf(registry),
    nameOf: (path: string) => nameOf(path) ?? names[path] ?? path,
  };
}

function listingFor({ where }: JobCriteria): ReturnType<typeof listingOf> {
  const paths = (where?.paths ?? []).toSorted();
  const key = paths.join();
  const known = listings.get(key);
  if (known) return known;
  const made = listingOf(paths);
  listings.set(key, made);
  return made;
}

/** The filter as text. A reason that may be shown otherwise is compared later, as the sender sees it. */
function whereOf({ where }: JobCriteria, { nameOf }: ReturnType<typeof listingOf>): Predicate[] {
  if (!where) return [];
  const named = changed(where.filter, (each): JobFilter => {
    const own = { ...each, path: nameOf(each.path) };
    if (each.path !== 'error') return own;
    const mark = { type: 'condition', path: own.path, operator: 'like', value: childMark } as const;
    return { type: 'or', predicates: [own, mark] };
  });
  return [named];
}

const condition = (path: string, operator: 'eq' | 'gt', value: string | number): Predicate => ({
  type: 'condition',
  path,
  operator,
  value,
});

/** A waiting job with a priority counts as prioritized. */
function inStatus(status: JobStatus): Predicate {
  const stored = status === 'prioritized' ? 'waiting' : status;
  const isState = condition('state', 'eq', stored);
  if (stored !== 'waiting') return isState;
  const priority = condition('priority', status === 'prioritized' ? 'gt' : 'eq', 0);
  return { type: 'and', predicates: [isState, priority] };
}

const inStatuses = (statuses: readonly JobStatus[]): Predicate => ({
  type: 'or',
  predicates: statuses.map(inStatus),
});

/** A whole number within the range of the column. */
function whole(value: number): string {
  const most = Number.MAX_SAFE_INTEGER;
  return String(Math.min(most, Math.max(-most, value)));
}

function requestOf(queue: string, criteria: JobCriteria): URLSearchParams {
  const request = new URLSearchParams({
    'filter[queue][eq]': queue,
    sort: '-timestamp,-id',
    perPage: String(criteria.limit),
  });
  const { name, error, from, to, after } = criteria;
  const like = criteria.ignoreCase ? 'ilike' : 'like';
  if (name !== undefined) request.set(`filter[name][${like}]`, name);
  if (error !== undefined) request.set(`filter[failedReason][${like}]`, error);
  const bounds = [
    ['timestamp', from, to],
    ['finishedOn', criteria.finishedFrom, criteria.finishedTo],
  ] as const;
  for (const [field, least, most] of bounds) {
    if (least !== undefined) request.set(`filter[${field}][gte]`, whole(Math.ceil(least)));
    if (most !== undefined) request.set(`filter[${field}][lte]`, whole(Math.floor(most)));
  }
  if (after !== undefined) request.set('cursor', after);
  return request;
}

/** The condition on the job data for the pipeline. */
function customized(criteria: JobCriteria): SqlCustomize | undefined {
  const parts = dataCondition(criteria);
  if (parts.length === 0) return undefined;
  return ({ value }) => parts.map((part) => (typeof part === 'string' ? part : value(part.value)));
}

/** A page of matching ids, newest first, and the cursor of the next page. */
async function sortedIds(
  pool: SqlPool,
  queue: string,
  criteria: JobCriteria,
  timeoutMs: number,
): Promise<IdPage> {
  // A `pg` pool of the library or the host; the board declares only a part of its interface.
  const connection = pool as SqlConnection;
  const listing = listingFor(criteria);
  const { registry, rules } = listing;
  const source = sqlSource({ connection, registry, tables, model: 'job' });
  const members = [inStatuses(criteria.statuses), ...whereOf(criteria, listing)];
  const customize = customized(criteria);
  const result = await runQuery(source, requestOf(queue, criteria), rules, {
    timeoutMs,
    transformPlan: adding(members),
    ...(customize && { customize }),
  });
  if (!('nextCursor' in result)) throw new TypeError('The rules must produce keyset pages.');
  return { ids: result.data.map((row) => String(row['id'])), next: result.nextCursor };
}

/** The criteria as a condition on the table, whose values are numbered behind `offset` others; without that on data. */
function conditionOf(
  pool: SqlPool,
  queue: string,
  { after: _after, ...criteria }: JobCriteria,
  offset: number,
): Promise<ConditionText> {
  const listing = listingFor(criteria);
  const { registry, rules } = listing;
  const members = [inStatuses(criteria.statuses), ...whereOf(criteria, listing)];
  const source = sqlSource({ connection: pool as SqlConnection, registry, tables, model: 'job' });
  return conditionsOf(
    source,
    (alone) =>
      runQuery(alone, requestOf(queue, criteria), rules, {
        customize: () => undefined,
        transformPlan: adding(members),
      }),
    offset,
  );
}

const isTimeout = (error: unknown): boolean =>
  error instanceof QueryError && error.code === 'QUERY_TIMEOUT';

/** The parts of a queue that the search uses. */
export interface SearchedQueue {
  readonly name: string;
  readonly pool: SqlPool;
  query(text: string, values: unknown[]): Promise<SqlRows['rows']>;
}

/**
 * A page of matching ids: newest first, or in id order where the queue is too large to sort in time. Only in id order
 * does the budget count the examined jobs.
 */
export async function searchIds(
  { name, pool, query }: SearchedQueue,
  criteria: JobCriteria,
): Promise<IdPage & { readonly counted: boolean }> {
  const { after } = criteria;
  const walk = async (from: string): Promise<IdPage & { readonly counted: boolean }> => {
    const condition = (offset: number) => conditionOf(pool, name, criteria, offset);
    const { ids, next } = await walkIds(query, name, criteria, condition, from);
    return { ids, next: next === null ? null : idMark + next, counted: true };
  };
  if (after?.startsWith(idMark)) {
    if (!isStorableText(after)) throw new InvalidPosition('The position is not an id.');
    return walk(after.slice(idMark.length));
  }
  try {
    const { sortMs, statementMs } = timeouts();
    const graceMs = Math.ceil(statementMs * grace);
    // The first page shows whether the queue can be sorted in time.
    const limit = after === undefined ? sortMs : statementMs - graceMs;
    const sorted = () => sortedIds(pool, name, criteria, limit);
    // The server enforces the timeout, but an unreachable server cannot report it.
    return { ...(await loanOf(pool).search(sorted, limit + graceMs)), counted: false };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    if (after === undefined) return walk('');
    throw new TimeoutError(timeouts().statementMs, { cause: error });
  }
}
