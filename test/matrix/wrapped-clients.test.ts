/**
 * Hosts that wrap `query` of the clients or of the pool of `pg`, for logs, comments and tenants: the answers are those of a
 * plain pool, and pass through the host's code.
 */

import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, text } from 'drizzle-orm/pg-core';
import pg from 'pg';
import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** Runs until the statements have names and run in one round trip. */
const runs = 24;
const model = 'thing';
const table = pgTable('things', {
  id: integer().primaryKey(),
  tenant: integer().notNull(),
  word: text().notNull(),
});
const sql = sqlTables({
  thing: {
    table: 'things',
    primaryKey: 'id',
    columns: { id: 'integer', tenant: 'integer', word: 'text' },
  },
});
const entity = new EntitySchema<{ id: number; tenant: number; word: string }>({
  name: 'thing',
  tableName: 'things',
  columns: {
    id: { type: 'int', primary: true },
    tenant: { type: 'int' },
    word: { type: 'text' },
  },
});

interface Lists {
  readonly source: QuerySource;
  readonly registry: SchemaRegistry;
}

type Wrap = (client: pg.ClientBase) => void;

const adapters = {
  sql: async (pool: pg.Pool): Promise<Lists> => {
    const registry = sqlRegistry(sql);
    return { registry, source: sqlSource({ connection: pool, registry, tables: sql, model }) };
  },
  drizzle: async (pool: pg.Pool): Promise<Lists> => {
    const tables = { thing: table };
    const registry = drizzleRegistry(tables);
    return { registry, source: drizzleSource({ db: drizzle(pool), registry, tables, model }) };
  },
  typeorm: async ({ options }: pg.Pool, wrap): Promise<Lists> => {
    const url = options.connectionString as string;
    const dataSource = new DataSource({ type: 'postgres', url, entities: [entity], poolSize: 2 });
    onTestFinished(() => dataSource.destroy());
    await dataSource.initialize();
    const { master } = dataSource.driver as unknown as { readonly master: pg.Pool };
    master.on('connect', wrap);
    const known = await master.connect();
    wrap(known);
    known.release();
    const registry = typeormRegistry([entity]);
    return { registry, source: typeormSource(dataSource, entity) };
  },
} satisfies Readonly<Record<string, (pool: pg.Pool, wrap: Wrap) => Promise<Lists>>>;

type Query = (...given: unknown[]) => unknown;

const isConfig = (given: unknown): given is { text: string; values?: unknown[] } =>
  typeof given === 'object' && given !== null;

/** Wrappers of a client's `query`, as applications write them. */
const wrappers: Readonly<Record<string, (query: Query) => Query>> = {
  'copies the query to add a comment':
    (query) =>
    (first, ...rest) =>
      query(isConfig(first) ? { ...first, text: `${first.text} /* app */` } : first, ...rest),
  'copies the query':
    (query) =>
    (first, ...rest) =>
      query(isConfig(first) ? Object.assign({}, first) : first, ...rest),
  'passes text and values on': (query) => (first, values, callback) => {
    if (!isConfig(first)) return query(first, values, callback);
    const { text: asked, values: bound, ...more } = first;
    return query({ text: asked, values: bound ?? values, ...more }, callback);
  },
  'waits for a promise':
    (query) =>
    (...given) => {
      const begun = performance.now();
      const answer = query(...given) as Promise<unknown>;
      if (typeof given.at(-1) === 'function') return answer;
      return answer.then((result) => {
        expect(performance.now()).toBeGreaterThanOrEqual(begun);
        return result;
      });
    },
  'is asynchronous':
    (query) =>
    async (...given) => {
      await Promise.resolve();
      return query(...given);
    },
  'reads the result in a callback':
    (query) =>
    (first, ...rest) => {
      const given = first as { callback?: (error: unknown, result: { rows: unknown[] }) => void };
      const { callback } = isConfig(first) ? given : {};
      if (callback) {
        given.callback = (error, result) => {
          if (!error) expect(result.rows.length).toBeGreaterThanOrEqual(0);
          callback(error, result);
        };
      }
      return query(first, ...rest);
    },
};

