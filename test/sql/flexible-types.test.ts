/** Walks over columns of SQLite that hold values of another type than they are declared with, as its flexible types allow. */

import Sqlite from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { introspect, sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type KeysetResult,
  QueryError,
  defineQueryRules,
  planQuery,
  runQuery,
} from '../../src/index.ts';
import { encodeCursor } from '../../src/rules/plan/cursor/cursor.ts';
import { cursorKeys } from '../cursor-keys.ts';

type Stored = string | number | bigint | null | Uint8Array;

const bytes = (...of: number[]): Uint8Array => Buffer.from(of);
/** The first whole number that a double does not hold. */
const wide = 9_007_199_254_740_993n;
/** The largest whole number, beside which a double holds the next one only. */
const largest = 9_223_372_036_854_775_807n;
/** Neighbours that doubles do not tell apart. */
const neighbours = [
  5n,
  wide - 1n,
  wide,
  wide,
  wide + 1n,
  largest - 1n,
  largest,
  -largest,
  -largest - 1n,
];

/** Values by the declared type of their column. */
const columns: readonly (readonly [type: string, values: readonly Stored[]])[] = [
  ['date', ['1996-07-04', '1996-07-05 00:00:00', '1996-07-05 00:00:00', '1996-07-05']],
  ['date', ['2024-02-29 10:00:00', '2024-02-29T10:00:00Z', 1_709_164_800, 2_460_369.5, '', null]],
  ['date', ['0000-00-00', '2023-02-29', '29.02.2024', 'NULL', '2024-02-29', bytes(0x32, 0xff)]],
  ['boolean', ['t', 'f', 't', 'f', 't', null, 't']],
  ['boolean', ['true', 'false', 'TRUE', 0, 1, 'true', 2, -1, 1.5, 'yes', '', bytes(1)]],
  ['integer', [1, '', 'abc', 2, '', 1.5, 2.5, 'abc', 1e300, -1e300, 5_000_000_000, bytes(0x31)]],
  ['integer', [Infinity, 3, -Infinity, 0.1 + 0.2, 0.1 + 0.2, 1 / 3, '0x10', '1,5', ' ', null]],
  ['integer', [1n, wide, wide, wide, wide + 2n, 5n, -wide, -wide, 1e17, '', 1.5]],
  ['bigint', [1n, '', 'abc', wide, wide, wide + 2n, 1.5, 1.5, -wide, 5n, 'abc', null]],
  ['bigint', [0.1 + 0.2, 0.1 + 0.2, 1 / 3, 1 / 3, 0, 1e300, -1e19, bytes(1), bytes(1), bytes(2)]],
  ['real', [1, '', 'abc', 2, Infinity, -Infinity, 0.1 + 0.2, 1 / 3, 1 / 3, 'abc', bytes(1), null]],
  ['real', [5e-324, 1e308, 1e22, 'NaN', '1,5', '0x10', 'NaN', 0, -0, 1e21 / 7, wide]],
  ['numeric', [1, '', 'abc', '1,50', '10,00', 'abc', 5e-324, 5e-324, 1e300, -1e300, Infinity]],
  ['numeric(20, 0)', [1n, wide, wide, wide, wide + 2n, 5n, -wide, -wide, null, '']],
  ['decimal(20, 2)', [wide, wide, 0.1 + 0.2, 1 / 3, 1 / 3, 1e21 / 7, 1e22, 1e40, bytes(1)]],
  ['text', ['a', 'b\0x', 'b\0x', 'b\0y', 'b', '', '\0', '\0tb', '\0r1', bytes(0xff), bytes(1)]],
  ['varchar(20)', ['a', bytes(0x61), bytes(0x61), bytes(0x62), 'A', 'é', '\u{10ffff}', null]],
  ['uuid', ['6F9619FF-8B86-D011-B42D-00CF4FC964FF', '', 'abc', 5, 'abc', null]],
  ['uuid', ['6f9619ff-8b86-d011-b42d-00cf4fc964ff', '6F9619FF-8B86-D011-B42D-00CF4FC964FF', 'g']],
  ...['boolean', 'integer', 'bigint', 'real', 'numeric', 'text', 'varchar(20)'].map(
    (type): readonly [string, readonly Stored[]] => [type, [...neighbours, 'abc', null]],
  ),
];

