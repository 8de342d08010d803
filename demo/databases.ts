/** Opens the two databases of the demo, loads them on the first start, and closes them. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import pg from 'pg';

import { loadPostgres, loadedInPostgres } from './data/load-pg.ts';
import { loadSqlite, loadedInSqlite } from './data/load-sqlite.ts';
import { showProgress } from './data/progress.ts';
import { type Address, startPostgres } from './postgres/server.ts';

/** Increment it when tables or data change: the next start then loads them again. */
const dataVersion = 2;

/** The loaded databases of the demo. */
export interface Databases {
  /** Address of PostgreSQL. */
  readonly address: Address;
  readonly pool: pg.Pool;
  readonly sqlite: SQLite.Database;
}

/** Undoes one step of opening. */
export type Closer = () => unknown;

/**
 * Locks the folder for this process. It is a lock of SQLite, so it ends with the process, even after a crash.
 */
function lock(folder: string): SQLite.Database {
  const database = new SQLite(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    throw new Error(
      `Another demo is running on ${folder}: stop it, or set DEMO_DIR to another folder.`,
      { cause },
    );
  }
}

async function load(pool: pg.Pool, sqlite: SQLite.Database, cities: number): Promise<void> {
  const edition = `${dataVersion}, cities ${cities}`;
  const missing = {
    pg: (await loadedInPostgres(pool)) !== edition,
    sqlite: loadedInSqlite(sqlite) !== edition,
  };
  const loads = Number(missing.pg) + Number(missing.sqlite);
  if (loads === 0) return;
  // The packages take time to parse, and only a load needs them.
  const { readTables } = await import('./data/rows.ts');
  const tables = readTables(cities);
  const rows = tables.reduce((sum, table) => sum + table.rows.length, 0);
  const progress = showProgress('Loading cities and countries', rows * loads, process.stdout);
  await Promise.all([
    missing.pg ? loadPostgres(pool, tables, edition, progress) : null,
    missing.sqlite ? loadSqlite(sqlite, tables, edition, progress) : null,
  ]);
  progress.done();
}

/**
 * Opens both databases under `folder`, loading them on the first start.
 *
 * @param cities maximum number of cities, the largest first; `Infinity` for all
 * @param closers receives a closer after each step, so that a partial start can be undone; call them last to first
 * @throws {Error} when another demo uses the folder, or PostgreSQL does not start
 */
export async function openDatabases(
  folder: string,
  cities: number,
  closers: Closer[],
): Promise<Databases> {
  await mkdir(folder, { recursive: true });
  const lockFile = lock(folder);
  closers.push(() => lockFile.close());
  const server = await startPostgres(folder);
  if (server.folder !== folder) {
    console.log(`PostgreSQL cannot access ${folder} and stores its files in ${server.folder}.`);
  }
  closers.push(() => server.stop());
  const pool = new pg.Pool({
    ...server.address,
    database: 'postgres',
    max: 10,
    // Connections stay open, so that no click waits for a new one.
    idleTimeoutMillis: 0,
  });
  // PostgreSQL closes idle connections when it stops; this is not an error.
  pool.on('error', () => undefined);
  const sqlite = new SQLite(join(folder, 'world.sqlite'));
  closers.push(() => sqlite.close());
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('foreign_keys = ON');
  await load(pool, sqlite, cities);
  return { address: server.address, pool, sqlite };
}
