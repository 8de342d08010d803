/** The libraries that a source supports, each with every kind of connection. */

import { DatabaseSync } from 'node:sqlite';
import { type InStatement, type Transaction, createClient } from '@libsql/client';
import * as neon from '@neondatabase/serverless';
import Sqlite from 'better-sqlite3';
import createKnex, { type Knex } from 'knex';
import {
  CamelCasePlugin,
  Kysely,
  MysqlDialect,
  ParseJSONResultsPlugin,
  PostgresDialect,
  SqliteAdapter,
  SqliteDialect,
  sql,
} from 'kysely';
import * as mariadbConnector from 'mariadb';
import mysqlCallbacks from 'mysql2';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import postgres from 'postgres';
import { expect, it } from 'vitest';
import {
  introspect,
  libsql,
  mariadb,
  nodeSqlite,
  pglite,
  postgresJs,
} from '../../src/adapters/sql/index.ts';
import { executorSuite } from './executor-suite.ts';
import type { Library, Opened, RunByHand } from './executor-suite.ts';
import { neonRelay } from './neon-relay.ts';
import { loadedPglite } from './pglite-database.ts';

/** Work between two statements on one connection. */
async function between(run: RunByHand, work: () => Promise<void>): Promise<void> {
  await run('begin');
  try {
    await work();
  } finally {
    await run('rollback');
  }
}

const end = new Error('rolled back');

function isEnd(error: unknown): void {
  if (error !== end) throw error;
}

async function pgClient(url: string): Promise<Opened> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const run: RunByHand = (text) => client.query(text);
  return {
    connection: client,
    run,
    rolledBack: (work) => between(run, () => work(client, run)),
    close: () => client.end(),
  };
}

function pgPool(url: string): Opened {
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  return {
    connection: pool,
    run: (text) => pool.query(text),
    rolledBack: async (work) => {
      const client = await pool.connect();
      const run: RunByHand = (text) => client.query(text);
      await between(run, () => work(client, run)).finally(() => client.release());
    },
    close: () => pool.end(),
  };
}

/** A Pool of Neon's serverless driver, through a relay as Neon has one. */
async function onNeon(url: string): Promise<Opened> {
  const relay = await neonRelay(url);
  Object.assign(neon.neonConfig, {
    wsProxy: () => relay.address,
    useSecureWebSocket: false,
    pipelineTLS: false,
    pipelineConnect: false,
  });
  const pool = new neon.Pool({ connectionString: url, max: 1 });
  return {
    connection: pool,
    run: (text) => pool.query(text),
    rolledBack: async (work) => {
      const client = await pool.connect();
      const run: RunByHand = (text) => client.query(text);
      await between(run, () => work(client, run)).finally(() => client.release());
    },
    close: async () => {
      await pool.end();
      await relay.close();
    },
  };
}

/** Host settings that would lose digits. */
const lossy = { decimalNumbers: true, timezone: '+05:00', typeCast: true } as const;

async function mysqlConnection(url: string): Promise<Opened> {
  const connection = await mysql2.createConnection({ uri: url, ...lossy });
  const run: RunByHand = (text) => connection.query(text);
  return {
    connection,
    run,
    rolledBack: (work) => between(run, () => work(connection, run)),
    close: () => connection.end(),
  };
}

function mysqlPool(url: string): Opened {
  const pool = mysqlCallbacks.createPool({ uri: url, connectionLimit: 1 });
  const promises = pool.promise();
  return {
    connection: pool,
    run: (text) => promises.query(text),
    rolledBack: async (work) => {
      const lent = await promises.getConnection();
      const run: RunByHand = (text) => lent.query(text);
      await between(run, () => work(lent.connection, run)).finally(() => lent.release());
    },
    close: () => promises.end(),
  };
}

function sqlite(url: string): Opened {
  const database = new Sqlite(url);
  database.defaultSafeIntegers(true);
  const run: RunByHand = async (text) => database.exec(text);
  return {
    connection: database,
    run,
    rolledBack: (work) => between(run, () => work(database, run)),
    close: async () => database.close(),
  };
}

