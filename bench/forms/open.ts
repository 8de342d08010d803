/** Opens the database of these forms on a server of each family, and drops it. */

import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Family, mysqlUrl, postgresUrl } from '../lists/services.ts';

const database = 'sluice_bench_forms';
const file = join(tmpdir(), `${database}.sqlite`);

/** A database, its connection as `sqlSource` takes it, and statements by hand. */
export interface Opened {
  readonly family: Family;
  /** Name and version of the server. */
  readonly server: string;
  /** Whether the server is MariaDB. */
  readonly isMariaDb: boolean;
  readonly connection: pg.Pool | mysql2.Pool | Sqlite.Database;
  /** Runs a statement, with `?` for its values; servers end it after so many milliseconds. */
  run(sql: string, values?: readonly unknown[], limit?: number): Promise<readonly object[]>;
  close(): Promise<unknown>;
}

async function openPostgres(): Promise<Opened> {
  const admin = new pg.Client({ connectionString: postgresUrl('postgres') });
  await admin.connect();
  const { rowCount } = await admin.query('select from pg_database where datname = $1', [database]);
  if (!rowCount) await admin.query(`create database ${database}`);
  await admin.query(`alter database ${database} set timezone to 'UTC'`);
  await admin.end();
  const pool = new pg.Pool({ connectionString: postgresUrl(database), max: 4 });
  const hand = new pg.Pool({ connectionString: postgresUrl(database), max: 1 });
  await hand.query(`set maintenance_work_mem = '512MB'`);
  const { rows } = await hand.query<{ server_version: string }>('show server_version');
  return {
    family: 'pg',
    server: `PostgreSQL ${rows[0]?.server_version.split(' ')[0]}`,
    isMariaDb: false,
    connection: pool,
    async run(sql, values, limit) {
      if (!values) return (await hand.query<object>(sql)).rows;
      if (limit) await hand.query(`set statement_timeout = ${Math.ceil(limit)}`);
      let at = 0;
      const text = sql.replaceAll('?', () => `$${(at += 1)}`);
      try {
        return (await hand.query<object>(text, [...values])).rows;
      } finally {
        if (limit) await hand.query('set statement_timeout = 0');
      }
    },
    async close() {
      await Promise.all([pool.end(), hand.end()]);
    },
  };
}

/** The buffer pool of MySQL and MariaDB, whose default of 128 MB would measure the disk. */
const bufferBytes = 2 * 2 ** 30;

/** Gives the server that buffer pool, and returns what gives it its own again. */
async function enlargeBuffer(): Promise<() => Promise<void>> {
  const admin = await mysql2.createConnection(mysqlUrl());
  const [found] = await admin.query('select @@innodb_buffer_pool_size as bytes');
  const bytes = Number((found as { bytes?: unknown }[])[0]?.bytes);
  const set = (size: number) => admin.query(`set global innodb_buffer_pool_size = ${size}`);
  if (bytes < bufferBytes) await set(bufferBytes);
  return async () => {
    if (bytes < bufferBytes) await set(bytes);
    await admin.end();
  };
}

async function openMysql(): Promise<Opened> {
  const admin = await mysql2.createConnection(mysqlUrl());
  await admin.query(`create database if not exists ${database} character set utf8mb4`);
  const [rows] = await admin.query('select version() as version');
  await admin.end();
  const version = String((rows as { version?: string }[])[0]?.version);
  const restore = await enlargeBuffer();
  const isMariaDb = /mariadb/i.test(version);
  const options = { uri: mysqlUrl(database), timezone: 'Z' };
  const pool = mysql2.createPool({ ...options, connectionLimit: 4 });
  const hand = await mysql2.createConnection(options);
  const limited = (milliseconds: number) =>
    isMariaDb
      ? `set max_statement_time = ${milliseconds / 1000}`
      : `set max_execution_time = ${milliseconds}`;
  return {
    family: 'mysql',
    server: `${isMariaDb ? 'MariaDB' : 'MySQL'} ${version.split('-')[0]}, a buffer pool of ${bufferBytes / 2 ** 30} GB`,
    isMariaDb,
    connection: pool,
    async run(sql, values, limit) {
      if (!values) return (await hand.query(sql))[0] as object[];
      if (limit) await hand.query(limited(Math.ceil(limit)));
      try {
        return (await hand.query(sql, [...values]))[0] as object[];
      } finally {
        if (limit) await hand.query(limited(0));
      }
    },
    async close() {
      await Promise.all([pool.end(), hand.end(), restore()]);
    },
  };
}

async function openSqlite(): Promise<Opened> {
  const client = new Sqlite(file);
  client.pragma('cache_size = -1000000');
  client.pragma('synchronous = off');
  const prepared = new Map<string, Sqlite.Statement<unknown[], object>>();
  const row = client.prepare<[], { version: string }>('select sqlite_version() as version').get();
  return {
    family: 'sqlite',
    server: `SQLite ${row?.version}`,
    isMariaDb: false,
    connection: client,
    async run(sql, values) {
      if (!values) {
        client.exec(sql);
        return [];
      }
      const statement = prepared.get(sql) ?? client.prepare<unknown[], object>(sql);
      prepared.set(sql, statement);
      return statement.all(...values);
    },
    close: async () => client.close(),
  };
}

export const open = { pg: openPostgres, mysql: openMysql, sqlite: openSqlite };

/** Removes the database. */
export async function drop(family: Family): Promise<void> {
  if (family === 'sqlite') return rmSync(file, { force: true });
  const sql = `drop database if exists ${database}`;
  if (family === 'pg') {
    const admin = new pg.Client({ connectionString: postgresUrl('postgres') });
    await admin.connect();
    await admin.query(sql);
    await admin.end();
    return;
  }
  const admin = await mysql2.createConnection(mysqlUrl());
  await admin.query(sql);
  await admin.end();
}
