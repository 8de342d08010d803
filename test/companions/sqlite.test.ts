/** The companion migration on SQLite. */

import Database from 'better-sqlite3';
import { companionSuite } from './suite.ts';

await companionSuite({
  family: 'sqlite',
  knexConfig: (url) => ({
    client: 'better-sqlite3',
    connection: { filename: url },
    useNullAsDefault: true,
  }),
  itemColumns: `id INTEGER PRIMARY KEY, name TEXT COLLATE NOCASE, kind TEXT, price TEXT`,
  memberColumns: `tenant TEXT COLLATE NOCASE, id INTEGER, code BLOB, ref TEXT, name TEXT,
    PRIMARY KEY (tenant, id, code)) WITHOUT ROWID --`,
  codeLiteral: (hex) => `X'${hex}'`,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  text: 'TEXT',
  columnType: async (knex, table, column) => {
    const [row] = await knex.raw('SELECT type FROM pragma_table_info(?) WHERE name = ?', [
      table,
      column,
    ]);
    return row.type;
  },
  expectedTypes: { folded: 'TEXT', order: 'TEXT' },
  indexNames: async (knex, table) => {
    const rows = await knex.raw('SELECT name FROM pragma_index_list(?)', [table]);
    return rows.map(({ name }: { name: string }) => name);
  },
  writeBetween: async (knex, url, statements, run) => {
    const other = new Database(url);
    let written = false;
    // The driver is synchronous: these statements run between the read and its update.
    const write = (_answer: unknown, { sql }: { sql: string }) => {
      if (written || !/AS k0/.test(sql)) return;
      written = true;
      for (const statement of statements) other.exec(statement);
    };
    knex.on('query-response', write);
    try {
      await run();
    } finally {
      knex.off('query-response', write);
      other.close();
    }
  },
});
