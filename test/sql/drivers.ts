/** The plain drivers, each on a scratch database. */

import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import type { SqlConnection } from '../../src/adapters/sql/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import type { ScratchDatabase } from '../services/index.ts';

/** A connection to a scratch database, and a function that runs SQL on it. */
export interface Opened {
  readonly family: DatabaseFamily;
  readonly connection: SqlConnection;
  run(sql: string): Promise<unknown>;
  /** Closes the connection and drops the database. */
  close(): Promise<void>;
}

/** The driver of a family on a scratch database. */
export function openDriver(family: DatabaseFamily, database: ScratchDatabase): Opened {
  const { url } = database;
  if (family === 'sqlite') {
    const client = new Sqlite(url);
    return {
      family,
      connection: client,
      run: async (sql) => client.exec(sql),
      close: async () => {
        client.close();
        await database.drop();
      },
    };
  }
  const pool =
    family === 'mysql'
      ? mysql2.createPool({ uri: url, connectionLimit: 2 })
      : new pg.Pool({ connectionString: url, max: 2 });
  return {
    family,
    connection: pool,
    run: (sql) => (pool instanceof pg.Pool ? pool.query(sql) : pool.query(sql)),
    close: async () => {
      await pool.end();
      await database.drop();
    },
  };
}

/** Runs statements in order; names are quoted as in standard SQL. */
export async function runScript({ family, run }: Opened, statements: readonly string[]) {
  for (const sql of statements) await run(family === 'mysql' ? sql.replaceAll('"', '`') : sql);
}
