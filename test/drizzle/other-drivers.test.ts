/** Drivers of Drizzle that Sluice knows nothing of: lists are those of the others, and end by the time limit of the server. */

import Sqlite from 'better-sqlite3';
import { drizzle as drizzleLibsql } from 'drizzle-orm/libsql';
import { int, mysqlTable } from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysqlProxy } from 'drizzle-orm/mysql-proxy';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import { integer as pgInteger, pgTable } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePgProxy } from 'drizzle-orm/pg-proxy';
import { drizzle as drizzleSqlJs } from 'drizzle-orm/sql-js';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { drizzle as drizzleSqliteProxy } from 'drizzle-orm/sqlite-proxy';
import mysql from 'mysql2/promise';
import pg from 'pg';
import initSqlJs from 'sql.js';
import { expect, it, onTestFinished } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { type DatabaseFamily, defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const script = [
  'create table items (id integer primary key)',
  'insert into items values (1), (2), (3)',
];

const logged: string[] = [];
const logger = { logQuery: (text: string) => void logged.push(text) };

interface Listing {
  list(request: string, options?: object): Promise<unknown>;
}

function listing(family: DatabaseFamily, db: object): Listing {
  const tables = {
    item: {
      postgresql: pgTable('items', { id: pgInteger().primaryKey() }),
      mysql: mysqlTable('items', { id: int().primaryKey() }),
      sqlite: sqliteTable('items', { id: integer().primaryKey() }),
    }[family],
  };
  const registry = drizzleRegistry(tables);
  const rules = defineQueryRules(registry, 'item', {
    filters: [{ path: 'id', operators: ['gte'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  const source = drizzleSource({ db, registry, tables, model: 'item' });
  return { list: (request, options) => runQuery(source, request, rules, options) };
}

/** A connection to a database with the rows; `undefined` where there is no server. */
async function connected<Client extends { end(): Promise<void>; query(text: string): unknown }>(
  family: 'postgresql' | 'mysql',
  connect: (url: string) => Promise<Client>,
): Promise<Client | undefined> {
  const database = await scratchDatabase(family, 'other_drivers');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return undefined;
  }
  const client = await connect(database.url);
  onTestFinished(async () => {
    await client.end();
    await database.drop();
  });
  for (const text of script) await client.query(text);
  return client;
}

const connectedPg = () =>
  connected('postgresql', async (url) => {
    const client = new pg.Client(url);
    await client.connect();
    return client;
  });

const openings: { readonly [driver: string]: () => Promise<Listing | undefined> } = {
  async 'sql.js'() {
    const { Database } = await initSqlJs();
    const client = new Database();
    for (const text of script) client.run(text);
    return listing('sqlite', drizzleSqlJs(client, { logger }));
  },
  async libsql() {
    const db = drizzleLibsql(':memory:', { logger });
    await db.$client.executeMultiple(script.join(';'));
    return listing('sqlite', db);
  },
  async 'a function for SQLite'() {
    const client = new Sqlite(':memory:');
    for (const text of script) client.exec(text);
    const ask = async (text: string, values: unknown[], method: string) => {
      const rows: unknown[] = client.prepare(text).raw().all(values);
      return { rows: method === 'all' ? rows : (rows[0] as unknown[]) };
    };
    return listing('sqlite', drizzleSqliteProxy(ask, { logger }));
  },
  async 'a function for PostgreSQL'() {
    const client = await connectedPg();
    const ask = async (text: string, values: unknown[]) => {
      const result = await client?.query<unknown[]>({ text, values, rowMode: 'array' });
      return { rows: result?.rows ?? [] };
    };
    return client && listing('postgresql', drizzlePgProxy(ask, { logger }));
  },
  async 'a function for MySQL'() {
    const client = await connected('mysql', (url) => mysql.createConnection(url));
    const ask = async (sql: string, values: unknown[]) => {
      const result = await client?.query<mysql.RowDataPacket[]>({ sql, values, rowsAsArray: true });
      return { rows: result?.[0] ?? [] };
    };
    return client && listing('mysql', drizzleMysqlProxy(ask, { logger }));
  },
};

it.each(Object.keys(openings))('lists of %s, each statement logged once', async (driver) => {
  const opened = await openings[driver]?.();
  if (!opened) return;
  logged.splice(0);
  for (const least of [1, 2]) {
    expect(await opened.list(`filter[id][gte]=${least}&perPage=1`)).toMatchObject({
      data: [{ id: least }],
      total: 4 - least,
    });
  }
  expect(logged).toHaveLength(4);
});

it('a time limit of the host takes a transaction, and no limit no further statement', async (context) => {
  const client = await connectedPg();
  if (!client) return context.skip();
  // As a driver without cancel requests.
  const own = { query: (...given: [pg.QueryConfig, unknown[]]) => client.query(...given) };
  const { list } = listing('postgresql', drizzlePostgresql({ client: own as never, logger }));
  const statements = async (options: object) => {
    logged.splice(0);
    expect(await list('perPage=1', options)).toMatchObject({ data: [{ id: 1 }], total: 3 });
    return logged.map((text) => /^begin|^commit|statement_timeout|items/.exec(text)?.[0]);
  };
  expect(await statements({})).toEqual(['items', 'items']);
  const set = 'statement_timeout';
  const limited = ['begin', set, set, 'items', set, 'commit'];
  expect(await statements({ timeoutMs: 60_000 })).toEqual([...limited, ...limited]);
  expect((await client.query(`show ${set}`)).rows).toEqual([{ [set]: '0' }]);
});
