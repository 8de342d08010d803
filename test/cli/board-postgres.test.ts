/** `sluice board` as a process on PostgreSQL: BullMQ's tables, pg-boss, and both beside Redis. */

import { Queue, createPostgresBackend } from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { findRedis, scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';
import { runBoard } from './run-board.ts';

const service = await findRedis();
const found = await scratchDatabase('postgresql', 'cli');
const isMissing = 'missing' in found || 'missing' in service;

describe.skipIf(isMissing)('sluice board on PostgreSQL', () => {
  const database = found as ScratchDatabase;
  const url = 'missing' in found ? '' : found.url;
  const redisUrl = 'missing' in service ? '' : service.url;
  const prefix = `cli${process.pid}`;
  let boss: PgBoss;
  const withPassword = new URL(url || 'postgresql://x');
  withPassword.password ||= 'hunter2';

  /** Adds a job to a queue, and the tables where they are absent. */
  const add = async (name: string, schema: string): Promise<void> => {
    const connection = { connectionString: url, schema, migrate: true, max: 1 };
    const queue = new Queue(name, { connection }, createPostgresBackend);
    await queue.add('job', { n: 1 });
    await queue.close();
  };

  /** A connection until the test is over. */
  const connected = async (): Promise<pg.Client> => {
    const client = new pg.Client(url);
    await client.connect();
    onTestFinished(() => client.end());
    return client;
  };

  beforeAll(async () => {
    boss = new PgBoss({ connectionString: url, max: 2, supervise: false, schedule: false });
    boss.on('error', () => undefined);
    await boss.start();
    await boss.createQueue('letters');
    await boss.createQueue('parcels');
    await boss.send('letters', { n: 1 });
  });
  afterAll(async () => {
    const redis = new Redis(redisUrl);
    const keys = await redis.keys(`${prefix}:*`);
    if (keys.length > 0) await redis.del(...keys);
    await redis.quit();
    await boss.stop({ graceful: false });
    await database.drop();
  });

  it('finds the queues of BullMQ, also once their schema exists, and runs no DDL', async () => {
    const schema = 'Own_queues';
    const args = [
      '--postgres',
      withPassword.href,
      '--postgres-schema',
      schema,
      '--scan-interval',
      '1',
    ];
    const board = await runBoard(args);
    await expect.poll(() => board.printed.out).toContain('no queues yet in schema "Own_queues"');
    expect(await board.queues()).toEqual([]);
    const client = await connected();
    const { rows } = await client.query(`select 1 from pg_namespace where nspname = $1`, [schema]);
    expect(rows).toEqual([]);
    await add('mails', schema);
    await add('reports', schema);
    await expect.poll(() => board.queues()).toEqual(['mails', 'reports']);
    const jobs = await board.json('/api/queues?activeQueue=mails');
    expect(jobs).toMatchObject({ queues: [{ datastore: 'sql', jobs: [{ data: { n: 1 } }] }, {}] });
    const put = { method: 'PUT' };
    expect((await fetch(`${board.origin}/api/queues/mails/pause`, put)).status).toBe(200);
    expect(await board.json('/api/queues')).toMatchObject({ queues: [{ isPaused: true }, {}] });
    for (const table of ['job', 'meta', 'event', 'scheduler']) {
      await client.query(`delete from "${schema}".${table} where queue = 'mails'`);
    }
    await expect.poll(() => board.queues()).toEqual(['reports']);
    // One connection pool for all queues.
    const open = await client.query(
      `select count(*)::int as count from pg_stat_activity
       where datname = current_database() and application_name = 'sluice-board'`,
    );
    expect(open.rows[0]).toEqual({ count: expect.toBeOneOf([1, 2, 3]) });
    expect(board.printed.out).toContain(':***@');
    expect(board.printed.out + board.printed.err).not.toContain(`:${withPassword.password}@`);
    expect(await board.stop()).toBe(0);
  });

  it('serves pg-boss at the root without Redis', async () => {
    const args = ['--pgq', url, '--pgq-queues', 'letters', '--base-path', '/boss', '--read-only'];
    const board = await runBoard(args);
    await expect.poll(async () => (await board.get('/api/status')).status).toBe(200);
    const { sources } = await board.json('/api/status');
    expect(sources).toMatchObject([{ name: 'pg-boss', state: 'ready' }]);
    const listed = await board.json('/api/pgq/queues');
    expect(listed).toMatchObject({ queues: [{ name: 'letters' }] });
    expect((listed['queues'] as unknown[]).length).toBe(1);
    const remove = { method: 'PUT' };
    const route = `${board.origin}/api/pgq/queues/letters/retry-failed`;
    expect((await fetch(route, remove)).status).toBe(404);
    expect(await board.stop()).toBe(0);
  });

  it('says that a schema has no tables of pg-boss', async () => {
    const board = await runBoard(['--pgq', url, '--pgq-schema', 'misspelt']);
    await expect
      .poll(() => board.printed.err)
      .toContain('schema "misspelt" has no tables of pg-boss');
    expect(await board.stop()).toBe(0);
  });

  it('serves both engines side by side, each with a gate of its own', async () => {
    await add('sqled', 'bullmq');
    const redis = new Redis(redisUrl, { maxRetriesPerRequest: null });
    const queue = new Queue('kved', { connection: redis, prefix });
    await queue.add('job', {});
    await queue.close();
    await redis.quit();
    const stores = ['-r', redisUrl, '--prefix', prefix, '--postgres', url];
    const board = await runBoard([...stores, '--pgq', `${url}_absent`, '--pgq-path', '/x/boss']);
    await expect.poll(() => board.queues().catch(() => [])).toEqual(['kved', 'sqled']);
    const page = await (await board.get('/')).text();
    const [, config = ''] =
      /<script type="application\/json" id="config">(.*)<\/script>/.exec(page) ?? [];
    expect(JSON.parse(config)).toMatchObject({
      uiConfig: {
        boards: [
          { title: 'BullMQ', engine: 'kvq', basePath: '' },
          { title: 'pg-boss', engine: 'pgq', basePath: '/x/boss' },
        ],
      },
    });
    const named = await runBoard([...stores, '--queues', 'sqled,absent,kved']);
    await expect.poll(() => named.queues().catch(() => [])).toEqual(['kved', 'sqled']);
    expect(named.printed.err).toBe('');
    const gate = await board.get('/x/boss', { accept: 'text/html' });
    expect(gate.status).toBe(503);
    expect(await gate.text()).toMatch(/cannot be used: database .* does not exist/);
    const api = await board.json('/x/boss/api/pgq/queues');
    expect(api).toEqual({ error: { key: 'ERRORS.SQL_UNAVAILABLE' }, code: 'SQL_UNAVAILABLE' });
    expect(await board.json('/api/status')).toMatchObject({
      status: 'degraded',
      sources: [{ state: 'ready' }, { state: 'ready' }, { state: 'degraded', board: 'pgq' }],
    });
    expect(await board.stop()).toBe(0);
    const whole = await runBoard(['--postgres', url, '--pgq', url, '--history']);
    await expect.poll(async () => (await whole.get('/api/status')).status).toBe(200);
    expect(await whole.json('/pgq/api/pgq/queues')).toMatchObject({
      queues: [{ name: 'letters' }, { name: 'parcels' }],
    });
    expect(await whole.queues()).toEqual(['sqled']);
    const client = await connected();
    const tables = `select table_name from information_schema.tables where table_schema = 'sluice'`;
    const names = async () => (await client.query(tables)).rows.map((row) => row.table_name).join();
    // Each in its own tables, and neither in those of a library.
    await expect.poll(names).toMatch(/(?:^|,)metrics_/);
    await expect.poll(names).toMatch(/pgq_metrics_/);
    const range = `from=${Date.now() - 3_600_000}&to=${Date.now()}`;
    for (const base of ['', '/pgq']) {
      const route = `${base}/api/metrics/history?metric=failed&granularity=hour&${range}`;
      await expect.poll(async () => (await whole.get(route)).status).toBe(200);
    }
    expect(whole.printed.err).not.toContain('not recorded');
    expect(whole.printed.err).toContain('CREATE INDEX CONCURRENTLY');
    expect(await whole.stop()).toBe(0);
  });
});