type Client = InstanceType<typeof Sqlite>;

function filled(type: string, values: readonly Stored[]): Client {
  const connection = new Sqlite(':memory:');
  connection.exec(`create table items (id integer primary key, x ${type})`);
  const insert = connection.prepare('insert into items (x) values (?)');
  for (const value of values) insert.run(value);
  return connection;
}

async function endpoint(connection: Client, sealed: boolean, sorts: readonly string[] = ['x']) {
  const registry = await introspect(connection);
  const rules = defineQueryRules(
    registry,
    'items',
    { sorts, fields: 'all', pagination: { mode: 'keyset' } },
    sealed ? { cursorKeys } : {},
  );
  const source = sqlSource({ connection, registry, tables: registry.tables, model: 'items' });
  return async (request: string) =>
    (await runQuery(source, request, rules)) as unknown as KeysetResult;
}

type List = Awaited<ReturnType<typeof endpoint>>;

/** The values of a field in the order of the pages, forwards and then backwards from the last page. */
async function walked(list: List, field: string, request: string) {
  const mostPages = 40;
  const shown = ({ data }: KeysetResult) => data.map((row) => row[field]);
  const forwards: unknown[] = [];
  const backwards: unknown[] = [];
  let cursor: string | null = '';
  let back: string | null = null;
  for (let pages = 0; cursor !== null && pages < mostPages; pages += 1) {
    const page: KeysetResult = await list(`${request}&cursor=${cursor}`);
    forwards.push(...shown(page));
    backwards.splice(0, Infinity, ...shown(page));
    cursor = page.nextCursor;
    back = page.prevCursor;
  }
  for (let pages = 0; back !== null && pages < mostPages; pages += 1) {
    const page: KeysetResult = await list(`${request}&cursor=${back}`);
    backwards.unshift(...shown(page));
    back = page.prevCursor;
  }
  return { forwards, backwards };
}

describe.each(columns)('a column %s with values of other types', (type, values) => {
  it.each(['readable', 'sealed'])('is walked in the order of the database, %s', async (form) => {
    const connection = filled(type, values);
    const list = await endpoint(connection, form === 'sealed');
    for (const [sort, order] of [
      ['x', 'x, id'],
      ['-x', 'x desc, id desc'],
    ]) {
      const ids = connection.prepare(`select id from items order by ${order}`).pluck().all();
      for (const perPage of [1, 2, 3]) {
        const { forwards, backwards } = await walked(list, 'id', `sort=${sort}&perPage=${perPage}`);
        expect(forwards, `${sort} by ${perPage}`).toEqual(ids);
        expect(backwards, `${sort} by ${perPage}, back`).toEqual(ids);
      }
    }
  });
});

