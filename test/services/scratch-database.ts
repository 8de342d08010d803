/** A temporary database for one suite that matches the database profile. */

import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import type { DatabaseFamily } from '../../src/rules/declare/declaration.ts';
import { findFurtherMysql } from './further.ts';
import { findMysql } from './mysql.ts';
import { findPostgresql } from './postgresql.ts';
import { scratchDirectory } from './server-process.ts';
import type { MissingService, Service } from './service.ts';

/** An empty database. */
export interface ScratchDatabase {
  readonly family: DatabaseFamily;
  /** Connection URL; for SQLite the path of a file that does not exist yet. */
  readonly url: string;
  /** Name of the server and how it was found, for the summary table. */
  readonly about: string;
  /** The same database on servers that follow this one; a cell reads from them and nowhere else. Default: none. */
  readonly replicas?: readonly string[];
  /** Waits until the replicas have everything that was written by now. */
  replicated?(): Promise<void>;
  /** Drops the database, and stops the server if this process started it. */
  drop(): Promise<void>;
}

/** Makes a scratch database; where it cannot, the result says how to get the server. */
export type Scratch = (
  family: DatabaseFamily,
  suite: string,
) => Promise<ScratchDatabase | MissingService>;

const nameFor = (suite: string): string => `sluice_${suite}_${randomBytes(4).toString('hex')}`;

/** The URL of a database on the server of a URL. */
export function withDatabase(url: string, database: string): string {
  const copy = new URL(url);
  copy.pathname = `/${database}`;
  return copy.href;
}

/**
 * Drops the database once its connections are closed. An ended pool may still be closing sockets, and a connection
 * that the server terminates would raise an unhandled error.
 */
async function dropWhenLeft(
  name: string,
  asOwner: (statement: string) => Promise<unknown>,
): Promise<void> {
  for (let attempt = 0; attempt < 500; attempt += 1) {
    try {
      await asOwner(`drop database if exists ${name}`);
      return;
    } catch (error) {
      // 55006, object_in_use: a connection is still open.
      if ((error as { code?: unknown }).code !== '55006') throw error;
      await sleep(40);
    }
  }
  await asOwner(`drop database if exists ${name} with (force)`);
}

/** A scratch database on a server of PostgreSQL, with settings such as `synchronous_commit to off`. */
export const onPostgresql = (
  service: Service,
  suite: string,
  ...settings: readonly string[]
): Promise<ScratchDatabase> => copyOnPostgresql(service, suite, 'template0', settings);

/** The same as a copy of a database of that server, to which nobody is connected. */
export async function copyOnPostgresql(
  service: Service,
  suite: string,
  template: string,
  settings: readonly string[],
): Promise<ScratchDatabase> {
  const name = nameFor(suite);
  const asOwner = async (...statements: string[]): Promise<string> => {
    const client = new pg.Client({ connectionString: service.url });
    await client.connect();
    try {
      for (const statement of statements) await client.query(statement);
      return String(
        (await client.query<{ server_version: string }>('show server_version')).rows[0]
          ?.server_version,
      );
    } finally {
      await client.end();
    }
  };
  const version = await asOwner(
    `create database ${name} encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template ${template}`,
    ...[`timezone to 'UTC'`, ...settings].map((text) => `alter database ${name} set ${text}`),
  );
  return {
    family: 'postgresql',
    url: withDatabase(service.url, name),
    about: `PostgreSQL ${version.split(' ')[0]}, ${service.found}`,
    drop: async () => {
      await dropWhenLeft(name, asOwner);
      await service.dispose();
    },
  };
}

/** A scratch database on a server of MySQL or MariaDB. */
export async function onMysql(service: Service, suite: string): Promise<ScratchDatabase> {
  const name = nameFor(suite);
  const connect = () => createConnection({ uri: service.url });
  const connection = await connect();
  const [rows] = await connection.query<RowDataPacket[]>('select version() as version');
  const version = String(rows[0]?.['version']);
  const mariadb = /mariadb/i.test(version);
  const collation = mariadb ? 'utf8mb4_nopad_bin' : 'utf8mb4_0900_bin';
  await connection.query(`create database ${name} character set utf8mb4 collate ${collation}`);
  await connection.end();
  return {
    family: 'mysql',
    url: withDatabase(service.url, name),
    about: `${mariadb ? 'MariaDB' : 'MySQL'} ${version.split('-')[0]}, ${service.found}`,
    drop: async () => {
      const last = await connect();
      await last.query(`drop database if exists ${name}`);
      await last.end();
      await service.dispose();
    },
  };
}

/** A new database on MySQL, whose texts of numbers differ from those of MariaDB, the usual server of the family here. */
export async function onCurrentMysql(suite: string): Promise<ScratchDatabase | MissingService> {
  const service = await findFurtherMysql('mysql');
  return 'missing' in service ? service : onMysql(service, suite);
}

function sqliteVersion(): string {
  const client = new Sqlite(':memory:');
  try {
    return String(client.prepare('select sqlite_version()').pluck().get());
  } finally {
    client.close();
  }
}

async function onSqlite(suite: string): Promise<ScratchDatabase> {
  const directory = await scratchDirectory(suite);
  return {
    family: 'sqlite',
    url: `${directory}/${suite}.db`,
    about: `SQLite ${sqliteVersion()}, a file`,
    drop: () => rm(directory, { recursive: true, force: true }),
  };
}

/** A scratch database of the family, or the missing service. SQLite is always available. */
export async function scratchDatabase(
  family: DatabaseFamily,
  suite: string,
): Promise<ScratchDatabase | MissingService> {
  if (family === 'sqlite') return onSqlite(suite);
  const service = await (family === 'postgresql' ? findPostgresql() : findMysql());
  if ('missing' in service) return service;
  // No commit waits for the disk: a scratch database need not survive its server.
  return family === 'postgresql'
    ? onPostgresql(service, suite, 'synchronous_commit to off')
    : onMysql(service, suite);
}
