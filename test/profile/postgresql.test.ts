/** The profile check on PostgreSQL: one violation of each rule. */

import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  bigint,
  boolean,
  customType,
  date,
  integer,
  jsonb,
  numeric,
  pgEnum,
  pgTable,
  text,
  timestamp,
  uuid,
} from 'drizzle-orm/pg-core';
import pg from 'pg';
import { expect, it } from 'vitest';
import { type QueryRulesDeclaration, defineQueryRules } from '../../src/index.ts';
import {
  checkProfile,
  drizzleRegistry,
  drizzleSource,
  enforceProfile,
  manyToMany,
} from '../../src/adapters/drizzle/index.ts';
import { checkPostgresql } from '../../src/relational/databases/postgresql/profile.ts';
import type { ProfileCell } from './suite.ts';
import { profileSuite } from './suite.ts';

const mood = pgEnum('mood', ['sad', 'ok']);
const bytes = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

const things = pgTable('things', {
  id: integer().primaryKey(),
  name: text(),
  uid: uuid(),
  mood: mood(),
  size: text({ enum: ['s', 'm'] }),
  big: bigint({ mode: 'bigint' }),
  price: numeric({ precision: 10, scale: 2 }),
  flag: boolean(),
  day: date(),
  at: timestamp({ withTimezone: true }),
  json: jsonb(),
  bytes: bytes(),
});

function open(config: pg.PoolConfig): ProfileCell {
  const pool = new pg.Pool({ max: 1, ...config });
  const registry = drizzleRegistry({ thing: things }, [], { thing: { bytes: { kind: 'binary' } } });
  return {
    source: drizzleSource({
      db: drizzle(pool),
      registry,
      tables: { thing: things },
      model: 'thing',
    }),
    execute: (sql) => pool.query(sql),
    close: () => pool.end(),
  };
}