describe('a key with values of other types', () => {
  const keys: readonly (readonly [type: string, values: readonly Stored[]])[] = [
    ['date', ['2024-02-29', '2024-02-29 00:00:00', '2024-02-28', '']],
    ['int', [1, 'a', 1.5, 'b', '', 7]],
    ['bigint', [1n, 'a', wide, wide + 1n, 1.5, 'b', '']],
    ['text', ['a', 'a\0b', 'a\0c', 'b']],
  ];
  it.each(keys)('%s is walked in the order of the database', async (type, values) => {
    const connection = new Sqlite(':memory:');
    connection.exec(`create table items (key ${type} not null primary key, x text)`);
    // Texts that are longer than a cursor holds are looked up by the key.
    const insert = connection.prepare('insert into items values (?, ?)');
    for (const [at, value] of values.entries()) insert.run(value, 'x'.repeat(2000) + (at & 1));
    for (const sealed of [false, true]) {
      const list = await endpoint(connection, sealed, ['key', 'x']);
      for (const [sort, order] of [
        ['key', 'key'],
        ['-key', 'key desc'],
        ['x', 'x, key'],
      ]) {
        const shown = (await list(`sort=${sort}&perPage=50`)).data.map((row) => row['key']);
        const stored = connection.prepare(`select x from items order by ${order}`).pluck().all();
        const { forwards, backwards } = await walked(list, 'key', `sort=${sort}&perPage=1`);
        expect(shown).toHaveLength(stored.length);
        expect(forwards, `${sort} ${sealed}`).toEqual(shown);
        expect(backwards, `${sort} ${sealed}, back`).toEqual(shown);
      }
    }
  });
});

describe.each([
  ['the key', 'key integer primary key, one integer default 1', 'key'],
  ['a part of the key', 'key integer, one integer default 1, primary key (one, key)', 'key'],
  ['a date', 'key integer primary key, one date', 'one'],
])('a number beyond 2^53 in a column of which drivers round it: %s', (_title, columns, path) => {
  it.each([wide, wide + 1n, largest, -largest - 1n])('refuses pages at %s', async (number) => {
    for (const sort of [path, `-${path}`]) {
      for (const perPage of [1, 2]) {
        const connection = new Sqlite(':memory:');
        connection.exec(`create table items (${columns})`);
        const values = path === 'one' ? 'values (1, 5), (2, ?), (3, ?)' : 'values (5), (?), (?)';
        const into = path === 'one' ? '(key, one)' : '(key)';
        const other = number < 0 ? number + 1n : number - 1n;
        connection.prepare(`insert into items ${into} ${values}`).run(number, other);
        const tables = sqlTables({
          items: {
            table: 'items',
            primaryKey: columns.includes('(one, key)') ? ['one', 'key'] : 'key',
            columns: {
              key: 'integer',
              one: path === 'one' ? 'date' : 'integer',
            },
          },
        });
        const registry = sqlRegistry(tables);
        const source = sqlSource({ connection, registry, tables, model: 'items' });
        const rules = defineQueryRules(
          registry,
          'items',
          { sorts: [path], fields: 'all', pagination: { mode: 'keyset' } },
          { cursorKeys },
        );
        const list: List = async (request) =>
          (await runQuery(source, request, rules)) as unknown as KeysetResult;
        await expect(walked(list, path, `sort=${sort}&perPage=${perPage}`)).rejects.toMatchObject({
          code: 'CAPABILITY_UNAVAILABLE',
          details: { path },
        });
      }
    }
  });
});

it('floats of a column that stores whole numbers are walked in the order of the database', async () => {
  const connection = filled('numeric', neighbours);
  const tables = sqlTables({
    items: {
      table: 'items',
      primaryKey: 'id',
      columns: { id: 'integer', x: { type: 'numeric', kind: 'float', storage: 'native' } },
    },
  });
  const registry = sqlRegistry(tables);
  const source = sqlSource({ connection, registry, tables, model: 'items' });
  const rules = defineQueryRules(registry, 'items', {
    sorts: ['x'],
    fields: 'all',
    pagination: { mode: 'keyset' },
  });
  const list: List = async (request) =>
    (await runQuery(source, request, rules)) as unknown as KeysetResult;
  const ids = connection.prepare('select id from items order by x, id').pluck().all();
  const { forwards, backwards } = await walked(list, 'id', 'sort=x&perPage=1');
  expect(forwards).toEqual(ids);
  expect(backwards).toEqual(ids);
});

