/** Opens the demo's two databases, loads them on the first start, and closes them. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import SQLite from 'better-sqlite3';
import pg from 'pg';

import { loadPostgres, loadedInPostgres } from './data/load-pg.ts';
import { loadSqlite, loadedInSqlite } from './data/load-sqlite.ts';
import { showProgress } from './data/progress.ts';
import { type Address, startPostgres } from './postgres/server.ts';

/** Raise it when tables or data change: the next start then loads anew. */
const dataVersion = 1;

/** The demo's databases, loaded. */
export interface Databases {
  /** Where PostgreSQL listens. */
  readonly address: Address;
  readonly pool: pg.Pool;
  readonly sqlite: SQLite.Database;
}

/** Undoes one step of opening. */
export type Closer = () => unknown;

/**
 * Takes the folder for this process. The lock is SQLite's own, so that it ends with the process however
 * that ends.
 */
function lock(folder: string): SQLite.Database {
  const database = new SQLite(join(folder, 'lock.sqlite'), { timeout: 0 });
  try {
    database.exec('BEGIN EXCLUSIVE');
    return database;
  } catch (cause) {
    database.close();
    throw new Error(
      `Another demo is running on ${folder}: stop it, or name another folder in DEMO_DIR.`,
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
  // The packages take a moment to parse; a start that loads nothing does not need them.
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
 * @param cities most cities to load, the largest first; `Infinity` for all
 * @param closers receives how to undo each step as soon as it is made, so that opening can be stopped
 * half-way; to be called last to first
 * @throws Error where another demo uses the folder, or PostgreSQL cannot be started
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
  if (server.place !== folder) {
    console.log(`PostgreSQL cannot reach ${folder} and keeps its files in ${server.place}.`);
  }
  closers.push(() => server.stop());
  const pool = new pg.Pool({
    ...server.address,
    database: 'postgres',
    max: 10,
    // Kept open, so that nobody's first click pays for a connection.
    idleTimeoutMillis: 0,
  });
  // PostgreSQL ends its connections when it stops; nobody needs to hear of the idle ones.
  pool.on('error', () => undefined);
  const sqlite = new SQLite(join(folder, 'world.sqlite'));
  closers.push(() => sqlite.close());
  sqlite.pragma('journal_mode = WAL');
  sqlite.pragma('foreign_keys = ON');
  await load(pool, sqlite, cities);
  return { address: server.address, pool, sqlite };
}
