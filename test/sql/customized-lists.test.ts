/** Conditions that a host adds with `customize`: they narrow rows and count, never widen them, and must be SQL. */

import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { expect, it } from 'vitest';
import {
  type SqlCustomize,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const tables = sqlTables({
  item: { table: 'items', primaryKey: 'id', columns: { id: 'int', size: 'int' } },
});
const registry = sqlRegistry(tables);
const rules = defineQueryRules(registry, 'item', {
  filters: [{ path: 'size', operators: ['gte', 'in'] }],
  sorts: ['id'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
  pagination: { mode: 'both' },
});
const script = [
  'create table items (id int primary key, size int not null)',
  'insert into items values (1, 5), (2, 6), (3, 7), (4, 8), (5, 9)',
];

async function lists(connection: Sqlite.Database | pg.Pool): Promise<void> {
  const source = sqlSource({ connection, registry, tables, model: 'item' });
  const kinds = new Set<string>();
  const list = async (request: string, customize: SqlCustomize) => {
    const page = await runQuery(source, request, rules, {
      customize: (statement) => {
        kinds.add(statement.kind);
        return customize(statement);
      },
    });
    return [page.data.map(({ id }) => id), 'total' in page ? page.total : null];
  };
  const request = 'filter[size][gte]=6&sort=id&perPage=2';
  expect(await list(request, () => undefined)).toEqual([[2, 3], 4]);
  expect(kinds).toEqual(new Set(['data', 'count']));
  expect(await list(request, () => '"items"."id" > 2')).toEqual([[3, 4], 3]);
  const most: SqlCustomize = ({ value }) => ['"items"."id" <= ', value(4)];
  expect(await list(request, most)).toEqual([[2, 3], 3]);
  expect(await list(`${request}&page=2`, most)).toEqual([[4], 3]);
  expect(await list('filter[size][in]=5,7,9&sort=-id', most)).toEqual([[3, 1], 2]);
  const nested: SqlCustomize = ({ value }) => [
    ['"items"."id" in (', value(1), ', '],
    [value(4), [')']],
    ' or 1 = 0 or ',
    ['"items"."id" = ', value(5)],
  ];
  expect(await list(request, nested)).toEqual([[4, 5], 2]);
  expect(await list('sort=id&perPage=2&cursor=', nested)).toEqual([[1, 4], null]);
  const message = '"customize" must return a condition: a text, a value or a list of them';
  for (const wrong of [null, 7, {}, { read: 1 }, ['"items"."id" = ', 7], [['a', null]]]) {
    await expect(list(request, () => wrong as never)).rejects.toThrow(message);
  }
}

it('on SQLite', async () => {
  const database = new Sqlite(':memory:');
  for (const text of script) database.exec(text);
  await lists(database);
  database.close();
});

it('on PostgreSQL', async (context) => {
  const database = await scratchDatabase('postgresql', 'customized');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const pool = new pg.Pool({ connectionString: database.url });
  try {
    for (const text of script) await pool.query(text);
    await lists(pool);
  } finally {
    await pool.end();
    await database.drop();
  }
});
