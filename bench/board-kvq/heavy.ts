/** Pages of large jobs on Redis, and `queue.add` of the host on PostgreSQL while clients search. */

import * as bullmq from 'bullmq';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Redis } from 'ioredis';
import pg from 'pg';
import { openBoard } from '../../src/board/core/index.ts';
import { type BoardQueue, bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { startRedis } from './redis.ts';

/** Jobs of a page, and characters of each. */
const [pageSize, jobSize] = [1_000, 300_000];

/** Searches at a time, and jobs of the searched queue. */
const [searches, searched] = [30, 100_000];

/** The server of the benchmark's databases. */
const server =
  process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';
const database = 'sluice_bench_kvq';

/** A board of a queue that is asked without HTTP. */
export function boardOn(queue: BoardQueue) {
  const board = openBoard(kvqEngine({ queues: [queue], snapshotMs: 0 }), {
    attach: () => undefined,
  });
  const get = async (path: string, rawQuery: string): Promise<string> => {
    const answer = await board.handle({
      method: 'GET',
      path,
      rawQuery,
      headers: {},
      basePath: '',
      readBody: async () => ({ value: undefined }),
      signal: new AbortController().signal,
    });
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.status}`);
    return String(answer.body);
  };
  return { get, close: () => board.close() };
}

/** Milliseconds of the longest `PING` of another process while the work runs. */
async function longestPing(port: number, work: () => Promise<void>): Promise<number> {
  const pings = fork(new URL('./pings.ts', import.meta.url), [String(port)], { execArgv: [] });
  await once(pings, 'message');
  await work();
  pings.send('stop');
  const [longest] = (await once(pings, 'message')) as [number];
  return longest;
}

/** Pages of large jobs: their time, their bytes, and the longest wait of another command of Redis meanwhile. */
async function largePages(): Promise<string[][]> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new bullmq.Queue('large', { connection: client as never });
  const board = boardOn(bullmqQueue(queue));
  const rows: string[][] = [];
  try {
    const text = 'x'.repeat(jobSize);
    for (let index = 0; index < pageSize; index += 100) {
      await queue.addBulk(Array.from({ length: 100 }, () => ({ name: 'large', data: { text } })));
    }
    for (const [name, more] of [
      ['page of 1,000 jobs of 300 kB', ''],
      ['the same without data', '&data=false'],
    ] as const) {
      const query = `activeQueue=large&status=waiting&jobsPerPage=${pageSize}${more}`;
      let [took, body] = [0, ''];
      const waited = await longestPing(redis.port, async () => {
        const began = performance.now();
        body = await board.get('/api/queues', query);
        took = performance.now() - began;
      });
      rows.push([name, figure(took), `${(body.length / 1e6).toFixed(1)} MB`, figure(waited)]);
    }
  } finally {
    await board.close();
    await queue.close();
    client.disconnect();
    await redis.stop();
  }
  return rows;
}

/** Milliseconds of `queue.add`, alone and beside searches. */
async function addsBesideSearches(): Promise<string[][]> {
  const admin = new pg.Client({ connectionString: server });
  await admin.connect();
  await admin.query(`drop database if exists ${database} with (force)`);
  await admin.query(`create database ${database}`);
  const url = new URL(server);
  url.pathname = `/${database}`;
  const make = (connection: unknown): bullmq.Queue =>
    Reflect.construct(bullmq.Queue, ['searched', { connection }, bullmq.createPostgresBackend]);
  const first = make({ connectionString: url.href, migrate: true });
  await first.waitUntilReady();
  await first.close();
  const pool = new pg.Pool({
    connectionString: url.href,
    options: '-c search_path=bullmq',
    max: 10,
  });
  pool.on('error', () => undefined);
  const queue = make(pool);
  queue.on('error', () => undefined);
  await queue.waitUntilReady();
  const board = boardOn(bullmqQueue(queue));
  const adds = async (): Promise<number> => {
    const times: number[] = [];
    for (let index = 0; index < 100; index += 1) {
      const began = performance.now();
      await queue.add('add', { index });
      times.push(performance.now() - began);
    }
    return quantile(times, 0.5);
  };
  try {
    await queue.add('one', { index: 0 });
    await pool.query(
      `insert into job (queue, id, seq, name, state, data, opts, added_at_ms)
       select queue, 'j' || n, n + 10, 'job ' || n, state, data, opts, added_at_ms + n
       from job, generate_series(1, ${searched}) n`,
    );
    const alone = await adds();
    let ends = false;
    const busy = Array.from({ length: searches }, async (_none, index) => {
      while (!ends)
        await board.get('/api/queues/searched/search', `name=none${index}`).catch(() => '');
    });
    const beside = await adds();
    ends = true;
    await Promise.all(busy);
    return [
      ['queue.add, alone', figure(alone), '', ''],
      [`queue.add, beside ${searches} searches of ${searched} jobs`, figure(beside), '', ''],
    ];
  } finally {
    await board.close();
    await queue.close();
    await pool.end();
    await admin.query(`drop database if exists ${database} with (force)`);
    await admin.end();
  }
}

/** Prints the table. */
export async function benchHeavy(): Promise<void> {
  const rows = [...(await largePages()), ...(await addsBesideSearches())];
  console.log(table(['large jobs and searches', 'ms', 'body', 'longest PING ms'], rows));
  console.log('');
}
