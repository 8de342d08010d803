/** Included lists where the database takes keys for equal that differ as text: by case, by blanks, by zeros of a number. */

import { expect, it } from 'vitest';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type DatabaseFamily,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { openDriver } from './drivers.ts';

/** Types of the key and of its references, the keys of two shops, and references to the first and to the second one. */
interface Keys {
  readonly types: readonly [key: string, reference: string];
  readonly shops: readonly [string, string];
  readonly first: readonly [string, string, string];
  readonly second: string;
}

const general = 'varchar(9) character set utf8mb4 collate utf8mb4_general_ci';
const folded: Keys['shops'] = [`'Acme'`, `'beta'`];
const keysOf: Readonly<Record<DatabaseFamily, Keys>> = {
  postgresql: {
    types: ['numeric(6, 2)', 'numeric(6, 3)'],
    shops: ['1.50', '2.00'],
    first: ['1.5', '1.500', '1.50'],
    second: '2',
  },
  mysql: {
    types: [general, general],
    shops: folded,
    first: [`'ACME'`, `'Acme'`, `'acmé '`],
    second: `'BETA'`,
  },
  sqlite: {
    types: ['text collate nocase', 'text collate nocase'],
    shops: folded,
    first: [`'ACME'`, `'Acme'`, `'acme'`],
    second: `'BETA'`,
  },
};

it.each(['postgresql', 'mysql', 'sqlite'] as const)(
  'lists the rows that refer to an equal key on %s',
  async (family) => {
    const database = await scratchDatabase(family, 'equal_keys');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const { types, shops, first, second } = keysOf[family];
    const [key, reference] = types;
    const { connection, run, close } = openDriver(family, database);
    try {
      await run(`create table shops (code ${key} not null primary key, area int not null)`);
      await run(`create table users (id int primary key, code ${reference}, area int)`);
      await run(`create table stock (code ${reference}, user_id int)`);
      for (const [at, code] of shops.entries())
        await run(`insert into shops values (${code}, ${at})`);
      for (const [at, code] of first.entries()) {
        await run(`insert into users values (${at}, ${code}, 0)`);
        await run(`insert into stock values (${code}, ${at})`);
      }
      await run(`insert into users values (7, ${second}, 1), (8, ${second}, 0), (9, null, 1)`);
      await run(`insert into stock values (${second}, 0)`);
      const code = family === 'postgresql' ? 'numeric' : 'text';
      const tables = sqlTables({
        shop: {
          table: 'shops',
          primaryKey: 'code',
          columns: { code, area: 'int' },
          relations: {
            users: { many: 'user', to: 'code' },
            areaUsers: { many: 'user', from: ['code', 'area'], to: ['code', 'area'] },
            stocked: { many: 'user', through: { table: 'stock', from: 'code', to: 'user_id' } },
          },
        },
        user: {
          table: 'users',
          primaryKey: 'id',
          columns: {
            id: 'int',
            code: { type: code, nullable: true },
            area: { type: 'int', nullable: true },
          },
          relations: {
            shop: { one: 'shop', from: 'code' },
          },
        },
      });
      const registry = sqlRegistry(tables, { families: [family] });
      const includes = ['users', 'areaUsers', 'stocked', 'users.shop', 'users.shop.users'];
      const loose: SchemaRegistry = registry;
      const rulesOf = (maxChildren: number | false) =>
        defineQueryRules(
          loose,
          'shop',
          {
            filters: [{ path: 'users.id', operators: ['eq'] }],
            fields: {
              root: { allowed: ['area'], default: ['area'] },
              relations: Object.fromEntries(
                includes.map((path) => {
                  const shown = [path.endsWith('shop') ? 'area' : 'id'];
                  return [path, { allowed: shown, default: shown }];
                }),
              ),
            },
            includes,
            pagination: { mode: 'both' },
          },
          { maxChildren, cursorKeys },
        );
      const source: QuerySource = sqlSource({ connection, registry, tables, model: 'shop' });
      const ask = async (request: string, maxChildren: number | false) =>
        (await runQuery(source, request, rulesOf(maxChildren))).data;
      const ids = (...numbers: number[]) => numbers.map((id) => ({ id }));
      for (const maxChildren of [100, false] as const) {
        expect(await ask('includes=users,areaUsers,stocked', maxChildren)).toEqual([
          { area: 0, users: ids(0, 1, 2), areaUsers: ids(0, 1, 2), stocked: ids(0, 1, 2) },
          { area: 1, users: ids(7, 8), areaUsers: ids(7), stocked: ids(0) },
        ]);
      }
      expect(await ask('includes=users', 2)).toEqual([
        { area: 0, users: ids(0, 1), $truncated: ['users'] },
        { area: 1, users: ids(7, 8) },
      ]);
      const request = 'filter[users.id]=2&includes=users,users.shop,users.shop.users&cursor=';
      const shop = { area: 0, users: ids(0, 1, 2) };
      expect(await ask(request, 100)).toEqual([
        { area: 0, users: ids(0, 1, 2).map((user) => ({ ...user, shop })) },
      ]);
    } finally {
      await close();
    }
  },
);
