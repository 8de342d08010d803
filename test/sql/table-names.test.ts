/** Tables with names that statements give to others: aliases of joined tables and of columns. */

import { afterAll, describe, expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver, runScript } from './drivers.ts';

const names = [
  ['t1', 't2'],
  ['T1', 'T2'],
  ['T2', 't1'],
  ['c0', 'item'],
] as const;

describe.each(['postgresql', 'mysql', 'sqlite'] as const)('on %s', (family) => {
  const open: Opened[] = [];
  afterAll(async () => {
    for (const each of open) await each.close();
  });

  it.each(names)('tables %s and %s are told apart', async (people, posts) => {
    const database = await scratchDatabase(family, 'table_names');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const opened = openDriver(family, database);
    open.push(opened);
    await runScript(opened, [
      `create table "${people}" (id int not null primary key, boss int)`,
      `create table "${posts}" (id int not null primary key, person int, size int)`,
      `insert into "${people}" values (1, 3), (2, 1), (3, null)`,
      `insert into "${posts}" values (1, 1, 5), (2, 1, 6), (3, 2, 7)`,
    ]);
    const number = { type: 'int', nullable: true } as const;
    const tables = sqlTables({
      person: {
        table: people,
        primaryKey: 'id',
        columns: { id: 'int', boss: number },
        relations: {
          chief: { one: 'person', from: 'boss' },
          posts: { many: 'post', to: 'person' },
        },
      },
      post: {
        table: posts,
        primaryKey: 'id',
        columns: { id: 'int', person: number, size: number },
      },
    });
    const registry = sqlRegistry(tables);
    const rules = defineQueryRules(
      registry,
      'person',
      {
        aggregates: { posts: { sum: ['size'] } },
        filters: [{ path: 'chief.posts.size', operators: ['gte'] }],
        sorts: ['chief.id', 'posts.$sum.size'],
        fields: { root: { allowed: ['id'], default: ['id'] } },
        pagination: { mode: 'both' },
      },
      { cursorKeys },
    );
    const { connection } = opened;
    const source = sqlSource({ connection, registry, tables, model: 'person' });
    const keys = async (request: string) =>
      (await runQuery(source, request, rules)).data.map(({ id }) => id);
    expect(await keys('sort=-posts.$sum.size')).toEqual([1, 2, 3]);
    expect(await keys('sort=chief.id&cursor=')).toEqual([3, 2, 1]);
    expect(await keys('sort=-chief.id&page=2&perPage=2')).toEqual([3]);
    expect(await keys('filter[chief.posts.size][gte]=6&sort=chief.id')).toEqual([2]);
  });
});