function onNodeSqlite(url: string): Opened {
  const database = new DatabaseSync(url, { readBigInts: true });
  const run: RunByHand = async (text) => database.exec(text);
  const connection = nodeSqlite(database);
  return {
    connection,
    run,
    rolledBack: (work) => between(run, () => work(connection, run)),
    close: async () => database.close(),
  };
}

function onLibsql(url: string): Opened {
  const client = createClient({ url: `file:${url}`, intMode: 'bigint' });
  return {
    connection: libsql(client),
    run: (text) => client.execute(text),
    rolledBack: async (work) => {
      const inner = await client.transaction('write');
      await work(libsql(inner), (text) => inner.execute(text)).finally(() => inner.close());
    },
    close: async () => client.close(),
  };
}

it('ends a transaction of libSQL that fails', async () => {
  const client = createClient({ url: ':memory:' });
  const begun: Transaction[] = [];
  const noting = {
    execute: (statement: InStatement) => client.execute(statement),
    async transaction(mode: 'read') {
      const transaction = await client.transaction(mode);
      begun.push(transaction);
      return transaction;
    },
  };
  const failing = libsql(noting).transaction(() => Promise.reject(end), 1_000);
  await expect(failing).rejects.toBe(end);
  expect(begun.map(({ closed }) => closed)).toEqual([true]);
  client.close();
});

/** Parsers of the host that would lose digits, and serializers that would lose microseconds. */
const lossyTypes = {
  number: { to: 0, from: [20, 700, 701, 1700], serialize: String, parse: Number },
  text: { to: 25, from: [25, 1043], serialize: String, parse: (text: string) => text.trim() },
};

function onPostgresJs(url: string): Opened {
  const sql = postgres(url, { max: 2, types: lossyTypes, onnotice: () => undefined });
  return {
    connection: postgresJs(sql),
    run: (text) => sql.unsafe(text),
    rolledBack: async (work) => {
      await sql
        .begin(async (inner) => {
          await work(postgresJs(inner), (text) => inner.unsafe(text));
          throw end;
        })
        .catch(isEnd);
    },
    close: () => sql.end(),
  };
}

async function onPglite(): Promise<Opened> {
  const database = await loadedPglite();
  return {
    connection: pglite(database),
    run: (text) => database.exec(text),
    rolledBack: async (work) => {
      await database
        .transaction(async (inner) => {
          await work(pglite(inner), (text) => inner.exec(text));
          throw end;
        })
        .catch(isEnd);
    },
    close: () => database.close(),
  };
}

/** Settings of the host that would lose digits. */
function mariadbSettings(url: string) {
  const { hostname, port, username, password, pathname } = new URL(url);
  return {
    host: decodeURIComponent(hostname),
    port: Number(port || 3306),
    user: decodeURIComponent(username),
    password: decodeURIComponent(password),
    database: pathname.slice(1),
    decimalAsNumber: true,
    bigIntAsNumber: true,
    metaAsArray: true,
    nestTables: true,
    supportBigNumbers: true,
    typeCast: () => 'of the host',
  };
}

function onMariadb(url: string): Opened {
  const pool = mariadbConnector.createPool({ ...mariadbSettings(url), connectionLimit: 1 });
  return {
    connection: mariadb(pool),
    run: (text) => pool.query(text),
    rolledBack: async (work) => {
      const lent = await pool.getConnection();
      const run: RunByHand = (text) => lent.query(text);
      await between(run, () => work(mariadb(lent), run)).finally(() => lent.release());
    },
    close: () => pool.end(),
  };
}

async function onMariadbConnection(url: string): Promise<Opened> {
  const connection = await mariadbConnector.createConnection(mariadbSettings(url));
  const run: RunByHand = (text) => connection.query(text);
  const executor = mariadb(connection);
  return {
    connection: executor,
    run,
    rolledBack: (work) => between(run, () => work(executor, run)),
    close: () => connection.end(),
  };
}

