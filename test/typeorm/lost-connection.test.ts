/** A connection of PostgreSQL that breaks while TypeORM takes it from its pool fails statements, and not the process. */

import { DataSource, EntitySchema } from 'typeorm';
import { expect, it, onTestFinished } from 'vitest';
import type pg from 'pg';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

type Lend = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: () => void,
) => void;

interface Lending {
  connect(lend: Lend): void;
}

const thing = new EntitySchema<{ id: number }>({
  name: 'thing',
  tableName: 'things',
  columns: { id: { type: 'int', primary: true } },
});

it('an error between the pool and TypeORM is heard', async ({ skip }) => {
  const database = await scratchDatabase('postgresql', 'lost');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return skip();
  }
  onTestFinished(() => database.drop());
  const { url } = database;
  const dataSource = await new DataSource({
    type: 'postgres',
    url,
    entities: [thing],
    poolSize: 1,
  }).initialize();
  onTestFinished(() => dataSource.destroy());
  await dataSource.query('create table things (id int primary key)');
  await dataSource.query('insert into things values (1), (2)');
  const source = typeormSource(dataSource, thing);
  const rules = defineQueryRules(typeormRegistry([thing]), 'thing', { fields: 'all' });
  const read = async () => (await runQuery(source, '', rules)).data;
  const both = [{ id: 1 }, { id: 2 }];
  expect(await read()).toEqual(both);
  const { master } = dataSource.driver as unknown as { readonly master: Lending };
  const connect = master.connect.bind(master);
  master.connect = (lend) =>
    connect((error, client, release) => {
      lend(error, client, release);
      // The pool has removed its listener, and TypeORM has not added its own.
      client?.emit('error', new Error('Connection terminated'));
    });
  for (let run = 0; run < 20; run += 1) expect(await read()).toEqual(both);
});
