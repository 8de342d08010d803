/** Requests that end while they wait for a connection leave the connections of the pool open. */

import { integer, pgTable } from 'drizzle-orm/pg-core';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { type QuerySource, defineQueryRules, runQuery } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const tables = sqlTables({
  thing: { table: 'things', primaryKey: 'id', columns: { id: 'integer' } },
});
const drizzleTables = { thing: pgTable('things', { id: integer('id').primaryKey() }) };
const registry = drizzleRegistry(drizzleTables);
const rules = defineQueryRules(registry, 'thing', { fields: 'all' });

let pool: pg.Pool | undefined;
let made: ScratchDatabase | undefined;
let opened = 0;

beforeAll(async () => {
  const database = await scratchDatabase('postgresql', 'waiting_requests');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return;
  }
  made = database;
  pool = new pg.Pool({ connectionString: database.url, max: 1 });
  pool.on('connect', () => (opened += 1));
  await pool.query('create table things (id int primary key)');
});
afterAll(async () => {
  await pool?.end();
  await made?.drop();
});

const sources: Readonly<Record<string, (of: pg.Pool) => QuerySource>> = {
  'sluice/sql': (connection) => sqlSource({ connection, registry, tables, model: 'thing' }),
  'sluice/drizzle': (of) =>
    drizzleSource({ db: drizzle(of), registry, tables: drizzleTables, model: 'thing' }),
};

it.each(Object.keys(sources))('%s keeps the connection of a pool of one', async (name) => {
  if (!pool) return;
  const source = sources[name]?.(pool) as QuerySource;
  // The pool asks once which server its connection leads to.
  await runQuery(source, '', rules);
  const before = opened;
  const lent = await pool.connect();
  const gone = new AbortController();
  const { signal } = gone;
  const left = Array.from({ length: 10 }, () => runQuery(source, '', rules, { signal }));
  const settled = Promise.allSettled(left);
  gone.abort(new Error('gone'));
  for (const { reason } of (await settled) as PromiseRejectedResult[]) {
    expect(String(reason)).toBe('Error: gone');
  }
  lent.release();
  expect((await runQuery(source, '', rules)).data).toEqual([]);
  expect(opened).toBe(before);
});