await profileSuite({
  family: 'postgresql',
  open: (url) => open({ connectionString: url }),
  before: [
    `create type mood as enum ('sad', 'ok')`,
    `create type mood_added as enum ('new', 'sad', 'other', 'ok')`,
    `create type mood_turned as enum ('ok', 'it''s', 'sad')`,
    'create domain mood_domain as mood_turned',
    'create domain short_text as varchar(20) collate "C"',
    'create domain money_amount as numeric(10, 2)',
  ],
  columns: {
    id: 'integer primary key',
    name: 'text collate "C"',
    uid: 'uuid',
    mood: 'mood',
    size: 'text',
    big: 'bigint',
    price: 'numeric(10, 2)',
    flag: 'boolean',
    day: 'date',
    at: 'timestamptz',
    json: 'jsonb',
    bytes: 'bytea',
  },
  accepted: [
    ['mood', 'mood_added'],
    ['name', 'varchar(30) collate "POSIX"'],
    ['name', 'text collate ucs_basic'],
    ['name', 'short_text'],
    ['price', 'money_amount'],
    ['at', 'timestamptz(3)'],
    ['json', 'json'],
    ['big', 'integer'],
  ],
  deviations: [
    {
      column: 'mood',
      type: 'mood_turned',
      rule: 'enum-order',
      detail: /^members ok, it's, sad; the profile requires the declared order sad, ok: /,
    },
    { column: 'mood', type: 'mood_domain', rule: 'enum-order', detail: /^members ok, it's, sad; / },
    {
      column: 'name',
      type: 'text collate "en-x-icu"',
      rule: 'collation',
      detail: /^collation en-x-icu; .*COLLATE "C"$/,
    },
    {
      column: 'size',
      type: 'text collate "en-x-icu"',
      rule: 'collation',
      detail: /^collation en-x-icu/,
    },
    {
      column: 'name',
      type: 'char(10)',
      rule: 'column-type',
      detail: /^type character\(10\); the profile requires text or varchar$/,
    },
    {
      column: 'uid',
      type: 'text',
      rule: 'column-type',
      detail: /^type text; the profile requires uuid$/,
    },
    { column: 'id', type: 'bigint primary key', rule: 'column-type', detail: /^type bigint/ },
    { column: 'big', type: 'numeric(20)', rule: 'column-type', detail: /^type numeric\(20,0\)/ },
    {
      column: 'price',
      type: 'double precision',
      rule: 'column-type',
      detail: /^type double precision; the profile requires numeric/,
    },
    {
      column: 'price',
      type: 'numeric',
      rule: 'decimal',
      detail: /without bounds; the profile requires numeric\(p, s\)$/,
    },
    { column: 'flag', type: 'smallint', rule: 'column-type', detail: /requires bool$/ },
    { column: 'day', type: 'timestamp', rule: 'column-type', detail: /requires date$/ },
    {
      column: 'at',
      type: 'timestamp',
      rule: 'column-type',
      detail: /^type timestamp without time zone; the profile requires timestamptz$/,
    },
    { column: 'json', type: 'text', rule: 'column-type', detail: /requires json or jsonb$/ },
    { column: 'bytes', type: 'text', rule: 'column-type', detail: /requires bytea$/ },
    { column: 'big', type: '', rule: 'missing', detail: /^table things has no column big/ },
  ],
  checkWith: (run, source) => checkPostgresql(run, source.describe.context.physical),
  oldVersion: '13.16',
  more: (cell, database) => {
    const inDatabase = async (options: string, check: (cell: ProfileCell) => Promise<void>) => {
      const name = `${new URL(database.url).pathname.slice(1)}_2`;
      await cell().execute(`create database ${name} template template0 ${options}`);
      const other = open({ connectionString: database.url.replace(/\/[^/]*$/, `/${name}`) });
      try {
        await other.execute(`create type mood as enum ('sad', 'ok')`);
        await other.execute(
          'create table things (id integer primary key, name text, uid uuid, mood mood, size text, big bigint, price numeric(10, 2), flag boolean, day date, at timestamptz, json jsonb, bytes bytea)',
        );
        await check(other);
      } finally {
        await other.close();
        await cell().execute(`drop database ${name}`);
      }
    };
    const version = async () => {
      const answer = await cell().execute(`select current_setting('server_version_num') as n`);
      return Number((answer as pg.QueryResult<{ n: string }>).rows[0]?.n);
    };

    it('names the index of a native search, and lets the database have its own collations', async () => {
      await cell().execute('alter table things alter name type text collate "en-x-icu"');
      const { source } = cell();
      const { registry } = source.describe.context;
      const rules = (more: QueryRulesDeclaration) => defineQueryRules(registry, 'thing', more);
      const fields = { root: { allowed: ['id'], default: ['id'] } };
      const searching = rules({ fields, search: ['name', 'uid', 'size'] });
      const missing = [
        {
          rule: 'search-index',
          where: 'thing.name',
          detail: expect.stringContaining('using gin ("name" gin_trgm_ops)'),
        },
      ];
      const found = await checkProfile(source, searching);
      expect(found).toEqual(missing);
      await expect(enforceProfile(source, searching)).resolves.toBeUndefined();
      const statements = found.map(({ detail }) => detail.split('every row: ')[1] ?? '');
      for (const statement of statements) await cell().execute(statement);
      expect(await checkProfile(source, searching)).toEqual([]);
      expect(await checkProfile(source, rules({ fields }))).toEqual([]);
      expect(await checkProfile(source)).toMatchObject([{ rule: 'collation' }]);
      await cell().execute('drop extension pg_trgm cascade');
      await cell().execute('alter table things alter name type text collate "C"');
    });

    it('reports a session that is not in UTC', async () => {
      const there = open({ connectionString: database.url, options: '-c timezone=Europe/Berlin' });
      expect(await checkProfile(there.source)).toEqual([
        {
          rule: 'time-zone',
          where: 'session',
          detail: expect.stringMatching(/^TimeZone Europe\/Berlin/),
        },
      ]);
      await there.close();
      const utc = open({ connectionString: database.url, options: '-c timezone=Etc/UTC' });
      expect(await checkProfile(utc.source)).toEqual([]);
      await utc.close();
    });

    it('reports a session that writes dates or floats in another form', async () => {
      for (const [options, rule, detail] of [
        ['-c datestyle=German', 'date-style', /^DateStyle German, DMY; /],
        ['-c datestyle=SQL,MDY', 'date-style', /^DateStyle SQL, MDY; /],
        ['-c extra_float_digits=0', 'float-digits', /^extra_float_digits 0 rounds/],
      ] as const) {
        const there = open({ connectionString: database.url, options });
        expect(await checkProfile(there.source)).toEqual([
          { rule, where: 'session', detail: expect.stringMatching(detail) },
        ]);
        await there.close();
      }
      const other = open({ connectionString: database.url, options: '-c datestyle=ISO,DMY' });
      expect(await checkProfile(other.source)).toEqual([]);
      await other.close();
    });

    it('reports a database with another encoding', async () => {
      await inDatabase(`encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C'`, async (other) => {
        await other.execute(`set timezone to 'UTC'`);
        expect(await checkProfile(other.source)).toEqual([
          {
            rule: 'encoding',
            where: 'database',
            detail: 'encoding SQL_ASCII; the profile requires UTF8',
          },
        ]);
      });
    });

    it('accepts the default collation only if it compares by code point', async () => {
      const byCodePoint =
        (await version()) >= 170_000
          ? `locale_provider builtin builtin_locale 'C.UTF-8' encoding 'UTF8'`
          : `lc_collate 'C' lc_ctype 'C' encoding 'UTF8'`;
      await inDatabase(byCodePoint, async (other) => {
        await other.execute(`set timezone to 'UTC'`);
        expect(await checkProfile(other.source)).toEqual([]);
      });
      const icu =
        (await version()) >= 150_000 ? `locale_provider icu icu_locale 'en' lc_collate 'C'` : null;
      if (!icu) return;
      await inDatabase(`${icu} lc_ctype 'C' encoding 'UTF8'`, async (other) => {
        await other.execute(`set timezone to 'UTC'`);
        expect(await checkProfile(other.source)).toEqual(
          ['thing.name', 'thing.size'].map((where) => ({
            rule: 'collation',
            where,
            detail: expect.stringMatching(/^collation default/),
          })),
        );
      });
    });

    it('also checks columns of joins, join tables and other schemas', async () => {
      const tags = pgTable('tags', { code: text().primaryKey() });
      const tagged = pgTable('tagged', {
        thing: integer('thing_id').references(() => things.id),
        tag: text('tag_code').references(() => tags.code),
      });
      const tables = { thing: things, tag: tags };
      const links = [
        manyToMany(things, 'tags', { through: tagged, target: tags }),
        relations(tags, () => ({})),
      ];
      const registry = drizzleRegistry(tables, links, { thing: { bytes: false } });
      const db = cell().source.execute.handle;
      const source = drizzleSource({ db, registry, tables, model: 'thing' });
      await cell().execute('create table tags (code text primary key)');
      await cell().execute(
        'create table tagged (thing_id integer, tag_code text collate "en-x-icu")',
      );
      expect(await checkProfile(source)).toEqual([
        { rule: 'collation', where: 'tagged.tag_code', detail: expect.stringMatching(/en-x-icu/) },
      ]);
    });
  },
});
