/**
 * Statements that are ended on MySQL leave no connection behind, and the client goes on with its own; which statements
 * are ended on PostgreSQL, and how, depends on the driver adapter.
 */

import { PrismaPg } from '@prisma/adapter-pg';
import { type Connection, type RowDataPacket, createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { cancelable } from '../../src/adapters/prisma/index.ts';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type Shop, openShop } from './fixtures/open-shop.ts';
import { shopModels } from './fixtures/shop.ts';

/** Longest time to wait for the server to end a statement. */
const bounded = { timeout: 10_000 };

/** The connections of other sessions to the database. */
async function connected(admin: Connection, condition = ''): Promise<number> {
  const [rows] = await admin.query<RowDataPacket[]>(
    `select count(*) as n from information_schema.processlist where db = database() and id <> connection_id() ${condition}`,
  );
  return Number(rows[0]?.['n']);
}

/** The message of a failure, else `done`. */
const outcome = (work: Promise<unknown>): Promise<string> =>
  work.then(
    () => 'done',
    (error: Error) => error.message,
  );

it('close the connections that have ended them', async (context) => {
  const shop = await openShop('mysql', 'prisma_ended');
  if (!shop) return context.skip();
  const rules = defineQueryRules(shop.registry, 'thing', {
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  const list = (options: object) => runQuery(shop.source('thing'), 'perPage=1', rules, options);
  const admin = await createConnection({ uri: shop.database.url });
  const holder = await createConnection({ uri: shop.database.url });
  try {
    await Promise.all(Array.from({ length: 8 }, () => list({})));
    // The pool of the client has four.
    await expect.poll(() => connected(admin)).toBe(5);
    await holder.query('lock tables things write');
    const late = [300, 350, 400].map((timeoutMs) =>
      expect(list({ timeoutMs })).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' }),
    );
    await Promise.all(late);
    const gone = new AbortController();
    const left = [1, 2, 3].map(() => outcome(list({ signal: gone.signal })));
    await expect.poll(() => connected(admin, `and state like 'Waiting%'`)).toBeGreaterThan(2);
    gone.abort(new Error('gone'));
    expect(await Promise.all(left)).toEqual(['gone', 'gone', 'gone']);
    await expect.poll(() => connected(admin, `and state like 'Waiting%'`)).toBe(0);
    await holder.query('unlock tables');
    expect(await list({})).toMatchObject({ data: [{ id: 1 }], total: 30 });
    await expect.poll(() => connected(admin)).toBe(5);
  } finally {
    await holder.end();
    await admin.end();
    await shop.close();
  }
});

describe('on PostgreSQL', () => {
  let shop: Shop;
  let rules: CompiledQueryRules;
  let holder: pg.Client;
  const clients: { $disconnect(): Promise<void> }[] = [];

  beforeAll(async () => {
    const opened = await openShop('postgresql', 'prisma_ended');
    if (!opened) return;
    shop = opened;
    rules = defineQueryRules(shop.registry, 'thing', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    holder = new pg.Client({ connectionString: shop.database.url });
    await holder.connect();
  });
  beforeEach(async (context) => {
    if (!shop) return context.skip();
    await holder.query('begin');
    await holder.query('lock table things in access exclusive mode');
  });
  afterEach(async () => {
    await holder?.query('rollback');
    for (const client of clients.splice(0)) await client.$disconnect();
  });
  afterAll(async () => {
    await holder?.end();
    await shop?.close();
  });

  const list = (options: object, client: object = shop.client) =>
    runQuery(shop.source('thing', client), 'perPage=1', rules, options);
  /** Number of statements that wait for the table. */
  const waiting = async (): Promise<number> => {
    const { rows } = await holder.query<{ n: number }>(
      "select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'relation'",
    );
    return Number(rows[0]?.n);
  };
  const clientWith = async (adapter: object) => {
    const { PrismaClient } = await generatePrisma({ family: 'postgresql', models: shopModels });
    const client = new PrismaClient({ adapter });
    clients.push(client);
    return client;
  };

  it('ends those of an aborted request', async () => {
    const gone = new AbortController();
    const listed = outcome(list({ signal: gone.signal }));
    await expect.poll(waiting).toBeGreaterThan(0);
    gone.abort(new Error('gone'));
    expect(await listed).toBe('gone');
    await expect.poll(waiting, bounded).toBe(0);
  });

  it('tells the server the limit where the adapter is not cancelable, or there is none', async () => {
    const { url: connectionString } = shop.database;
    const client = await clientWith(new PrismaPg({ connectionString, max: 2 }));
    const engine = Reflect.get(client, '_engineConfig') as object;
    const withoutAdapter = new Proxy(client, {
      get: (target, name) =>
        name === '_engineConfig'
          ? { ...engine, adapter: null }
          : (Reflect.get(target, name) as unknown),
    });
    for (const each of [client, withoutAdapter]) {
      await expect(list({ timeoutMs: 300 }, each)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
      await expect.poll(waiting, bounded).toBe(0);
    }
  });

  it('does not end what the host runs on a connection before', async () => {
    const { url: connectionString } = shop.database;
    const pool = new pg.Pool({ connectionString, max: 1 });
    const prepared: Promise<string>[] = [];
    pool.on('connect', (connection) => {
      prepared.push(outcome(connection.query('select pg_advisory_lock(7)')));
    });
    const client = await clientWith(cancelable(new PrismaPg(pool)));
    await holder.query('select pg_advisory_lock(7)');
    const late = [list({ timeoutMs: 300 }, client), list({ timeoutMs: 400 })].map(outcome);
    expect(await Promise.all(late)).toEqual([
      'The request took longer than 300 ms.',
      'The request took longer than 400 ms.',
    ]);
    await expect.poll(waiting, bounded).toBe(0);
    await holder.query('select pg_advisory_unlock(7)');
    expect(await Promise.all(prepared)).toEqual(['done']);
    await holder.query('rollback');
    expect(await list({}, client)).toMatchObject({ data: [{ id: 1 }], total: 30 });
    await client.$disconnect();
    await pool.end();
  });
});
