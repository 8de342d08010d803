/**
 * Case-insensitive search and `ilike` on PostgreSQL: native, on companion columns, by hand and with nestjs-paginate, with
 * and without a trigram index.
 */

import { deepStrictEqual } from 'node:assert';
import { loadavg } from 'node:os';
import { FilterOperator, paginate } from 'nestjs-paginate';
import type { PaginateConfig } from 'nestjs-paginate';
import pg from 'pg';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { figure, table } from '../markdown.ts';
import { type Measured, measure } from '../measure.ts';
import { requestParser } from './nestjs-paginate.ts';
import { seedPostgres } from './seed-pg.ts';
import { databaseName, postgresPool, postgresUrl } from './services.ts';
import { type User, typeormDataSource, typeormEntities } from './typeorm-entities.ts';

/** A request, as the query strings of both libraries and as a condition by hand. */
interface SearchRequest {
  readonly title: string;
  readonly term: string;
  readonly isSearch: boolean;
}

const requests: readonly SearchRequest[] = [
  { title: 'search "ann"', term: 'ann', isSearch: true },
  { title: 'search "kaya.99"', term: 'kaya.99', isSearch: true },
  { title: 'name ilike "ada k"', term: 'ada k', isSearch: false },
];

const perPage = 20;
const shown = ['id', 'name', 'email'] as const;
const indexed = ['name', 'email', 'name_folded', 'email_folded'] as const;

interface Answer {
  readonly data: readonly object[];
  readonly total: number;
}

interface SearchContender {
  readonly name: string;
  answer(request: SearchRequest): Promise<Answer>;
  close(): Promise<void>;
}

/** Sluice on TypeORM: the companion columns, or the entities of a project that has none. */
async function sluice(name: string, companions: boolean): Promise<SearchContender> {
  const entities = typeormEntities('pg', companions);
  const dataSource = await typeormDataSource('pg', entities);
  const list = Object.values(entities);
  const registry = companions
    ? typeormRegistry(list)
    : typeormRegistry(list, { families: ['postgresql'] });
  const rules = defineQueryRules(registry, 'user', {
    filters: [{ path: 'name', operators: ['ilike'] }],
    search: ['name', 'email'],
    fields: { root: { allowed: shown, default: shown } },
  });
  const source = typeormSource(dataSource, entities.user, { registry });
  return {
    name,
    async answer({ term, isSearch }) {
      const text = `${isSearch ? 'search' : 'filter[name][ilike]'}=${encodeURIComponent(term)}&perPage=${perPage}`;
      const result = await runQuery(source, text, rules);
      return { data: result.data, total: 'total' in result ? Number(result.total) : Number.NaN };
    },
    close: () => dataSource.destroy(),
  };
}

/** nestjs-paginate on the columns of a project that has no companions. */
async function nestjsPaginate(): Promise<SearchContender> {
  const entities = typeormEntities('pg', false);
  const dataSource = await typeormDataSource('pg', entities);
  const users = dataSource.getRepository(entities.user);
  const parse = requestParser();
  const config: PaginateConfig<User> = {
    select: [...shown],
    sortableColumns: ['id'],
    defaultSortBy: [['id', 'ASC']],
    searchableColumns: ['name', 'email'],
    filterableColumns: { name: [FilterOperator.ILIKE] },
  };
  return {
    name: 'nestjs-paginate',
    async answer({ term, isSearch }) {
      const query = isSearch ? { search: term } : { 'filter.name': `$ilike:${term}` };
      const request = {
        protocol: 'http',
        originalUrl: '/users',
        query: { ...query, limit: String(perPage) },
        get: () => 'localhost',
      };
      const { data, meta } = await paginate(parse(request), users, config);
      return { data, total: Number(meta.totalItems) };
    },
    close: () => dataSource.destroy(),
  };
}

/** Two statements on a pool, as an engineer writes them. */
function byHand(): SearchContender {
  const pool = new pg.Pool(postgresPool());
  return {
    name: 'raw pg, ilike',
    async answer({ term, isSearch }) {
      const where = isSearch ? '(name ilike $1 or email ilike $1)' : 'name ilike $1';
      const values = [`%${term}%`];
      const [rows, totals] = await Promise.all([
        pool.query<object>(
          `select ${shown.join(', ')} from users where ${where} order by id limit ${perPage}`,
          values,
        ),
        pool.query<{ total: number }>(
          `select count(*)::int as total from users where ${where}`,
          values,
        ),
      ]);
      return { data: rows.rows, total: totals.rows[0]?.total ?? Number.NaN };
    },
    close: () => pool.end(),
  };
}

async function measured(
  list: readonly SearchContender[],
  request: SearchRequest,
  iterations: number,
): Promise<readonly Measured[]> {
  const answers = await Promise.all(list.map((each) => each.answer(request)));
  for (const [index, answer] of answers.entries()) {
    const name = list[index]?.name;
    const [own, first] = [answer, answers[0]].map((each) => JSON.parse(JSON.stringify(each)));
    deepStrictEqual(own, first, `${name} answers ${request.title} differently`);
  }
  return measure(
    list.map((each) => ({
      name: each.name,
      run: async () => JSON.stringify(await each.answer(request)),
    })),
    { iterations, rounds: 10, warmup: 5, budget: 20_000 },
  );
}

const indexName = (column: string): string => `users_${column}_trigrams`;

/** Seeds the database if need be, measures without and with the indexes, and removes them again. */
export async function runSearch(iterations: number, reseed: boolean): Promise<void> {
  await seedPostgres(reseed);
  const client = new pg.Client(postgresUrl(databaseName));
  await client.connect();
  const list = [
    byHand(),
    await nestjsPaginate(),
    await sluice('Sluice on TypeORM, native', false),
    await sluice('Sluice on TypeORM, companions', true),
  ];
  const rows = new Map(list.map(({ name }) => [name, [] as string[]]));
  try {
    for (const withIndex of [false, true]) {
      if (withIndex) {
        await client.query('create extension if not exists pg_trgm');
        for (const column of indexed) {
          const index = `create index ${indexName(column)} on users using gin`;
          await client.query(`${index} (${column} gin_trgm_ops)`);
        }
        await client.query('vacuum analyze users');
      }
      for (const request of requests) {
        for (const { name, p50 } of await measured(list, request, iterations)) {
          rows.get(name)?.push(figure(p50));
        }
      }
    }
  } finally {
    for (const column of indexed) await client.query(`drop index if exists ${indexName(column)}`);
    await client.end();
    for (const each of list) await each.close();
  }
  const head = [
    'wall p50 in ms',
    ...requests.map(({ title }) => title),
    ...requests.map(({ title }) => `${title}, index`),
  ];
  const body = [...rows].map(([name, figures]) => [name, ...figures]);
  const load = (loadavg()[0] ?? 0).toFixed(2);
  console.log(`### Search\n\n${table(head, body)}\n\nLoad average (1 min) at the end: ${load}\n`);
}
