/** The companion migration on PostgreSQL, with cases of PostgreSQL only: lock timeouts, invalid indexes. */

import knexFactory from 'knex';
import type { Knex } from 'knex';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { printCompanions, runCompanions } from '../../src/relational/companions/index.ts';
import type { QuerySchema } from '../../src/schema/index.ts';
import { scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';
import { companionSuite } from './suite.ts';
import { writeWhileLocked } from './write-while-locked.ts';

const knexConfig = (url: string): Knex.Config => ({ client: 'pg', connection: url });

await companionSuite({
  family: 'postgresql',
  knexConfig,
  itemColumns: `id integer PRIMARY KEY, name text, kind text, price numeric(12, 2)`,
  memberColumns: `tenant varchar(20), id bigint, code bytea, ref uuid, name text, PRIMARY KEY (tenant, id, code)`,
  codeLiteral: (hex) => `'\\x${hex}'`,
  quote: (name) => `"${name.replaceAll('"', '""')}"`,
  text: 'text',
  columnType: async (knex, table, column) => {
    const answer = await knex.raw(
      `SELECT data_type || ' ' || collation_name AS type FROM information_schema.columns WHERE table_name = ? AND column_name = ?`,
      [table, column],
    );
    return answer.rows[0].type;
  },
  expectedTypes: { folded: 'text C', order: 'text C' },
  indexNames: async (knex, table) => {
    const answer = await knex.raw('SELECT indexname FROM pg_indexes WHERE tablename = ?', [table]);
    return answer.rows.map(({ indexname }: { indexname: string }) => indexname);
  },
  writeBetween: (knex, url, statements, run) =>
    writeWhileLocked(knex, knexFactory(knexConfig(url)), statements, run),
});

const found = await scratchDatabase('postgresql', 'companion_locks');

describe.skipIf('missing' in found)('companion columns on a busy PostgreSQL', () => {
  const database = found as ScratchDatabase;
  let knex: Knex;
  let other: Knex;

  beforeAll(async () => {
    knex = knexFactory(knexConfig(database.url));
    other = knexFactory(knexConfig(database.url));
    await knex.raw('CREATE TABLE notes (id integer PRIMARY KEY, body text, at timestamptz)');
    await knex.raw(
      `INSERT INTO notes SELECT i, 'Note ' || i, 'epoch' FROM generate_series(1, 50) i`,
    );
  });
  afterAll(async () => {
    await knex.destroy();
    await other.destroy();
    await database.drop();
  });

  const schema: QuerySchema = {
    model: 'notes',
    primaryKey: ['id'],
    fields: [
      { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
      {
        path: 'body',
        kind: 'string',
        nullable: true,
        primaryKey: false,
        foldedField: 'body_folded',
      },
      {
        path: 'at',
        kind: 'datetime',
        nullable: true,
        primaryKey: false,
        portableOrderField: 'at_order',
      },
      { path: 'body_folded', kind: 'string', nullable: true, primaryKey: false, internal: true },
      { path: 'at_order', kind: 'string', nullable: true, primaryKey: false, internal: true },
    ],
    relations: [],
  };

  it('stops waiting for the table lock, lets other queries run, and retries', async () => {
    let attempts = 0;
    knex.on('query', ({ sql }: { sql: string }) => {
      if (sql.startsWith('ALTER TABLE')) attempts += 1;
    });
    let release = () => {};
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    let hold = () => {};
    const held = new Promise<void>((resolve) => {
      hold = resolve;
    });
    const holder = other.transaction(async (trx) => {
      await trx.raw('SELECT * FROM notes LIMIT 1');
      hold();
      await released;
    });
    await held;
    const run = runCompanions(knex, [{ schema }], { lockTimeoutMs: 50 });
    try {
      await expect.poll(() => attempts).toBeGreaterThan(1);
      expect(await knex('notes').count({ n: '*' })).toEqual([{ n: '50' }]);
    } finally {
      release();
      await holder;
    }
    expect(await run).toMatchObject([{ updated: 50, added: ['body_folded', 'at_order'] }]);
    const [note] = await knex('notes').where({ id: 7 });
    expect(note).toMatchObject({ body_folded: 'note 7', at_order: '1970-01-01T00:00:00.000' });
  });

  it('creates an index that serves an order with missing companions first', async () => {
    await runCompanions(knex, [{ schema }], { index: true });
    await knex.raw('SET enable_seqscan = off');
    for (const order of ['at_order NULLS FIRST', 'at_order DESC NULLS LAST']) {
      const { rows } = await knex.raw(`EXPLAIN SELECT id FROM notes ORDER BY ${order} LIMIT 5`);
      const plan = JSON.stringify(rows);
      expect(plan).toContain('notes_at_order_idx');
      expect(plan).not.toContain('Sort');
    }
    await knex.raw('DROP INDEX notes_at_order_idx, notes_body_folded_idx');
  });

  it('rebuilds an index that an interrupted build left invalid', async () => {
    await knex.raw('CREATE INDEX notes_body_folded_idx ON notes (body_folded)');
    await knex.raw(
      `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'notes_body_folded_idx'::regclass`,
    );
    const text = await printCompanions(knex, [{ schema }], { index: true });
    expect(text).toContain('DROP INDEX CONCURRENTLY public.notes_body_folded_idx;');
    const [report] = await runCompanions(knex, [{ schema }], { index: true });
    expect(report?.indexed).toEqual(['notes_body_folded_idx', 'notes_at_order_idx']);
    const valid = await knex.raw(
      `SELECT indisvalid FROM pg_index WHERE indexrelid = 'notes_body_folded_idx'::regclass`,
    );
    expect(valid.rows).toEqual([{ indisvalid: true }]);
  });
});
