/** Host features of a Drizzle source: customize, timeouts, transactions, error messages. */

import Sqlite from 'better-sqlite3';
import { type SQL, sql } from 'drizzle-orm';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { int, mysqlTable } from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import { integer, pgTable } from 'drizzle-orm/pg-core';
import { integer as sqliteInteger, sqliteTable } from 'drizzle-orm/sqlite-core';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  QueryError,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

type Customize = (builder: { where(condition: SQL): never }) => never;

interface World {
  readonly source: QuerySource<object, Customize>;
  readonly absent: QuerySource<object, Customize>;
  readonly rules: CompiledQueryRules;
  readonly absentRules: CompiledQueryRules;
  /** A condition that takes seconds to evaluate; `null` if a statement cannot be interrupted. */
  readonly slow: SQL | null;
  readonly statements: string[];
  /** Runs a function with a source inside a transaction; `null` if transactions are synchronous. */
  readonly inTransaction:
    | ((body: (source: QuerySource<object, Customize>) => Promise<void>) => Promise<void>)
    | null;
  close(): Promise<unknown>;
}

const declaration = {
  filters: [{ path: 'id', operators: ['gte', 'lte'] }],
  fields: { root: { allowed: ['id'], default: ['id'] } },
} as const;

const rows = Array.from({ length: 30 }, (_, index) => `(${index + 1})`).join();

const openings: Record<DatabaseFamily, (url: string) => Promise<World>> = {
  postgresql: async (url) => {
    const pool = new pg.Pool({ connectionString: url, max: 3 });
    await pool.query(`create table things (id int primary key); insert into things values ${rows}`);
    const tables = {
      thing: pgTable('things', { id: integer('id').primaryKey() }),
      absent: pgTable('absent', { id: integer('id').primaryKey() }),
    };
    const statements: string[] = [];
    const db = drizzlePostgresql(pool, { logger: { logQuery: (text) => statements.push(text) } });
    const registry = drizzleRegistry(tables);
    const source = drizzleSource({ db, registry, tables, model: 'thing' });
    return {
      source: source as unknown as World['source'],
      absent: drizzleSource({
        db,
        registry,
        tables,
        model: 'absent',
      }) as unknown as World['absent'],
      rules: defineQueryRules(registry, 'thing', declaration),
      absentRules: defineQueryRules(registry, 'absent', declaration),
      slow: sql`(select count(*) from (select pg_sleep(30)) as slow) = 1`,
      statements,
      inTransaction: (body) =>
        db.transaction((tx) =>
          body(
            drizzleSource({
              db: tx,
              registry,
              tables,
              model: 'thing',
            }) as unknown as World['source'],
          ),
        ),
      close: () => pool.end(),
    };
  },
  mysql: async (url) => {
    const pool = mysql.createPool({ uri: url, connectionLimit: 3 });
    await pool.query('create table things (id int primary key)');
    await pool.query(`insert into things values ${rows}`);
    const tables = {
      thing: mysqlTable('things', { id: int('id').primaryKey() }),
      absent: mysqlTable('absent', { id: int('id').primaryKey() }),
    };
    const statements: string[] = [];
    const db = drizzleMysql(pool, { logger: { logQuery: (text) => statements.push(text) } });
    const registry = drizzleRegistry(tables);
    return {
      source: drizzleSource({ db, registry, tables, model: 'thing' }) as unknown as World['source'],
      absent: drizzleSource({
        db,
        registry,
        tables,
        model: 'absent',
      }) as unknown as World['absent'],
      rules: defineQueryRules(registry, 'thing', declaration),
      absentRules: defineQueryRules(registry, 'absent', declaration),
      slow: sql`sleep(30) = 0`,
      statements,
      inTransaction: (body) =>
        db.transaction((tx) =>
          body(
            drizzleSource({
              db: tx,
              registry,
              tables,
              model: 'thing',
            }) as unknown as World['source'],
          ),
        ),
      close: () => pool.end(),
    };
  },
  sqlite: async (url) => {
    const client = new Sqlite(url);
    client.exec(`create table things (id integer primary key); insert into things values ${rows}`);
    const tables = {
      thing: sqliteTable('things', { id: sqliteInteger('id').primaryKey() }),
      absent: sqliteTable('absent', { id: sqliteInteger('id').primaryKey() }),
    };
    const statements: string[] = [];
    const db = drizzleSqlite(client, { logger: { logQuery: (text) => statements.push(text) } });
    const registry = drizzleRegistry(tables);
    return {
      source: drizzleSource({ db, registry, tables, model: 'thing' }) as unknown as World['source'],
      absent: drizzleSource({
        db,
        registry,
        tables,
        model: 'absent',
      }) as unknown as World['absent'],
      rules: defineQueryRules(registry, 'thing', declaration),
      absentRules: defineQueryRules(registry, 'absent', declaration),
      slow: null,
      statements,
      inTransaction: null,
      close: async () => client.close(),
    };
  },
};

