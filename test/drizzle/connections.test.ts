/** One registry and its tables on several connections: a statement runs on the connection of its source. */

import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, withReplicas } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const tables = { item: sqliteTable('items', { id: integer().primaryKey() }) };
const registry = drizzleRegistry(tables);
const rules = defineQueryRules(registry, 'item', { fields: 'all' }, { families: ['sqlite'] });

/** A database with a row of each id. */
function opened(...ids: readonly number[]): Sqlite.Database {
  const client = new Sqlite(':memory:');
  const rows = ids.map((id) => `(${id})`).join();
  client.exec(`create table items (id integer primary key); insert into items values ${rows}`);
  return client;
}

it('shows the rows of that connection', async () => {
  const clients = [1, 2].map((id) => opened(id));
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

it('shows rows and total of one of the replicas, each request of the one that is chosen then', async () => {
  const clients = [opened(9), opened(1), opened(2, 3, 4)];
  const [primary, one, two] = clients.map((client) => drizzle({ client }));
  if (!primary || !one || !two) return;
  let turn = 0;
  const db = withReplicas(primary, [one, two], (replicas) => replicas[turn++ % 2] ?? primary);
  const source = drizzleSource({ db, registry, tables, model: 'item' });
  const answers = [];
  for (let asked = 0; asked < 4; asked += 1) {
    const page = await runQuery(source, 'page=2&perPage=2', rules);
    answers.push([page.data.map(({ id }) => id), 'total' in page && page.total]);
  }
  const [ofOne, ofTwo] = [
    [[], 1],
    [[4], 3],
  ];
  expect(answers).toEqual([ofOne, ofTwo, ofOne, ofTwo]);
  for (const client of clients) client.close();
});

it('shows rows and total of a database that is chosen in the place of a replica', async () => {
  const clients = [opened(9), opened(1), opened(2, 3, 4)];
  const [primary, one, other] = clients.map((client) => drizzle({ client }));
  if (!primary || !one || !other) return;
  const db = withReplicas(primary, [one], () => other);
  const source = drizzleSource({ db, registry, tables, model: 'item' });
  expect(await runQuery(source, 'perPage=2', rules)).toMatchObject({
    data: [{ id: 2 }, { id: 3 }],
    total: 3,
  });
  for (const client of clients) client.close();
});
