/** The conditions of a list as text, for statements of the host: with the numbers of its own values, on one table alone. */

import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { expect, it } from 'vitest';
import { conditionsOf } from '../../src/adapters/sql/conditions.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';

const tables = sqlTables({
  job: {
    table: 'jobs',
    primaryKey: 'id',
    columns: { id: 'int', name: 'text', ownerId: { type: 'int', column: 'owner_id' } },
    relations: { owner: { one: 'owner', from: 'ownerId' } },
  },
  owner: { table: 'owners', primaryKey: 'id', columns: { id: 'int', name: 'text' } },
});
const registry = sqlRegistry(tables);
const rules = defineQueryRules(registry, 'job', {
  filters: [
    { path: 'id', operators: ['gte'] },
    { path: 'name', operators: ['eq'] },
    { path: 'owner.name', operators: ['eq'] },
  ],
  fields: { root: { allowed: ['id'], default: ['id'] } },
  pagination: { mode: 'both' },
});

const of = (connection: pg.Pool | Sqlite.Database, request: string, offset = 0, reads = 1) => {
  const source = sqlSource({ connection, registry, tables, model: 'job' });
  return conditionsOf(
    source,
    async (alone) => {
      for (let read = 0; read < reads; read += 1) {
        await runQuery(
          alone as QuerySource,
          request,
          rules as never,
          {
            customize: () => undefined,
          } as never,
        );
      }
    },
    offset,
  );
};

it('are numbered behind the values of the host', async () => {
  const pool = new pg.Pool();
  const request = 'filter[id][gte]=7&filter[name]=A&cursor=';
  expect(await of(pool, request)).toEqual({
    text: '("jobs"."id" >= $1 and "jobs"."name" = $2)',
    values: [7, 'A'],
  });
  expect((await of(pool, request, 3)).text).toBe('("jobs"."id" >= $4 and "jobs"."name" = $5)');
  const database = new Sqlite(':memory:');
  expect(await of(database, request, 3)).toMatchObject({ values: [7, 'A'] });
  expect((await of(database, request, 3)).text).toMatch(/\?.*\?/);
  database.close();
});

it('are those of one statement on one table', async () => {
  const pool = new pg.Pool();
  const alone = 'Conditions are on one table.';
  await expect(of(pool, 'cursor=')).rejects.toThrow(alone);
  await expect(of(pool, 'filter[id][gte]=7&filter[owner.name]=A&cursor=')).rejects.toThrow(alone);
  const one = 'Conditions are those of one statement.';
  await expect(of(pool, 'filter[id][gte]=7&cursor=', 0, 0)).rejects.toThrow(one);
  await expect(of(pool, 'filter[id][gte]=7&cursor=', 0, 2)).rejects.toThrow(one);
});
