/** Loads the data of the demo into an SQLite file, once. */

import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

import type { Database } from 'better-sqlite3';

import { createIndexes, createTables } from './ddl.ts';
import type { Progress } from './progress.ts';
import type { RowValues, TableRows } from './rows.ts';

const batchRows = 5000;
const tableNames = ['cities', 'borders', 'country_languages', 'languages', 'countries', 'loaded'];

const bindable = (row: RowValues) =>
  row.map((value) => (typeof value === 'boolean' ? Number(value) : value));

/** The loaded edition of the data; `null` before the first load. */
export function loadedInSqlite(database: Database): string | null {
  const known = database.prepare(`SELECT 1 FROM sqlite_schema WHERE name = 'loaded'`).get();
  return known
    ? (database.prepare<[], string>('SELECT edition FROM loaded').pluck().get() ?? null)
    : null;
}

/** Replaces all tables in one transaction; the table `loaded` stores the edition. */
export async function loadSqlite(
  database: Database,
  tables: readonly TableRows[],
  edition: string,
  progress: Progress,
): Promise<void> {
  database.exec('BEGIN');
  try {
    for (const table of tableNames) database.exec(`DROP TABLE IF EXISTS ${table}`);
    for (const statement of createTables('sqlite')) database.exec(statement);
    for (const { table, columns, rows } of tables) {
      const placeholders = columns.map(() => '?').join(', ');
      const insert = database.prepare(
        `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${placeholders})`,
      );
      for (let start = 0; start < rows.length; start += batchRows) {
        const batch = rows.slice(start, start + batchRows);
        for (const row of batch) insert.run(bindable(row));
        progress.add(batch.length);
        // The driver is synchronous, so the concurrent load of PostgreSQL runs here.
        await yieldToEventLoop();
      }
    }
    for (const statement of createIndexes) database.exec(statement);
    database.exec('CREATE TABLE loaded (edition text NOT NULL)');
    database.prepare('INSERT INTO loaded VALUES (?)').run(edition);
    database.exec('COMMIT');
  } catch (error) {
    if (database.open) database.exec('ROLLBACK');
    throw error;
  }
  database.exec('ANALYZE');
}
