/** Rows that the schema excludes: orphans of a relation without a foreign key, and companions that are not filled. */

import Database from 'better-sqlite3';
import { afterAll, describe, expect, it } from 'vitest';
import { type QuerySettings, defineQueryRules, runQuery } from '../../src/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { cursorKeys } from '../cursor-keys.ts';

const tables = sqlTables({
  city: {
    table: 'cities',
    primaryKey: 'id',
    columns: {
      id: 'integer',
      countryId: { type: 'integer', column: 'country_id' },
      size: { type: 'text', enumValues: ['small', 'large'], portableOrderField: 'sizeOrder' },
      sizeOrder: { type: 'text', column: 'size_order', nullable: true, internal: true },
    },
    relations: { country: { one: 'country', from: 'countryId' } },
  },
  country: { table: 'countries', primaryKey: 'id', columns: { id: 'integer', name: 'text' } },
});
const registry = sqlRegistry(tables);
const connection = new Database(':memory:');
connection.exec(`create table countries (id integer primary key, name text not null);
  create table cities (id integer primary key, country_id integer not null, size text not null, size_order text);
  insert into countries values (1, 'Chad'), (2, 'Peru');
  insert into cities values (1, 2, 'large', 'b'), (2, 9, 'small', null), (3, 1, 'small', 'a'),
    (4, 9, 'large', null), (5, 2, 'small', 'a'), (6, 1, 'large', null), (7, 8, 'large', 'b')`);
afterAll(() => connection.close());

const rulesBy = (sorts: readonly string[], settings: QuerySettings) =>
  defineQueryRules(
    registry,
    'city',
    {
      sorts,
      fields: { root: { allowed: ['id', 'size'], default: ['id'] } },
      pagination: { mode: 'both' },
    },
    settings,
  );
const rules = rulesBy(['country.name', 'size'], { cursorKeys });
const readable = rulesBy(['size'], {});
const source = sqlSource({ connection, registry, tables, model: 'city' });

async function walk(sort: string, by = rules): Promise<number[]> {
  const seen: number[] = [];
  for (let cursor: string | null = ''; cursor !== null && seen.length < 20;) {
    const request: string = `sort=${sort}&perPage=1&cursor=${cursor}`;
    const page = await runQuery(source, request, by);
    seen.push(...page.data.map((row) => Number(row.id)));
    cursor = 'nextCursor' in page ? page.nextCursor : null;
  }
  return seen;
}

describe('a keyset walk', () => {
  it.each([
    ['country.name', [2, 4, 7, 3, 6, 1, 5]],
    ['-country.name', [5, 1, 6, 3, 7, 4, 2]],
    ['size', [2, 4, 6, 3, 5, 1, 7]],
    ['-size', [7, 1, 5, 3, 6, 4, 2]],
  ])('by %s sees every row once, missing values as null', async (sort, expected) => {
    const { data } = await runQuery(source, `sort=${sort}&paginate=false`, rules);
    expect(data.map(({ id }) => id)).toEqual(expected);
    expect(await walk(sort)).toEqual(expected);
    // Cursors that clients can read hold fields of the root only, and are checked value by value.
    if (sort.endsWith('size')) expect(await walk(sort, readable)).toEqual(expected);
  });
});