describe('pg with a wrapper of the host', () => {
  let database: ScratchDatabase | null = null;

  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'wrapped');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    const client = new pg.Client(made.url);
    await client.connect();
    await client.query(`
      create table things (id int primary key, tenant int not null, word text not null);
      insert into things select i, i % 3, 'w' || i from generate_series(1, 60) i`);
    await client.end();
  });
  afterAll(() => database?.drop());

  const cases = Object.keys(wrappers).flatMap((wrapper) =>
    (['sql', 'drizzle', 'typeorm'] as const).flatMap((adapter) =>
      (['exact', 'none'] as const).map((count) => ({ wrapper, adapter, count })),
    ),
  );

  it.for(cases)('that $wrapper, $adapter, count $count', async (given, { skip }) => {
    if (!database) return skip();
    const pool = new pg.Pool({ connectionString: database.url, max: 2 });
    onTestFinished(() => pool.end());
    const wrap: Wrap = (client) => {
      const query = client.query.bind(client) as Query;
      client.query = wrappers[given.wrapper]?.(query) as typeof client.query;
    };
    pool.on('connect', wrap);
    const { source, registry } = await adapters[given.adapter](pool, wrap);
    const rules = defineQueryRules(registry, model, {
      fields: 'all',
      filters: [{ path: 'tenant', operators: ['eq'] }],
      pagination: { count: given.count },
    });
    for (let run = 0; run < runs; run += 1) {
      const tenant = run % 3;
      const { data, ...page } = await runQuery(source, `filter[tenant]=${tenant}&perPage=4`, rules);
      const first = tenant === 0 ? 3 : tenant;
      expect(data).toEqual(
        [0, 1, 2, 3].map((at) => ({ id: first + 3 * at, tenant, word: `w${first + 3 * at}` })),
      );
      if (given.count === 'exact') expect(page).toMatchObject({ total: 20 });
    }
  });

  it.for(['sql', 'drizzle'] as const)(
    'of the pool, which restricts rows, %s',
    async (adapter, { skip }) => {
      if (!database) return skip();
      /** Shows the rows of one tenant, by a view that comes before the table. */
      class TenantPool extends pg.Pool {
        override async query(...given: unknown[]): Promise<never> {
          const client = await this.connect();
          try {
            await client.query(
              'create temporary view things as select * from public.things where tenant = 1',
            );
            return (await (client.query as Query)(...given)) as never;
          } finally {
            await client.query('drop view pg_temp.things').catch(() => undefined);
            client.release();
          }
        }
      }
      const pool = new TenantPool({ connectionString: database.url, max: 3 });
      onTestFinished(() => pool.end());
      const { source, registry } = await adapters[adapter](pool);
      const rules = defineQueryRules(registry, model, { fields: 'all' });
      for (const options of [{}, { timeoutMs: 0 }]) {
        for (let run = 0; run < runs; run += 1) {
          const { data, ...page } = await runQuery(source, 'perPage=2', rules, options);
          expect(data).toEqual([
            { id: 1, tenant: 1, word: 'w1' },
            { id: 4, tenant: 1, word: 'w4' },
          ]);
          expect(page).toMatchObject({ total: 20 });
        }
      }
    },
  );

  it.for(['sql', 'drizzle'] as const)('refuses binary results, %s', async (adapter, { skip }) => {
    if (!database) return skip();
    const pool = new pg.Pool({ connectionString: database.url, binary: true } as pg.PoolConfig);
    onTestFinished(() => pool.end());
    await expect(adapters[adapter](pool)).rejects.toThrow(
      expect.objectContaining({
        code: 'SOURCE_CONFIGURATION_INVALID',
        details: { option: 'binary' },
      }),
    );
  });
});