const onKnex =
  (config: Knex.Config) =>
  (url: string): Opened => {
    const connection = config.client === 'better-sqlite3' ? { filename: url } : url;
    const knex = createKnex({ ...config, connection, pool: { min: 0, max: 1 } });
    return {
      connection: knex,
      run: (text) => knex.raw(text),
      rolledBack: (work) =>
        knex
          .transaction(async (inner) => {
            await work(inner, (text) => inner.raw(text));
            throw end;
          })
          .catch(isEnd),
      close: () => knex.destroy(),
    };
  };

const onKysely =
  (dialectOn: (url: string) => PostgresDialect | MysqlDialect | SqliteDialect) =>
  (url: string): Opened => {
    const kysely = new Kysely<object>({
      dialect: dialectOn(url),
      plugins: [new CamelCasePlugin(), new ParseJSONResultsPlugin()],
    });
    return {
      connection: kysely,
      run: (text) => sql.raw(text).execute(kysely),
      rolledBack: (work) =>
        kysely
          .transaction()
          .execute(async (inner) => {
            await work(inner, (text) => sql.raw(text).execute(inner));
            throw end;
          })
          .catch(isEnd),
      close: () => kysely.destroy(),
    };
  };

const libraries: readonly Library[] = [
  { name: 'a Client of pg', family: 'postgresql', open: pgClient, isOne: true },
  { name: 'a Pool of pg with one connection', family: 'postgresql', open: pgPool },
  { name: 'a Pool of Neon', family: 'postgresql', open: onNeon, runsOn: true },
  { name: 'a connection of mysql2', family: 'mysql', open: mysqlConnection, isOne: true },
  { name: 'a callback pool of mysql2 with one connection', family: 'mysql', open: mysqlPool },
  { name: 'better-sqlite3 with safe integers', family: 'sqlite', open: sqlite },
  { name: 'node:sqlite with big integers', family: 'sqlite', open: onNodeSqlite },
  { name: 'libSQL on a file', family: 'sqlite', open: onLibsql },
  { name: 'postgres.js', family: 'postgresql', open: onPostgresJs, runsOn: true },
  { name: 'PGlite', family: 'postgresql', open: onPglite, runsOn: true, isOne: true },
  { name: 'a pool of mariadb with one connection', family: 'mysql', open: onMariadb, runsOn: true },
  {
    name: 'a connection of mariadb',
    family: 'mysql',
    open: onMariadbConnection,
    runsOn: true,
    isOne: true,
  },
  { name: 'Knex on pg', family: 'postgresql', open: onKnex({ client: 'pg' }) },
  { name: 'Knex on mysql2', family: 'mysql', open: onKnex({ client: 'mysql2' }) },
  {
    name: 'Knex on better-sqlite3',
    family: 'sqlite',
    open: onKnex({ client: 'better-sqlite3', useNullAsDefault: true }),
  },
  {
    name: 'Kysely on pg',
    family: 'postgresql',
    open: onKysely(
      (url) => new PostgresDialect({ pool: new pg.Pool({ connectionString: url, max: 2 }) }),
    ),
  },
  {
    name: 'Kysely on mysql2',
    family: 'mysql',
    open: onKysely((url) => new MysqlDialect({ pool: mysqlCallbacks.createPool(url) })),
  },
  {
    name: 'Kysely on better-sqlite3',
    family: 'sqlite',
    open: onKysely((url) => new SqliteDialect({ database: new Sqlite(url) })),
  },
];

for (const [at, library] of libraries.entries()) executorSuite(library, at);

it('Kysely may have a dialect whose adapter extends one of its own', async () => {
  class Adapter extends SqliteAdapter {}
  class Dialect extends SqliteDialect {
    override createAdapter() {
      return new Adapter();
    }
  }
  const kysely = new Kysely<object>({ dialect: new Dialect({ database: new Sqlite(':memory:') }) });
  await sql`create table notes (id integer primary key)`.execute(kysely);
  expect(Object.keys((await introspect(kysely)).tables)).toEqual(['notes']);
  await kysely.destroy();
});