const databases = new Map<DatabaseFamily, ScratchDatabase>();
for (const family of ['postgresql', 'mysql', 'sqlite'] as const) {
  const database = await scratchDatabase(family, 'drizzle_source');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(`${family} is missing`);
    console.log(`left out: ${family}`, database.missing);
  } else {
    databases.set(family, database);
  }
}

describe.each([...databases.keys()])('drizzleSource on %s', (family) => {
  let world: World;
  beforeAll(async () => {
    world = await openings[family](databases.get(family)?.url ?? '');
  });
  afterAll(async () => {
    await world.close();
    await databases.get(family)?.drop();
  });

  const failure = (work: Promise<unknown>): Promise<QueryError> =>
    work.then(
      () => {
        throw new Error('expected an error');
      },
      (error: unknown) => {
        expect(error).toBeInstanceOf(QueryError);
        return error as QueryError;
      },
    );

  it('combines the conditions of customize with AND, in data and count', async () => {
    const result = await runQuery(world.source, 'filter[id][gte]=5&perPage=2', world.rules, {
      customize: (builder) => builder.where(sql`things.id <= 8`),
    });
    expect(result).toEqual({
      data: [{ id: 5 }, { id: 6 }],
      page: 1,
      perPage: 2,
      total: 4,
      lastPage: 2,
    });
  });

  it('does not let a raw OR of customize widen the request', async () => {
    const result = await runQuery(world.source, 'filter[id][gte]=29', world.rules, {
      customize: (builder) => builder.where(sql`things.id = 29 or things.id = 1`),
    });
    expect(result).toMatchObject({ data: [{ id: 29 }], total: 1 });
  });

  it('applies customize to later pages', async () => {
    const result = await runQuery(world.source, 'perPage=3&page=2', world.rules, {
      customize: (builder) => builder.where(sql`things.id > 10`),
    });
    expect(result).toMatchObject({ data: [{ id: 14 }, { id: 15 }, { id: 16 }], total: 20 });
  });

  it('completes within a timeout', async () => {
    const result = await runQuery(world.source, 'perPage=1', world.rules, { timeoutMs: 5000 });
    expect(result).toMatchObject({ data: [{ id: 1 }], total: 30 });
  });

  it('stops a statement at the timeout', async () => {
    const { slow } = world;
    if (!slow) {
      // SQLite runs in the process: an expired timeout is detected before the next statement.
      const late = await failure(runQuery(world.source, '', world.rules, { timeoutMs: 0.001 }));
      expect(late.code).toBe('QUERY_TIMEOUT');
      return;
    }
    const started = performance.now();
    const error = await failure(
      runQuery(world.source, '', world.rules, {
        timeoutMs: 200,
        customize: (builder) => builder.where(slow),
      }),
    );
    expect(error).toMatchObject({ code: 'QUERY_TIMEOUT', status: 504 });
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  it('rejects when the signal is aborted', async () => {
    const signal = AbortSignal.abort(new Error('the client is gone'));
    await expect(runQuery(world.source, '', world.rules, { signal })).rejects.toThrow(
      'the client is gone',
    );
  });

  it('runs inside a transaction of the host, with and without a timeout', async () => {
    if (!world.inTransaction) {
      expect(family).toBe('sqlite');
      return;
    }
    await world.inTransaction(async (source) => {
      const answer = { data: [{ id: 1 }, { id: 2 }], total: 30 };
      expect(await runQuery(source, 'perPage=2', world.rules)).toMatchObject(answer);
      const limited = await runQuery(source, 'perPage=2', world.rules, { timeoutMs: 5000 });
      expect(limited).toMatchObject(answer);
    });
  });

  it('reports a missing table without SQL', async () => {
    const error = await failure(runQuery(world.absent, '', world.absentRules));
    expect(error).toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID', status: 500 });
    expect(JSON.stringify(error)).not.toMatch(/select|absent/i);
    expect(error.cause).toBeInstanceOf(Error);
  });

  it('refuses rules of another model', async () => {
    const error = await failure(runQuery(world.source, '', world.absentRules));
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
  });
});
