/** Walks over keys without a value, which SQLite stores unless the column excludes them. */

import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  checkProfile,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import {
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';

const rows = [
  [null, 1, 'a'],
  [null, 2, 'b'],
  ['x', null, 'b'],
  ['x', 1, 'a'],
  ['y', 1, 'b'],
  ['y', 2, 'b'],
  ['z', null, 'c'],
] as const;

function opened() {
  const connection = new Sqlite(':memory:');
  connection.exec(
    'create table items (code text, no int, label text not null, primary key (code, no))',
  );
  for (const row of rows) connection.prepare('insert into items values (?, ?, ?)').run(...row);
  return connection;
}

const declared = sqlTables({
  items: {
    table: 'items',
    primaryKey: ['code', 'no'],
    columns: { code: 'text', no: 'integer', label: 'text' },
  },
});

type Client = ReturnType<typeof opened>;
type Made = { readonly registry: SchemaRegistry; readonly source: QuerySource };

const adapters: Readonly<Record<string, (connection: Client) => Made | Promise<Made>>> = {
  'declared tables': (connection) => {
    const registry = sqlRegistry(declared);
    const source = sqlSource({ connection, registry, tables: declared, model: 'items' });
    return { registry, source: source as QuerySource };
  },
  introspect: async (connection) => {
    const registry = await introspect(connection);
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'items' });
    return { registry, source: source as QuerySource };
  },
  drizzle: (client) => {
    const items = sqliteTable(
      'items',
      { code: text(), no: integer(), label: text().notNull() },
      (table) => [primaryKey({ columns: [table.code, table.no] })],
    );
    const registry = drizzleRegistry({ items });
    const source = drizzleSource({
      db: drizzle({ client }),
      registry,
      tables: { items },
      model: 'items',
    });
    return { registry, source: source as QuerySource };
  },
};

async function made(name: string, connection: Client): Promise<Made> {
  const make = adapters[name];
  if (!make) throw new TypeError(`There is no adapter "${name}".`);
  return make(connection);
}

/** The order of SQLite: null before every value. */
function compared(left: unknown, right: unknown): number {
  if (left === right) return 0;
  if (left === null) return -1;
  if (right === null) return 1;
  return String(left) < String(right) ? -1 : 1;
}

/** The rows in the order of a request, by hand; the key follows the last sort. */
function ordered(sort: string): string[] {
  const columns = ['code', 'no', 'label'];
  const sorts = sort.split(',');
  const last = sorts.at(-1)?.startsWith('-') ? '-' : '';
  const terms = [...sorts, `${last}code`, `${last}no`].map((term) => ({
    at: columns.indexOf(term.replace('-', '')),
    sign: term.startsWith('-') ? -1 : 1,
  }));
  return rows
    .toSorted((left, right) => {
      for (const { at, sign } of terms) {
        const found = compared(left[at], right[at]) * sign;
        if (found !== 0) return found;
      }
      return 0;
    })
    .map(([code, no]) => `${code} ${no}`);
}

const sorts = `code -code no -no label -label code,-no -code,no -code,-no label,code -label,-code
  -label,code label,-code,no -label,-code,-no -no,-code`.split(/\s+/);

describe.each(Object.keys(adapters))('rows whose keys have no value, with %s', (name) => {
  it.each([{ cursorKeys }, {}])('are walked in every direction, with %j', async (settings) => {
    const connection = opened();
    try {
      const { registry, source } = await made(name, connection);
      const rules = defineQueryRules(
        registry,
        'items',
        {
          sorts: ['label', 'code', 'no'],
          fields: { root: { allowed: ['code', 'no', 'label'], default: ['code', 'no'] } },
          pagination: { mode: 'keyset' },
        },
        { families: ['sqlite'], ...settings },
      );
      for (const sort of sorts) {
        const expected = ordered(sort);
        for (const perPage of [1, 2, 3]) {
          const pageAt = async (cursor: string) => {
            const request = `sort=${sort}&perPage=${perPage}&cursor=${cursor}`;
            const { data, nextCursor, prevCursor } = (await runQuery(
              source,
              request,
              rules,
            )) as KeysetResult;
            const keys = data.map((row) => `${row['code']} ${row['no']}`);
            return { keys, nextCursor, prevCursor };
          };
          const seen: string[] = [];
          let back: string | null = null;
          for (let cursor: string | null = ''; cursor !== null && seen.length < 20;) {
            const page = await pageAt(cursor);
            seen.push(...page.keys);
            [cursor, back] = [page.nextCursor, page.prevCursor];
          }
          expect(seen, `${sort} by ${perPage}`).toEqual(expected);
          const before: string[] = [];
          while (back !== null && before.length < 20) {
            const page = await pageAt(back);
            before.unshift(...page.keys);
            back = page.prevCursor;
          }
          const last = rows.length % perPage || perPage;
          expect(before, `${sort} back by ${perPage}`).toEqual(expected.slice(0, -last));
        }
      }
    } finally {
      connection.close();
    }
  });
});

it('are reported by the profile', async () => {
  const connection = opened();
  try {
    const { source } = await made('declared tables', connection);
    const found = await checkProfile(source as never);
    expect(found.map(({ rule, where }) => [rule, where])).toEqual([
      ['nullable', 'items.code'],
      ['nullable', 'items.no'],
    ]);
    expect(found[0]?.detail).toContain('2 of the first 1000 rows have none');
  } finally {
    connection.close();
  }
});

it('keys that are declared not null, and numbers of rows, are compared without a place for nulls', async () => {
  const connection = new Sqlite(':memory:');
  try {
    connection.exec(`create table named (code text primary key not null);
      create table numbered (id integer primary key);
      create table stored (code text primary key) without rowid;
      create table loose (code text primary key)`);
    const registry = await introspect(connection);
    const nullable = ({ columns }: (typeof registry.tables)[string]) =>
      Object.values(columns).map((column) => typeof column === 'object' && 'nullable' in column);
    expect(
      Object.fromEntries(
        Object.entries(registry.tables).map(([model, each]) => [model, nullable(each)]),
      ),
    ).toMatchObject({ named: [true], stored: [true], loose: [false] });
    for (const [model, field, hasPlace] of [
      ['named', 'code', false],
      ['numbered', 'id', false],
      ['stored', 'code', false],
      ['loose', 'code', true],
    ] as const) {
      const texts: string[] = [];
      const traced = new Proxy(connection, {
        get: (target, key) =>
          key === 'prepare'
            ? (sql: string) => {
                texts.push(sql);
                return target.prepare(sql);
              }
            : Reflect.get(target, key),
      });
      connection.exec(`insert into ${model} values (1), (2), (3)`);
      const source = sqlSource({ connection: traced, registry, tables: registry.tables, model });
      const rules = defineQueryRules(
        registry,
        model,
        { sorts: [field], fields: 'all', pagination: { mode: 'keyset' } },
        { families: ['sqlite'] },
      );
      const list = (cursor: string | null) =>
        runQuery(source, `sort=-${field}&perPage=1&cursor=${cursor}`, rules);
      const first = (await list('')) as unknown as KeysetResult;
      await list(first.nextCursor);
      expect([model, texts.at(-1)?.includes('is null')]).toEqual([model, hasPlace]);
    }
  } finally {
    connection.close();
  }
});
