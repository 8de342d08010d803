/** The profile check on MySQL or MariaDB: one violation of each rule. */

import {
  bigint,
  boolean,
  char,
  date,
  datetime,
  decimal,
  int,
  json,
  mysqlEnum,
  mysqlTable,
  varbinary,
  varchar,
} from 'drizzle-orm/mysql-core';
import { drizzle } from 'drizzle-orm/mysql2';
import { createPool } from 'mysql2/promise';
import type { PoolOptions } from 'mysql2/promise';
import { expect, it } from 'vitest';
import { checkProfile, drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { checkMysql } from '../../src/relational/databases/mysql/profile.ts';
import { profileRunner } from '../../src/relational/profile/index.ts';
import type { ProfileCell } from './suite.ts';
import { profileSuite } from './suite.ts';

const things = mysqlTable('things', {
  id: int().primaryKey(),
  name: varchar({ length: 50 }),
  uid: char({ length: 36 }),
  mood: mysqlEnum(['sad', 'ok']),
  big: bigint({ mode: 'bigint' }),
  price: decimal({ precision: 10, scale: 2 }),
  flag: boolean(),
  day: date(),
  at: datetime({ fsp: 6 }),
  json: json(),
  bytes: varbinary({ length: 16 }),
});

function open(config: PoolOptions): ProfileCell {
  // One connection, so that the check runs in the session that a test configures.
  const pool = createPool({ connectionLimit: 1, ...config });
  const registry = drizzleRegistry({ thing: things }, [], { thing: { uid: { kind: 'uuid' } } });
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

const offProfile = 'character set utf8mb4 collate';

await profileSuite({
  family: 'mysql',
  open: (url) => open({ uri: url }),
  columns: {
    id: 'int primary key',
    name: 'varchar(50)',
    uid: `char(36) ${offProfile} utf8mb4_bin`,
    mood: `enum('sad', 'ok')`,
    big: 'bigint',
    price: 'decimal(10, 2)',
    flag: 'tinyint(1)',
    day: 'date',
    at: 'datetime(6)',
    json: 'json',
    bytes: 'varbinary(16)',
  },
  accepted: [
    ['mood', `enum('new', 'sad', 'other', 'ok')`],
    ['name', 'text'],
    ['uid', 'char(36) character set ascii collate ascii_bin'],
    ['mood', 'varchar(10)'],
    ['at', 'datetime(3)'],
    ['big', 'bigint unsigned'],
    ['bytes', 'blob'],
  ],
  deviations: [
    {
      column: 'name',
      type: `varchar(50) ${offProfile} utf8mb4_general_ci`,
      rule: 'collation',
      detail: /^collation utf8mb4_general_ci; .*utf8mb4_nopad_bin/,
    },
    {
      column: 'name',
      type: `varchar(50) ${offProfile} utf8mb4_bin`,
      rule: 'collation',
      detail: /^collation utf8mb4_bin; .*trailing spaces$/,
    },
    {
      column: 'name',
      type: 'varchar(50) character set latin1 collate latin1_bin',
      rule: 'collation',
      detail: /^collation latin1_bin/,
    },
    {
      column: 'uid',
      type: `char(36) ${offProfile} utf8mb4_unicode_ci`,
      rule: 'collation',
      detail: /requires a binary collation/,
    },
    {
      column: 'mood',
      type: `enum('ok', 'it''s', 'sad')`,
      rule: 'enum-order',
      detail: /^members ok, it's, sad; the profile requires the declared order sad, ok: /,
    },
    {
      column: 'mood',
      type: `enum('sad', 'ok') ${offProfile} utf8mb4_general_ci`,
      rule: 'collation',
      detail: /requires a binary collation/,
    },
    {
      column: 'name',
      type: 'char(50)',
      rule: 'column-type',
      detail: /^type char\(50\); the profile requires varchar or text$/,
    },
    { column: 'uid', type: 'varchar(36)', rule: 'column-type', detail: /requires char\(36\)$/ },
    {
      column: 'id',
      type: 'int unsigned primary key',
      rule: 'column-type',
      detail: /requires a signed integer of at most 32 bits$/,
    },
    { column: 'id', type: 'bigint primary key', rule: 'column-type', detail: /at most 32 bits$/ },
    { column: 'big', type: 'decimal(20)', rule: 'column-type', detail: /requires bigint$/ },
    { column: 'price', type: 'double', rule: 'column-type', detail: /requires decimal\(p, s\)$/ },
    { column: 'flag', type: 'tinyint(4)', rule: 'column-type', detail: /requires tinyint\(1\)$/ },
    { column: 'day', type: 'datetime(6)', rule: 'column-type', detail: /requires date$/ },
    {
      column: 'at',
      type: 'datetime',
      rule: 'column-type',
      detail: /^type datetime; .*datetime\(6\)$/,
    },
    {
      column: 'at',
      type: 'timestamp(6) null',
      rule: 'column-type',
      detail: /^type timestamp\(6\)/,
    },
    { column: 'json', type: 'varchar(100)', rule: 'column-type', detail: /requires json$/ },
    {
      column: 'bytes',
      type: 'varchar(16)',
      rule: 'column-type',
      detail: /requires binary, varbinary or blob$/,
    },
    { column: 'big', type: '', rule: 'missing', detail: /^table things has no column big/ },
  ],
  checkWith: (run, source) => checkMysql(run, source.describe.context.physical),
  oldVersion: '10.5.28-MariaDB',
  more: (cell, database) => {
    it.each([
      [`set time_zone = '+02:00'`, 'time-zone', /^time_zone \+02:00; the profile requires \+00:00/],
      [`set sql_mode = ''`, 'mode', /^sql_mode is not strict/],
      [
        `set sql_mode = 'STRICT_ALL_TABLES,NO_BACKSLASH_ESCAPES'`,
        'mode',
        /^sql_mode has NO_BACKSLASH_ESCAPES/,
      ],
      [
        `set sql_mode = 'STRICT_ALL_TABLES,PAD_CHAR_TO_FULL_LENGTH'`,
        'mode',
        /^sql_mode has PAD_CHAR_TO_FULL_LENGTH/,
      ],
    ])('reports a session after %s', async (statement, rule, detail) => {
      const there = open({ uri: database.url });
      await there.execute(statement);
      expect(await checkProfile(there.source)).toEqual([
        { rule, where: 'session', detail: expect.stringMatching(detail) },
      ]);
      await there.close();
    });

    it('accepts every name of UTC', async () => {
      const there = open({ uri: database.url });
      await there.execute(`set time_zone = '+00:00'`);
      expect(await checkProfile(there.source)).toEqual([]);
      await there.close();
    });

    it('reports a driver that uses another character set', async () => {
      const there = open({ uri: database.url, charset: 'latin1' });
      expect(await checkProfile(there.source)).toEqual(
        ['client', 'connection'].map((set) => ({
          rule: 'encoding',
          where: 'session',
          detail: expect.stringContaining(
            `character_set_${set} latin1; the profile requires utf8mb4`,
          ),
        })),
      );
      await there.close();
    });

    it('distinguishes old versions of MySQL and MariaDB', async () => {
      const physical = cell().source.describe.context.physical;
      const versions = async (version: string) => {
        const violations = await checkMysql(
          async (query, values) =>
            (await profileRunner(cell().source.execute)(query, values)).map((row) =>
              'version' in row ? { ...row, version } : row,
            ),
          physical,
        );
        return violations.map(({ rule }) => rule);
      };
      expect(await versions('5.7.44')).toEqual(['version']);
      expect(await versions('8.0.40')).toEqual([]);
      expect(await versions('10.6.20-MariaDB-log')).toEqual([]);
    });
  },
});
