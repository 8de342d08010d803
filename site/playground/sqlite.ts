/** A connection of `sluice/sql` over a database of SQL.js, which is loaded when it is first asked for. */

import type { Database, SqlJsStatic } from 'sql.js';
import wasm from 'sql.js/dist/sql-wasm-browser.wasm?url';
import type { Statement } from '../../demo/statements.ts';
import type { Executor } from '../../src/adapters/sql/index.ts';

/** Bytes of memory that a database may take, and pages of 4 kB that it may have. */
const maxMemory = 64 * 1024 * 1024;
const maxPages = maxMemory / 4096;

let loading: Promise<SqlJsStatic> | undefined;

/** Loads SQLite, once. */
export const loadSqlite = (): Promise<SqlJsStatic> =>
  (loading ??= import('sql.js').then(({ default: load }) => load({ locateFile: () => wasm })));

/** A database in memory. */
export async function openDatabase(): Promise<Database> {
  const { Database } = await loadSqlite();
  const database = new Database();
  database.run(`pragma hard_heap_limit = ${maxMemory}; pragma max_page_count = ${maxPages}`);
  return database;
}

/** An executor that tells `told` its statements. */
export function connectionTo(database: Database, told: (statement: Statement) => void) {
  const executor: Executor & { readonly family: 'sqlite' } = {
    family: 'sqlite',
    concurrent: false,
    server: database,
    run: ({ text: sql }, params) => {
      told({ sql, params });
      return database.exec(sql, params as (number | string | null)[])[0]?.values ?? [];
    },
    transaction: async (body) => {
      database.run('savepoint sluice');
      try {
        return await body(executor);
      } finally {
        // Reads have nothing to undo.
        database.run('release sluice');
      }
    },
  };
  return executor;
}
