/** Statements that have names on PostgreSQL: where they get them, how they end, and what follows when the server forgets them. */

import { drizzle } from 'drizzle-orm/node-postgres';
import { integer, pgTable, withReplicas } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePostgresJs } from 'drizzle-orm/postgres-js';
import pg from 'pg';
import postgres from 'postgres';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { errorCauses } from '../../src/lib/index.ts';
import { processQuery } from '../../src/relational/databases/postgresql/named-statements.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

let database: ScratchDatabase | undefined;
beforeAll(async () => {
  const made = await scratchDatabase('postgresql', 'drizzle_names');
  if ('missing' in made) {
    if (everyServiceRequired()) throw new Error(made.advice);
    return;
  }
  database = made;
  const client = new pg.Client(made.url);
  await client.connect();
  await client.query('create table items (id int primary key)');
  await client.query('insert into items values (1), (2)');
  await client.end();
});
beforeEach((context) => void (database || context.skip()));
afterAll(() => database?.drop());

function pooled(max: number, Pool = pg.Pool): pg.Pool {
  const pool = new Pool({ connectionString: database?.url, max });
  onTestFinished(() => pool.end());
  return pool;
}

/** Lists of two rows, a page and a count each; of statements that get names at once where `namedStatements` is set. */
function lists(namedStatements?: boolean) {
  const tables = { item: pgTable('items', { id: integer().primaryKey() }) };
  const registry = drizzleRegistry(tables);
  const rules = defineQueryRules(registry, 'item', { fields: 'all' });
  const list = (db: object, signal?: AbortSignal) => {
    const source = drizzleSource({ db, registry, tables, model: 'item', namedStatements });
    return runQuery(source, 'perPage=1', rules, signal ? { signal } : {});
  };
  return async (db: object, runs = 1, signal?: AbortSignal) => {
    for (let run = 0; run < runs; run += 1)
      expect(await list(db, signal)).toMatchObject({ data: [{ id: 1 }], total: 2 });
  };
}

/** Notes the texts that a client is asked, and how many ran at a time at most. */
function noted(client: pg.ClientBase) {
  const notes = { texts: [] as unknown[], most: 0 };
  let running = 0;
  const query = client.query.bind(client) as (...given: unknown[]) => Promise<unknown>;
  Object.assign(client, {
    async query(...given: unknown[]) {
      notes.texts.push(given[0]);
      running += 1;
      notes.most = Math.max(notes.most, running);
      try {
        return await query(...given);
      } finally {
        running -= 1;
      }
    },
  });
  return notes;
}

it('a page whose names the server has forgotten is read again, on a replica as well', async () => {
  for (const replicas of [0, 1]) {
    const pool = pooled(1);
    const db = drizzle(pool);
    const on = replicas === 0 ? db : withReplicas(db, [db]);
    const list = lists(true);
    await list(on, 8);
    await pool.query('deallocate all');
    await list(on);
  }
});

it('a page whose names the server has given to others runs without names', async () => {
  const [first, other] = [pooled(1), pooled(1)];
  await lists(true)(drizzle(first), 8);
  const { rows } = await first.query<{ readonly name: string }>(
    'select name from pg_prepared_statements',
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { name } of rows) await other.query(`prepare ${pg.escapeIdentifier(name)} as select`);
  await lists(true)(drizzle(other), 8);
});

it('in a transaction of the host, the error of a forgotten name is shown', async () => {
  const db = drizzle(pooled(1));
  const list = lists(true);
  const failed = db.transaction(async (transaction) => {
    await list(transaction, 8);
    await transaction.execute('deallocate all');
    await list(transaction);
  });
  const causes = await failed.then(() => [], errorCauses);
  expect(causes.at(-1)?.message).toMatch(/prepared statement .* does not exist/);
});

it('rows and count in one round trip end on the server when the request is aborted', async () => {
  const other = pooled(1);
  const logged: string[] = [];
  const logger = { logQuery: (text: string) => void logged.push(text) };
  // With two connections, a count that is slow would have one of its own.
  const db = drizzle(pooled(1), { logger });
  const list = lists(true);
  await list(db, 8);
  logged.splice(0);
  const holder = await other.connect();
  await holder.query('begin; lock table items');
  const waiting = async () => {
    const { rows } = await holder.query<{ readonly waiting: number }>(
      `select count(*)::int as waiting from pg_locks where relation = 'items'::regclass and not granted`,
    );
    return rows[0]?.waiting;
  };
  const gone = new AbortController();
  const left = list(db, 1, gone.signal).catch(String);
  try {
    await expect.poll(waiting).toBe(1);
    expect(logged).toHaveLength(2);
    gone.abort(new Error('gone'));
    expect(await left).toBe('Error: gone');
    await expect.poll(waiting).toBe(0);
  } finally {
    await holder.query('rollback');
    holder.release();
  }
  await list(db);
});

it('a client is asked where it leads while no other statement runs on it', async () => {
  const client = new pg.Client(database?.url);
  await client.connect();
  onTestFinished(() => client.end());
  const notes = noted(client);
  await lists()(drizzle({ client }), 8);
  expect(notes.texts).toContain(processQuery);
  expect(notes.most).toBe(1);
});

it('a connection is asked once where it leads, however many transactions it is lent for', async () => {
  const pool = pooled(1);
  const client = await pool.connect();
  const { texts } = noted(client);
  client.release();
  const list = lists();
  for (let turn = 0; turn < 3; turn += 1)
    await drizzle(pool).transaction((transaction) => list(transaction, 8));
  expect(texts.filter((text) => text === processQuery)).toHaveLength(1);
});

it('a pool whose query is that of the host gets names from the driver', async () => {
  class OwnPool extends pg.Pool {
    override query(...given: unknown[]): never {
      return Reflect.apply(super.query, this, given) as never;
    }
  }
  const pool = pooled(1, OwnPool);
  await lists(true)(drizzle(pool), 8);
  const { rows } = await pool.query('select from pg_prepared_statements');
  expect(rows).toHaveLength(2);
});

it('sources on postgres.js and on pg share a registry', async () => {
  const sql = postgres(database?.url ?? '', { max: 1, onnotice: () => {} });
  onTestFinished(() => sql.end());
  const list = lists(true);
  for (const db of [drizzlePostgresJs(sql), drizzle(pooled(1))]) await list(db, 8);
});