describe('instants of several forms in one column', () => {
  const texts = [
    '2024-01-01T10:00:00.000Z',
    '2024-01-01 10:00:00',
    '2024-01-01 10:00:00',
    '2024-01-01',
    '2024-01-01T10:00:00.000+00:00',
    '2024-01-01 10:00:00.123456',
    '2024-01-01 10:00:00.123457',
    '',
    'yesterday',
    '2024-01-01T10:00:00Z',
    '2024-01-01T12:00:00+02:00',
  ];
  const numbers = [
    1_704_103_200,
    1_704_103_200_000,
    1_704_103_200.25,
    1.5,
    0,
    -1,
    1e17,
    'now',
    '',
    ...neighbours,
  ];
  it.each([
    ['text', 'iso-text', texts],
    ['text', 'blank-text', texts],
    ['text', 'short-text', texts],
    ['text', 'offset-text', texts],
    ['integer', 'epoch-seconds', numbers],
    ['integer', 'epoch-milliseconds', numbers],
  ] as const)('%s as %s are walked in the order of the database', async (type, storage, values) => {
    const connection = filled(type, values);
    const tables = sqlTables({
      items: {
        table: 'items',
        primaryKey: 'id',
        columns: { id: 'integer', x: { type, kind: 'datetime', storage, nullable: true } },
      },
    });
    const registry = sqlRegistry(tables);
    const source = sqlSource({ connection, registry, tables, model: 'items' });
    for (const sealed of [false, true]) {
      const rules = defineQueryRules(
        registry,
        'items',
        { sorts: ['x'], fields: 'all', pagination: { mode: 'keyset' } },
        sealed ? { cursorKeys } : {},
      );
      const list: List = async (request) =>
        (await runQuery(source, request, rules)) as unknown as KeysetResult;
      const ids = connection.prepare('select id from items order by x, id').pluck().all();
      const { forwards, backwards } = await walked(list, 'id', 'sort=x&perPage=1');
      expect(forwards).toEqual(ids);
      expect(backwards).toEqual(ids);
    }
  });
});

describe('a forged position', () => {
  const texts = [
    '\0',
    '\0t',
    '\0t\0',
    "\0t' or 1=1 --",
    '\0t\ud800',
    '\0i',
    '\0i5',
    '\0i1.5',
    '\0i99999999999999999999',

    '\0r',
    '\0r1.5',
    '\0rInfinity',
    '\0r-Infinity',
    '\0rNaN',
    '\0r1e999',
    '\0r0x10',
    '\0r1;drop table items',
    '\0b',
    '\0bff',
    '\0bf',
    '\0bzz',
    '\0x1',
    '\0q',
    "abc'--",
    '1.5',
    '',
    '9e999',
    '\0r1e+400',
  ];
  it.each(['date', 'boolean', 'integer', 'bigint', 'real', 'numeric', 'text', 'uuid'])(
    'in a column %s is answered with rows or CURSOR_INVALID',
    async (type) => {
      const connection = filled(type, [1, 'abc', null, 2.5, bytes(1)]);
      const registry = await introspect(connection);
      const rules = defineQueryRules(registry, 'items', {
        sorts: ['x'],
        fields: 'all',
        pagination: { mode: 'keyset' },
      });
      const source = sqlSource({ connection, registry, tables: registry.tables, model: 'items' });
      const { page } = planQuery('sort=x&cursor=', rules);
      const binding = page.mode === 'keyset' ? page.binding : '';
      const answers = new Set<string>();
      for (const text of texts) {
        for (const value of [text, [text]] as const) {
          const cursor = encodeCursor(rules, binding, 'after', false, [value, '0']);
          const answer = await runQuery(source, `sort=x&cursor=${cursor}`, rules).then(
            ({ data }) => (data.length <= 5 ? 'rows' : 'too many rows'),
            (error: unknown) => (error instanceof QueryError ? error.code : String(error)),
          );
          answers.add(answer);
        }
      }
      expect([...answers].sort()).toEqual(['CURSOR_INVALID', 'rows']);
    },
  );
});
