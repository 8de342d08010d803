/** The clients of drivers: which of them run statements side by side, what the logger is told, and schemas of one server. */

import Sqlite from 'better-sqlite3';
import { relations, sql } from 'drizzle-orm';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { int as mysqlInt, mysqlTable } from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import * as pc from 'drizzle-orm/pg-core';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import mysql from 'mysql2/promise';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource, manyToMany } from '../../src/adapters/drizzle/index.ts';
import { isPooled } from '../../src/adapters/drizzle/session.ts';
import {
  type CompiledQueryRules,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const only = (...allowed: string[]) => ({ allowed, default: allowed });

describe('on PostgreSQL', () => {
  let database: ScratchDatabase | undefined;
  let pool: pg.Pool;
  beforeAll(async () => {
    const made = await scratchDatabase('postgresql', 'drizzle_clients');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    pool = new pg.Pool({ connectionString: made.url, max: 2 });
  });
  beforeEach((context) => void (database || context.skip()));
  afterAll(async () => {
    await pool?.end();
    await database?.drop();
  });

  it('a pool and the function of postgres.js run statements side by side, one connection does not', async () => {
    const client = new pg.Client({ connectionString: database?.url });
    await client.connect();
    const many = postgres(database?.url ?? '', { max: 2, onnotice: () => {} });
    const lent = await pool.connect();
    try {
      expect(isPooled(drizzlePostgresql(pool))).toBe(true);
      expect(isPooled(drizzlePostgresJs(many))).toBe(true);
      for (const one of [client, lent]) expect(isPooled(drizzlePostgresql(one))).toBe(false);
      await drizzlePostgresql(pool).transaction(async (tx) => {
        expect(isPooled(tx)).toBe(false);
      });
    } finally {
      lent.release();
      await client.end();
      await many.end();
    }
  });

  it('lists of postgres.js, inside of a transaction as well, and in two at a time', async () => {
    await pool.query('create table plain (id int primary key); insert into plain values (1), (2)');
    const plain = pc.pgTable('plain', { id: pc.integer().primaryKey() });
    const registry = drizzleRegistry({ plain });
    const rules = defineQueryRules(registry, 'plain', { fields: 'all' });
    const many = postgres(database?.url ?? '', { max: 2, onnotice: () => {} });
    const db = drizzlePostgresJs(many);
    const list = (on: object, timeoutMs?: number) =>
      runQuery(
        drizzleSource({ db: on, registry, tables: { plain }, model: 'plain' }),
        'perPage=1',
        rules,
        timeoutMs === undefined ? {} : { timeoutMs },
      );
    const page = { data: [{ id: 1 }], total: 2 };
    try {
      for (const found of await Promise.all([list(db), list(db, 5000), list(db)]))
        expect(found).toMatchObject(page);
      await db.transaction(async (tx) => {
        await tx.execute(sql`insert into plain values (0)`);
        expect(await list(tx)).toMatchObject({ data: [{ id: 0 }], total: 3 });
        expect(await list(db)).toMatchObject(page);
        await tx.execute(sql`delete from plain where id = 0`);
      });
    } finally {
      await many.end();
    }
  });

  it('a pool has two connections free where two have come back', async () => {
    const own = new pg.Pool({ connectionString: database?.url, max: 2 });
    const tables = { thing: pc.pgTable('things', { id: pc.integer().primaryKey() }) };
    const registry = drizzleRegistry(tables);
    const { execute } = drizzleSource({
      db: drizzlePostgresql(own),
      registry,
      tables,
      model: 'thing',
    });
    const free: boolean[] = [];
    const lent = [await own.connect(), await own.connect()];
    for (const each of lent) {
      each.release();
      free.push(execute.hasTwoFree());
    }
    await own.end();
    expect(free).toEqual([false, true]);
  });

  it('statements have names once a pool has shown that it leads to the server itself', async () => {
    const own = new pg.Pool({ connectionString: database?.url, max: 1 });
    await own.query('create table recurring (id int primary key)');
    const recurring = pc.pgTable('recurring', { id: pc.integer().primaryKey() });
    const tables = { recurring };
    const registry = drizzleRegistry(tables);
    const rules = defineQueryRules(registry, 'recurring', {
      fields: 'all',
      pagination: { count: 'none' },
    });
    const db = drizzlePostgresql(own);
    const source = drizzleSource({ db, registry, tables, model: 'recurring' });
    const kept = async () => (await own.query('select from pg_prepared_statements')).rowCount;
    try {
      for (let run = 0; run < 8; run += 1) await runQuery(source, '', rules);
      expect(await kept()).toBe(0);
      await expect
        .poll(async () => {
          expect((await runQuery(source, '', rules)).data).toEqual([]);
          return kept();
        })
        .toBe(1);
    } finally {
      await own.end();
    }
  });

  it('runs a statement that fails once, and tells the logger of every run', async () => {
    await pool.query(
      'create table parts (id int primary key, by int); insert into parts values (1, 1), (2, 0)',
    );
    await pool.query('create view shares as select id, 10 / by as share from parts');
    const share = pc.pgView('shares', { id: pc.integer(), share: pc.integer() }).existing();
    const tables = { share };
    const logged: string[] = [];
    const db = drizzlePostgresql(pool, { logger: { logQuery: (text) => logged.push(text) } });
    const registry = drizzleRegistry(tables, [], { share: { id: { primaryKey: true } } });
    const rules = defineQueryRules(registry, 'share', {
      filters: [{ path: 'id', operators: ['eq'] }],
      fields: { root: only('id', 'share') },
      pagination: { count: 'none' },
    });
    const source = drizzleSource({ db, registry, tables, model: 'share', namedStatements: true });
    for (let run = 1; run <= 8; run += 1) {
      const { data } = await runQuery(source, 'filter[id]=1', rules);
      expect(data).toEqual([{ id: 1, share: 10 }]);
      expect(logged.filter((text) => text.includes('shares'))).toHaveLength(run);
    }
    logged.splice(0);
    await expect(runQuery(source, 'filter[id]=2', rules)).rejects.toMatchObject({ status: 500 });
    expect(logged.filter((text) => text.includes('shares'))).toHaveLength(1);
  });

  it('tables, views and join tables of one name in two schemas are apart', async () => {
    const script = (schema: string, id: number) => `create schema ${schema};
      create table ${schema}.users (id int primary key);
      create table ${schema}.posts (id int primary key, user_id int references ${schema}.users);
      create table ${schema}.likes (user_id int, post_id int);
      create view ${schema}.few as select id from ${schema}.posts;
      insert into ${schema}.users values (${id}), (${id + 1});
      insert into ${schema}.posts values (${id + 2}, ${id}), (${id + 3}, ${id + 1});
      insert into ${schema}.likes values (${id}, ${id + 3})`;
    await pool.query(script('one', 10));
    await pool.query(script('two', 20));
    const inSchema = (name: string) => {
      const schema = pc.pgSchema(name);
      const users = schema.table('users', { id: pc.integer().primaryKey() });
      const posts = schema.table('posts', {
        id: pc.integer().primaryKey(),
        userId: pc.integer('user_id').references(() => users.id),
      });
      const likes = schema.table('likes', {
        userId: pc.integer('user_id').references(() => users.id),
        postId: pc.integer('post_id').references(() => posts.id),
      });
      const few = schema
        .view('few')
        .as((builder) => builder.select({ id: posts.id, sum: sql`1`.as('sum') }).from(posts));
      const links = [
        relations(users, ({ many }) => ({ posts: many(posts) })),
        relations(posts, ({ one }) => ({
          user: one(users, { fields: [posts.userId], references: [users.id] }),
        })),
        manyToMany(users, 'liked', { through: likes, target: posts }),
      ];
      return { users, posts, few, links };
    };
    const [one, two] = [inSchema('one'), inSchema('two')];
    const tables = {
      user: one.users,
      post: one.posts,
      few: one.few,
      user2: two.users,
      post2: two.posts,
      few2: two.few,
    };
    const registry = drizzleRegistry(tables, [...one.links, ...two.links]);
    expect(registry.get('few2')?.fields.map(({ path }) => path)).toEqual(['id']);
    const db = drizzlePostgresql(pool);
    for (const [suffix, id] of [
      ['', 10],
      ['2', 20],
    ] as const) {
      const listed = async (model: string, request: string, includes: readonly string[]) => {
        const rules = defineQueryRules(registry as never, model, {
          fields: {
            root: only('id'),
            relations: Object.fromEntries(includes.map((path) => [path, only('id')])),
          },
          includes,
        } as never);
        const source = drizzleSource({ db, registry, tables, model: model as 'user' });
        return (await runQuery(source as QuerySource, request, rules as CompiledQueryRules)).data;
      };
      const users = await listed(`user${suffix}`, 'includes=posts,liked', ['posts', 'liked']);
      expect(users).toEqual([
        { id, posts: [{ id: id + 2 }], liked: [{ id: id + 3 }] },
        { id: id + 1, posts: [{ id: id + 3 }], liked: [] },
      ]);
      expect(await listed(`post${suffix}`, 'includes=user', ['user'])).toEqual([
        { id: id + 2, user: { id } },
        { id: id + 3, user: { id: id + 1 } },
      ]);
      expect(await listed(`few${suffix}`, '', [])).toEqual([{ id: id + 2 }, { id: id + 3 }]);
    }
  });
});

it('a pool of mysql2 runs statements side by side, one of its connections does not', async (context) => {
  const database = await scratchDatabase('mysql', 'drizzle_clients');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const pool = mysql.createPool({ uri: database.url, connectionLimit: 1 });
  const lent = await pool.getConnection();
  const one = await mysql.createConnection({ uri: database.url });
  expect(isPooled(drizzleMysql(pool))).toBe(true);
  expect(isPooled(drizzleMysql(lent as never))).toBe(false);
  expect(isPooled(drizzleMysql(one))).toBe(false);
  lent.release();
  await one.end();
  await pool.end();
  await database.drop();
});

it('a connection of mysql2 is sent nothing but the statements of lists', async (context) => {
  const database = await scratchDatabase('mysql', 'drizzle_clients');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const client = await mysql.createConnection({ uri: database.url });
  await client.query('create table things (id int primary key)');
  const sent: string[] = [];
  const query = client.query.bind(client) as (...given: unknown[]) => unknown;
  Object.assign(client, {
    query(given: string | { readonly sql: string }, ...rest: unknown[]) {
      sent.push(typeof given === 'string' ? given : given.sql);
      return query(given, ...rest);
    },
  });
  const tables = { thing: mysqlTable('things', { id: mysqlInt().primaryKey() }) };
  const registry = drizzleRegistry(tables);
  const rules = defineQueryRules(registry, 'thing', { fields: 'all' });
  const source = drizzleSource({ db: drizzleMysql(client), registry, tables, model: 'thing' });
  for (let run = 0; run < 12; run += 1)
    expect((await runQuery(source, '', rules)).data).toEqual([]);
  expect(sent.length).toBeGreaterThanOrEqual(12);
  for (const text of sent) expect(text).toContain('things');
  await client.end();
  await database.drop();
});

it('tells the logger of a database of better-sqlite3, which runs one statement at a time', async () => {
  const client = new Sqlite(':memory:');
  client.exec('create table things (id integer primary key); insert into things values (1), (2)');
  const logged: unknown[][] = [];
  const db = drizzleSqlite({
    client,
    logger: { logQuery: (text, values) => logged.push([text.slice(0, 6), ...values]) },
  });
  const tables = { thing: sqliteTable('things', { id: integer().primaryKey() }) };
  const registry = drizzleRegistry(tables);
  const rules = defineQueryRules(registry, 'thing', {
    filters: [{ path: 'id', operators: ['gte'] }],
    fields: 'all',
    pagination: { count: 'none' },
  });
  const source = drizzleSource({ db, registry, tables, model: 'thing' });
  expect(isPooled(db)).toBe(false);
  for (const least of [1, 2]) {
    logged.splice(0);
    const { data } = await runQuery(source, `filter[id][gte]=${least}`, rules);
    expect(data).toHaveLength(3 - least);
    expect(logged).toEqual([['select', least, 11]]);
  }
  client.close();
});
