/** Runs in Bun: lists on `bun:sqlite`, and on PostgreSQL with Drizzle and without, and a board of BullMQ queues. */

import assert from 'node:assert/strict';
import { Database } from 'bun:sqlite';
import { Queue } from 'bullmq';
import { drizzle } from 'drizzle-orm/bun-sqlite';
import * as postgres from 'drizzle-orm/node-postgres';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import { Hono } from 'hono';
import { Redis } from 'ioredis';
import pg from 'pg';
import { HonoAdapter } from 'sluice/board/hono';
import { bullmqQueue, createBoard } from 'sluice/board';
import { drizzleRegistry, drizzleSource } from 'sluice/drizzle';
import { bunSqlite, introspect, sqlRegistry, sqlSource, sqlTables } from 'sluice/sql';
import { answersOf, cities, expected, listsOn } from './lists.mjs';

const { Bun, process } = globalThis;
const { POSTGRES_URL, REDIS_URL } = process.env;
const name = `sluice_runtimes_${process.pid}`;

/** Serves the lists on a port, and compares the answers. */
async function checkLists(what, registry, source) {
  const server = Bun.serve({ port: 0, fetch: listsOn(registry, () => source) });
  try {
    const answers = await answersOf((path, init) => fetch(new URL(path, server.url), init));
    assert.deepEqual(answers, expected, what);
    console.log(`  ${what}: ok`);
  } finally {
    await server.stop(true);
  }
}

const rows = cities.map((city, index) => `(${index + 1}, '${city}')`).join();

async function onSqlite() {
  const client = new Database(':memory:');
  client.exec(`create table city (id integer primary key, name text not null)`);
  client.exec(`insert into city values ${rows}`);
  const { integer, sqliteTable, text } = sqliteCore;
  const city = sqliteTable('city', { id: integer().primaryKey(), name: text().notNull() });
  const tables = { city };
  const registry = drizzleRegistry(tables);
  const source = drizzleSource({ db: drizzle({ client }), registry, tables, model: 'city' });
  await checkLists('lists of Drizzle on bun:sqlite', registry, source);
  const connection = bunSqlite(client);
  const own = await introspect(connection);
  const plain = sqlSource({ connection, registry: own, tables: own.tables, model: 'city' });
  await checkLists('lists on bun:sqlite', own, plain);
}

async function onPostgresql() {
  const pool = new pg.Pool({ connectionString: POSTGRES_URL, max: 3 });
  try {
    await pool.query(`create table ${name} (id integer primary key, name text not null)`);
    await pool.query(`insert into ${name} values ${rows}`);
    const { integer, pgTable, text } = pgCore;
    const city = pgTable(name, { id: integer().primaryKey(), name: text().notNull() });
    const registry = drizzleRegistry({ city });
    const db = postgres.drizzle({ client: pool });
    const source = drizzleSource({ db, registry, tables: { city }, model: 'city' });
    await checkLists('lists of Drizzle on pg', registry, source);
    const columns = { id: 'integer', name: 'text' };
    const tables = sqlTables({ city: { table: name, primaryKey: 'id', columns } });
    const own = sqlRegistry(tables, { families: ['postgresql'] });
    const plain = sqlSource({ connection: pool, tables, registry: own, model: 'city' });
    await checkLists('lists on pg', own, plain);
  } finally {
    await pool.query(`drop table if exists ${name}`);
    await pool.end();
  }
}

async function board() {
  const client = new Redis(REDIS_URL, { maxRetriesPerRequest: null });
  const queue = new Queue('mail', { connection: client, prefix: name });
  const serverAdapter = new HonoAdapter();
  const served = createBoard({ queues: [bullmqQueue(queue)], serverAdapter, auth: false });
  const app = new Hono();
  app.route('/board', serverAdapter.registerPlugin());
  const server = Bun.serve({ port: 0, idleTimeout: 60, fetch: app.fetch });
  const ask = (path, init) => fetch(new URL(`/board${path}`, server.url), init);
  const post = (value) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(value),
  });
  const leaving = new AbortController();
  try {
    assert.equal((await ask('/')).headers.get('content-type'), 'text/html; charset=utf-8');
    assert.equal((await ask('/api/queues/mail/add', post({ name: 'one' }))).status, 200);
    const listing = await ask('/api/queues?activeQueue=mail&status=waiting');
    const { queues } = await listing.json();
    assert.deepEqual([queues[0].counts.waiting, queues[0].jobs[0].name], [1, 'one']);
    const all = await ask('/api/queues');
    const again = { headers: { 'if-none-match': all.headers.get('etag') } };
    assert.equal((await ask('/api/queues', again)).status, 304);
    const live = await ask('/api/live', { signal: leaving.signal });
    let seen = '';
    for await (const piece of live.body) {
      if (seen === '') await queue.add('two', {});
      seen += new TextDecoder().decode(piece);
      if (seen.includes('event: diff')) break;
    }
    const filter = { status: 'waiting', name: 'one' };
    const run = await ask('/api/bulk', post({ queueName: 'mail', action: 'remove', filter }));
    assert.deepEqual([run.status, (await run.json()).run.changed], [200, 1]);
    console.log('  board of BullMQ queues: ok');
  } finally {
    leaving.abort();
    await served.close();
    await server.stop(true);
    await queue.obliterate({ force: true });
    await queue.close();
    client.disconnect();
  }
}

console.log(`Bun ${Bun.version}`);
await onSqlite();
await onPostgresql();
await board();
process.exit(0);
