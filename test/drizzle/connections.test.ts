/** One registry and its tables on several connections: a statement runs on the connection of its source. */

import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const tables = { item: sqliteTable('items', { id: integer().primaryKey() }) };
const registry = drizzleRegistry(tables);
const rules = defineQueryRules(registry, 'item', { fields: 'all' }, { families: ['sqlite'] });

it('shows the rows of that connection', async () => {
  const clients = [1, 2].map((id) => {
    const client = new Sqlite(':memory:');
    client.exec(`create table items (id integer primary key); insert into items values (${id})`);
    return client;
  });
  const listOn = async (client: Sqlite.Database | undefined) => {
    if (!client) return [];
    const source = drizzleSource({ db: drizzle({ client }), registry, tables, model: 'item' });
    return (await runQuery(source, '', rules)).data;
  };
  const [one, two] = clients;
  for (let turn = 0; turn < 2; turn += 1) {
    expect(await listOn(one)).toEqual([{ id: 1 }]);
    expect(await listOn(two)).toEqual([{ id: 2 }]);
  }
  for (const client of clients) client.close();
});
