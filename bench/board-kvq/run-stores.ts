/** The datastores of the runs by filter: BullMQ on Redis, BullMQ on PostgreSQL, and pg-boss, each with a queue to fill. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import { type Board, openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { fillState } from './bulk.ts';
import { startRedis } from './redis.ts';

/** One run: its name, the state that it is about, and its request. */
type Work = readonly [name: string, state: string, body: object];

/** A board and the queue `runs` of it. */
export interface RunStore {
  readonly name: string;
  readonly board: Board;
  readonly works: readonly Work[];
  /** Leaves the queue with that many jobs, all in the state. */
  fill(state: string, jobs: number): Promise<void>;
  close(): Promise<void>;
}

const none = { attach: () => undefined };
const server =
  process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** Characters of the data of each job in a database. */
const dataSize = 2_000;

/** @param characters those of the data of each job */
export async function onRedis(characters = 0): Promise<RunStore> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new bullmq.Queue('runs', {
    connection: client as unknown as bullmq.ConnectionOptions,
  });
  await queue.waitUntilReady();
  const board = openBoard(kvqEngine({ queues: [bullmqQueue(queue)] }), none);
  return {
    name:
      characters === 0 ? 'BullMQ on Redis' : `BullMQ on Redis, ${characters} characters of data`,
    board,
    works: [
      ['count by name', 'failed', { action: 'retry', filter: { name: 'job' }, dryRun: true }],
      ['retry by reason', 'failed', { action: 'retry', filter: { error: 'broken' } }],
      ['promote by name', 'delayed', { action: 'promote', filter: { name: 'job' } }],
      [
        'count by data',
        'completed',
        {
          action: 'remove',
          filter: { status: 'completed', path: 'index', min: '101' },
          dryRun: true,
        },
      ],
      [
        'remove by data, all but a hundred',
        'completed',
        { action: 'remove', filter: { status: 'completed', path: 'index', min: '101' } },
      ],
      [
        'remove by data, no job matches',
        'completed',
        { action: 'remove', filter: { status: 'completed', path: 'index', max: '-1' } },
      ],
    ],
    async fill(state, jobs) {
      await client.flushall();
      await fillState(client, queue.toKey(''), state, jobs, characters);
    },
    async close() {
      await board.close();
      await queue.close();
      client.disconnect();
      await redis.stop();
    },
  };
}

/** A new database, and what drops it. */
export async function freshDatabase(
  name: string,
  isKept = false,
): Promise<{ url: string; drop(): Promise<void> }> {
  const run = async (...statements: readonly string[]): Promise<void> => {
    const admin = new pg.Client({ connectionString: server });
    await admin.connect();
    for (const statement of statements) await admin.query(statement);
    await admin.end();
  };
  const drop = `drop database if exists ${name} with (force)`;
  if (!isKept) await run(drop);
  await run(`create database ${name}`).catch((error: unknown) => {
    // It is there already.
    if (!(isKept && Reflect.get(Object(error), 'code') === '42P04')) throw error;
  });
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(drop) };
}

export async function onPostgreSql(): Promise<RunStore> {
  const { url, drop } = await freshDatabase('sluice_bench_runs_kvq');
  const make = (connection: unknown): bullmq.Queue =>
    Reflect.construct(bullmq.Queue, ['runs', { connection }, bullmq.createPostgresBackend]);
  const first = make({ connectionString: url, migrate: true });
  await first.waitUntilReady();
  await first.close();
  const pool = new pg.Pool({
    connectionString: url,
    options: '-c search_path=bullmq',
    max: 4,
  });
  pool.on('error', () => undefined);
  const queue = make(pool);
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  await queue.add('job', { text: 'x'.repeat(dataSize) });
  await pool.query('create table one as select * from job');
  const board = openBoard(kvqEngine({ queues: [bullmqQueue(queue)] }), none);
  return {
    name: 'BullMQ on PostgreSQL',
    board,
    works: [
      ['count by name', 'failed', { action: 'retry', filter: { name: 'job' }, dryRun: true }],
      ['count by reason', 'failed', { action: 'retry', filter: { error: 'broken' }, dryRun: true }],
      [
        'remove by reason',
        'failed',
        { action: 'remove', filter: { status: 'failed', error: 'broken' } },
      ],
    ],
    async fill(state, jobs) {
      await pool.query('truncate job cascade');
      await pool.query(
        `insert into job (queue, id, seq, name, state, data, opts, added_at_ms, failed_reason, finished_at_ms)
         select queue, 'j' || n, n + 10, name, '${state}', data, opts, added_at_ms, 'broken', added_at_ms + 1
         from one, generate_series(1, ${jobs}) n`,
      );
      await pool.query('analyze job');
    },
    async close() {
      await board.close();
      await queue.close();
      await pool.end();
      await drop();
    },
  };
}

export async function onPgBoss(): Promise<RunStore> {
  const { url, drop } = await freshDatabase('sluice_bench_runs_pgq');
  const boss = new PgBoss({ connectionString: url, supervise: false, schedule: false, max: 2 });
  await boss.start();
  await boss.createQueue('runs');
  await boss.stop({ graceful: false });
  const pool = new pg.Pool({ connectionString: url, max: 1 });
  const board = openBoard(pgqEngine({ connection: url, queryTimeoutMs: 60_000 }), none);
  return {
    name: 'pg-boss',
    board,
    works: [
      ['count by data', 'failed', { action: 'retry', filter: { 'data.kind': 'a' }, dryRun: true }],
      ['retry by error', 'failed', { action: 'retry', filter: { error: 'broken' } }],
      ['remove by data', 'completed', { action: 'remove', filter: { 'data.kind': 'a' } }],
    ],
    async fill(state, jobs) {
      await pool.query('truncate pgboss.job_common');
      await pool.query(
        `insert into pgboss.job (name, state, policy, data, output)
         select 'runs', '${state}', 'standard',
           jsonb_build_object('kind', 'a', 'text', repeat('x', ${dataSize})), '{"message": "broken"}'
         from generate_series(1, ${jobs}) n`,
      );
      await pool.query('analyze pgboss.job_common');
    },
    async close() {
      await board.close();
      await pool.end();
      await drop();
    },
  };
}
