/** The profile check on SQLite: one violation of each rule. */

import Database from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { blob, integer, numeric, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { checkProfile, drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { checkSqlite } from '../../src/relational/databases/sqlite/profile.ts';
import type { ProfileCell } from './suite.ts';
import { profileSuite } from './suite.ts';

const things = sqliteTable('things', {
  id: integer().primaryKey(),
  name: text(),
  uid: text(),
  price: numeric(),
  wide: text(),
  wideOrder: text(),
  flag: integer({ mode: 'boolean' }),
  day: text(),
  seconds: integer({ mode: 'timestamp' }),
  milliseconds: integer({ mode: 'timestamp_ms' }),
  iso: text(),
  json: text({ mode: 'json' }),
  blobJson: blob({ mode: 'json' }),
  bytes: blob({ mode: 'buffer' }),
});

const overrides = {
  uid: { kind: 'uuid' },
  wide: { kind: 'decimal' },
  day: { kind: 'date' },
  iso: { kind: 'datetime' },
} as const;

function open(url: string): ProfileCell {
  const client = new Database(url);
  const registry = drizzleRegistry({ thing: things }, [], { thing: overrides });
  return {
    source: drizzleSource({
      db: drizzle(client),
      registry,
      tables: { thing: things },
      model: 'thing',
    }),
    execute: async (sql) => client.exec(sql),
    close: async () => client.close(),
  };
}

const instant = `'2024-03-10T12:34:56.789Z'`;

await profileSuite({
  family: 'sqlite',
  open,
  columns: {
    id: 'integer primary key',
    name: 'text',
    uid: 'text',
    price: 'numeric',
    wide: 'text',
    wideOrder: 'text',
    flag: 'integer',
    day: 'text',
    seconds: 'integer',
    milliseconds: 'integer',
    iso: 'text',
    json: 'text',
    blobJson: 'blob',
    bytes: 'blob',
  },
  accepted: [
    ['name', 'varchar(50) collate binary'],
    ['flag', 'boolean'],
    ['price', 'decimal(15, 2)'],
    ['iso', 'datetime'],
    ['day', 'date'],
  ],
  deviations: [
    { column: 'name', type: 'text collate nocase', rule: 'collation', detail: /requires BINARY/ },
    { column: 'name', type: 'text collate rtrim', rule: 'collation', detail: /requires BINARY/ },
    {
      column: 'wideOrder',
      type: 'text collate nocase',
      rule: 'collation',
      detail: /requires BINARY/,
    },
    {
      column: 'name',
      type: 'blob',
      rule: 'column-type',
      detail: /^type blob; the profile requires TEXT$/i,
    },
    { column: 'id', type: 'real primary key', rule: 'column-type', detail: /requires INTEGER$/ },
    { column: 'price', type: 'real', rule: 'column-type', detail: /requires INTEGER or NUMERIC$/ },
    { column: 'price', type: 'numeric(20, 5)', rule: 'decimal', detail: /exact to 15 digits only/ },
    { column: 'wide', type: 'numeric(30, 5)', rule: 'column-type', detail: /requires TEXT$/ },
    { column: 'flag', type: 'text', rule: 'column-type', detail: /requires INTEGER or NUMERIC$/ },
    { column: 'day', type: 'integer', rule: 'column-type', detail: /requires TEXT or NUMERIC$/ },
    { column: 'iso', type: 'integer', rule: 'column-type', detail: /requires TEXT or NUMERIC$/ },
    {
      column: 'milliseconds',
      type: 'text',
      rule: 'column-type',
      detail: /requires INTEGER or NUMERIC$/,
    },
    { column: 'json', type: 'blob', rule: 'column-type', detail: /requires TEXT$/ },
    { column: 'blobJson', type: 'text', rule: 'column-type', detail: /requires BLOB$/ },
    { column: 'bytes', type: 'text', rule: 'column-type', detail: /requires BLOB$/ },
    { column: 'name', type: '', rule: 'missing', detail: /^table things has no column name/ },
    {
      column: 'milliseconds',
      type: 'integer',
      value: instant,
      rule: 'datetime-form',
      detail: /not stored as epoch-milliseconds/,
    },
    {
      column: 'seconds',
      type: 'datetime',
      value: '1710074096.789',
      rule: 'datetime-form',
      detail: /not stored as epoch-seconds/,
    },
    {
      column: 'iso',
      type: 'text',
      value: `'2024-03-10 12:34:56'`,
      rule: 'datetime-form',
      detail: /not stored as iso-text/,
    },
  ],
  checkWith: (run, source) => checkSqlite(run, source.describe.context.physical),
  oldVersion: '3.39.5',
  more: (cell, database) => {
    it('accepts instants that all have the form of their column', async () => {
      await cell().execute(
        `insert into things (id, seconds, milliseconds, iso) values (1, 1710074096, 1710074096789, ${instant}), (2, null, null, null)`,
      );
      expect(await checkProfile(cell().source)).toEqual([]);
    });

    it('reports a database with another encoding', async () => {
      const there = open(`${database.url}-utf16`);
      await there.execute(`pragma encoding = 'UTF-16'`);
      await there.execute('create table other (id integer primary key)');
      const violations = await checkProfile(there.source);
      expect(violations.filter(({ rule }) => rule !== 'missing')).toEqual([
        {
          rule: 'encoding',
          where: 'database',
          detail: expect.stringMatching(/^encoding UTF-16.*UTF-8$/),
        },
      ]);
      await there.close();
    });

    it('reports a decimal stored as text without an order companion', async () => {
      const registry = drizzleRegistry({ thing: things }, [], {
        thing: { ...overrides, wide: { kind: 'decimal', portableOrderField: false } },
      });
      const db = cell().source.execute.handle;
      const source = drizzleSource({ db, registry, tables: { thing: things }, model: 'thing' });
      expect(await checkProfile(source)).toEqual([
        {
          rule: 'decimal',
          where: 'thing.wide',
          detail: expect.stringMatching(/portableOrderField$/),
        },
      ]);
    });
  },
});
