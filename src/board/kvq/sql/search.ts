/** Finds jobs in BullMQ's PostgreSQL tables through query rules: the same pipeline that lists any model. */

import { TimeoutError, withTimeout } from '../../../lib/index.ts';
import { sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import { bigint, integer, pgEnum, pgTable, text } from 'drizzle-orm/pg-core';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzleRegistry, drizzleSource } from '../../../adapters/drizzle/index.ts';
import { isStorableText, QueryError } from '../../../schema/index.ts';
import { defineQueryRules, runQuery } from '../../../rules/index.ts';
import type { Predicate, QueryPlan } from '../../../rules/index.ts';
import { InvalidPlace } from '../model/search-criteria.ts';
import type { JobCriteria } from '../model/search-criteria.ts';
import type { JobStatus } from '../model/types.ts';
import type { SqlPool, SqlRows } from './pool.ts';
import { walkIds } from './walk.ts';
import type { IdPage } from './walk.ts';
import { timeouts } from '../timeouts.ts';

/** Part of a statement's time that a server has to report that its limit is over. */
const grace = 0.2;

/** What places begin with that are ids, and not cursors of the rules. */
const idMark = 'id:';

const state = pgEnum('job_state', [
  'waiting',
  'active',
  'completed',
  'failed',
  'delayed',
  'waiting-children',
]);

/** What a search looks at. The key is (queue, id); a search is of one queue, within which the id is the key. */
const tables = {
  job: pgTable('job', {
    queue: text('queue').notNull(),
    id: text('id').primaryKey(),
    name: text('name').notNull(),
    state: state('state').notNull(),
    priority: integer('priority').notNull(),
    failedReason: text('failed_reason'),
    timestamp: bigint('added_at_ms', { mode: 'number' }).notNull(),
  }),
};

const registry = drizzleRegistry(tables);

const rules = defineQueryRules(
  registry,
  'job',
  {
    fields: { root: { allowed: ['id'], default: ['id'] } },
    filters: [
      { path: 'queue', operators: ['eq'] },
      { path: 'name', operators: ['like'] },
      { path: 'state', operators: ['eq'] },
      { path: 'priority', operators: ['eq', 'gt'] },
      { path: 'failedReason', operators: ['like'] },
      { path: 'timestamp', operators: ['gte', 'lte'] },
    ],
    sorts: ['timestamp', 'id'],
    pagination: { mode: 'keyset' },
  },
  { families: ['postgresql'], maxPerPage: 100, allowUnpaginated: false },
);

type Database = PgDatabase<PgQueryResultHKT>;

const databases = new WeakMap<SqlPool, Database>();

/** Drizzle on the library's own pool, whose search path leads to the tables. */
function databaseOn(pool: SqlPool): Database {
  let database = databases.get(pool);
  if (!database) {
    // The pool is one of `pg`, whoever made it; what the board knows of it is less.
    database = drizzle({ client: pool as never });
    databases.set(pool, database);
  }
  return database;
}

const condition = (path: string, operator: 'eq' | 'gt', value: string | number): Predicate => ({
  type: 'condition',
  path,
  operator,
  value,
});

/** Waiting jobs with a priority are prioritized ones. */
function inStatus(status: JobStatus): Predicate {
  const stored = status === 'prioritized' ? 'waiting' : status;
  const isState = condition('state', 'eq', stored);
  if (stored !== 'waiting') return isState;
  const priority = condition('priority', status === 'prioritized' ? 'gt' : 'eq', 0);
  return { type: 'and', predicates: [isState, priority] };
}

function inStatuses(plan: QueryPlan, statuses: readonly JobStatus[]): QueryPlan {
  const anyOf: Predicate = { type: 'or', predicates: statuses.map(inStatus) };
  return {
    ...plan,
    where: { type: 'and', predicates: plan.where ? [plan.where, anyOf] : [anyOf] },
  };
}

/** A whole number that the column could hold. */
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
  if (name !== undefined) request.set('filter[name][like]', name);
  if (error !== undefined) request.set('filter[failedReason][like]', error);
  if (from !== undefined) request.set('filter[timestamp][gte]', whole(Math.ceil(from)));
  if (to !== undefined) request.set('filter[timestamp][lte]', whole(Math.floor(to)));
  if (after !== undefined) request.set('cursor', after);
  return request;
}

/** A page of ids that fit, newest first, and the cursor of the next one. */
async function sortedIds(
  pool: SqlPool,
  queue: string,
  criteria: JobCriteria,
  timeoutMs: number,
): Promise<IdPage> {
  const source = drizzleSource({ db: databaseOn(pool), registry, tables, model: 'job' });
  const { path, value } = criteria;
  const result = await runQuery(source, requestOf(queue, criteria), rules, {
    timeoutMs,
    transformPlan: (plan) => inStatuses(plan, criteria.statuses),
    ...(path && {
      customize: (builder) => {
        const at = sql.param(path);
        return builder.where(
          value === undefined
            ? sql`data #> ${at}::text[] is not null`
            : sql`data #> ${at}::text[] is not null and coalesce(data #>> ${at}::text[], 'null') = ${value}`,
        );
      },
    }),
  });
  if (!('nextCursor' in result)) throw new TypeError('The rules give keyset pages.');
  return { ids: result.data.flatMap((row) => row.id ?? []), next: result.nextCursor };
}

const isTimeout = (error: unknown): boolean =>
  error instanceof QueryError && error.code === 'QUERY_TIMEOUT';

/** What the search needs of the queue. */
export interface SearchedQueue {
  readonly name: string;
  readonly pool: SqlPool;
  query(text: string, values: unknown[]): Promise<SqlRows['rows']>;
}

/**
 * A page of ids that fit: newest first, or along the ids where the queue is too large to be sorted in time. How many
 * jobs it has looked at is `counted` by the budget in the second case.
 */
export async function searchIds(
  { name, pool, query }: SearchedQueue,
  criteria: JobCriteria,
): Promise<IdPage & { readonly counted: boolean }> {
  const { after } = criteria;
  const walk = async (from: string): Promise<IdPage & { readonly counted: boolean }> => {
    const { ids, next } = await walkIds(query, name, criteria, from);
    return { ids, next: next === null ? null : idMark + next, counted: true };
  };
  if (after?.startsWith(idMark)) {
    if (!isStorableText(after)) throw new InvalidPlace('This is no id.');
    return walk(after.slice(idMark.length));
  }
  try {
    const { sortMs, statementMs } = timeouts();
    const graceMs = Math.ceil(statementMs * grace);
    // The first page shows whether the queue can be sorted in time.
    const limit = after === undefined ? sortMs : statementMs - graceMs;
    const sorted = sortedIds(pool, name, criteria, limit);
    // The server keeps the limit; whether it is there at all, it does not say.
    return { ...(await withTimeout(sorted, limit + graceMs)), counted: false };
  } catch (error) {
    if (!isTimeout(error)) throw error;
    if (after === undefined) return walk('');
    throw new TimeoutError(timeouts().statementMs, { cause: error });
  }
}
