/** The companion migration on SQLite. */

import Database from 'better-sqlite3';
import knexFactory from 'knex';
import { expect, it } from 'vitest';
import { runCompanions } from '../../src/relational/companions/index.ts';
import type { QuerySchema } from '../../src/schema/index.ts';
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

it('writes no more long texts at once than a statement holds', async () => {
  const knex = knexFactory({
    client: 'better-sqlite3',
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
  });
  const sizes: number[] = [];
  knex.on('query', ({ sql, bindings }: { sql: string; bindings: readonly unknown[] }) => {
    if (/^(?:WITH v|UPDATE)/.test(sql)) sizes.push(bindings.map(String).join('').length);
  });
  try {
    await knex.raw('CREATE TABLE notes (id INTEGER PRIMARY KEY, body TEXT, body_folded TEXT)');
    for (const id of [1, 2, 3]) await knex('notes').insert({ id, body: 'A'.repeat(1_100_000) });
    const field = { kind: 'string', nullable: true, primaryKey: false } as const;
    const schema: QuerySchema = {
      model: 'notes',
      primaryKey: ['id'],
      fields: [
        { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
        { ...field, path: 'body', foldedField: 'body_folded' },
        { ...field, path: 'body_folded', internal: true },
      ],
      relations: [],
    };
    expect(await runCompanions(knex, [{ schema }])).toMatchObject([{ updated: 3 }]);
    // Each row is compared with its text of 1.1 million characters, and gets as many.
    expect(sizes).toHaveLength(3);
    expect(Math.max(...sizes)).toBeLessThan(4_000_000);
  } finally {
    await knex.destroy();
  }
});
