/** The hosts of `beside.ts`: a queue with ten long logs, large jobs, many small ones and a flow, on each datastore. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import pg from 'pg';
import { PgBoss } from 'pg-boss';
import type { EngineFactory } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { startRedis } from './redis.ts';

/** Readers at a time. */
export const readers = 10;

/** Lines of a log, and characters of a line. */
const [lines, width] = [10_000, 1_000];

/** Jobs of a page and characters of each; jobs of the searched queue; children of the flow. */
const [pageSize, jobSize, searched, children] = [100, 100_000, 50_000, 500];

/** Characters of each of ten jobs of pg-boss, whose listings have no data. */
const wholeSize = 3_000_000;

/** The server of the benchmark's databases. */
const server =
  process.env['SLUICE_BENCH_POSTGRES'] ?? 'postgres://postgres@127.0.0.1:5432/postgres';

/** A process that adds jobs, with a board. */
export interface Host {
  readonly name: string;
  readonly engine: EngineFactory;
  /** Adds a job as the host does. */
  add(): Promise<unknown>;
  /** The listing that another viewer reads. */
  readonly listing: string;
  /** What the readers read, by name. */
  readonly reads: readonly (readonly [name: string, paths: readonly string[]])[];
  close(): Promise<void>;
}

const dayMs = 86_400_000;

/** Fills a queue of BullMQ, and returns what can be read of it. */
async function fill(
  queue: bullmq.Queue,
  flows: bullmq.FlowProducer,
  log: (id: string, texts: readonly string[], at: number) => Promise<unknown>,
): Promise<Host['reads']> {
  const line = 'x'.repeat(width);
  for (let index = 0; index < readers; index += 1) {
    await queue.add('talks', {}, { jobId: `talks-${index}`, delay: dayMs });
    for (let at = 0; at < lines; at += 1_000) {
      const texts = Array.from({ length: 1_000 }, (_none, nth) => `${at + nth} ${line}`);
      await log(`talks-${index}`, texts, at);
    }
  }
  const text = 'x'.repeat(jobSize);
  const large = { name: 'large', data: { text }, opts: { delay: dayMs } };
  for (let index = 0; index < pageSize; index += 10) {
    await queue.addBulk(Array.from({ length: 10 }, () => large));
  }
  for (let index = 0; index < searched; index += 1_000) {
    const data = { customer: { id: index } };
    await queue.addBulk(Array.from({ length: 1_000 }, () => ({ name: 'small', data })));
  }
  const root = await flows.add({
    name: 'root',
    queueName: 'beside',
    children: Array.from({ length: children }, () => ({
      name: 'child',
      queueName: 'beside',
      data: { text: 'x'.repeat(10_000) },
    })),
  });
  const jobs = '/api/queues/beside';
  return [
    ['one log', [`${jobs}/talks-0/logs`]],
    ['ten logs', Array.from({ length: 10 }, (_none, nth) => `${jobs}/talks-${nth}/logs`)],
    [
      'data of a page',
      [`/api/queues?activeQueue=beside&status=delayed&jobsPerPage=${pageSize + readers}`],
    ],
    ['a flow', [`${jobs}/${String(root.job.id)}/flow?maxChildren=${children}&depth=3`]],
    ['a search', [`${jobs}/search?path=customer.id&value=nothing`]],
  ];
}

/** BullMQ on Redis. */
export async function onRedis(): Promise<Host> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const connection = { connection: client as never };
  const queue = new bullmq.Queue('beside', connection);
  const flows = new bullmq.FlowProducer(connection);
  return {
    name: 'queue.add of BullMQ on Redis',
    engine: kvqEngine({ queues: [bullmqQueue(queue)] }),
    add: () => queue.add('add', { index: 1 }, { removeOnComplete: true }),
    listing: '/api/queues',
    reads: await fill(queue, flows, (id, texts) =>
      client.rpush(queue.toKey(`${id}:logs`), ...texts),
    ),
    async close() {
      await flows.close();
      await queue.close();
      client.disconnect();
      await redis.stop();
    },
  };
}

/** A database that is dropped at the end. */
async function emptyDatabase(): Promise<{ readonly url: string; drop(): Promise<void> }> {
  const name = 'sluice_bench_beside';
  const asOwner = async (...statements: string[]): Promise<void> => {
    const client = new pg.Client({ connectionString: server });
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  };
  await asOwner(`drop database if exists ${name} with (force)`, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => asOwner(`drop database if exists ${name} with (force)`) };
}

/** BullMQ on PostgreSQL, with the pool that the library makes. */
export async function onPostgresql(): Promise<Host> {
  const database = await emptyDatabase();
  const connection = { connectionString: database.url, migrate: true };
  const make = <Made>(constructor: unknown, ...given: unknown[]): Made =>
    Reflect.construct(constructor as new () => Made, [...given, bullmq.createPostgresBackend]);
  const queue = make<bullmq.Queue>(bullmq.Queue, 'beside', { connection });
  await queue.waitUntilReady();
  const flows = make<bullmq.FlowProducer>(bullmq.FlowProducer, { connection });
  const pool = new pg.Pool({ connectionString: database.url, options: '-c search_path=bullmq' });
  return {
    name: 'queue.add of BullMQ on PostgreSQL',
    engine: kvqEngine({ queues: [bullmqQueue(queue)] }),
    add: () => queue.add('add', { index: 1 }, { removeOnComplete: true }),
    listing: '/api/queues',
    reads: await fill(queue, flows, (id, texts, at) =>
      pool.query(
        `insert into job_log (queue, job_id, idx, row)
         select 'beside', $1, $2 + nth, line from unnest($3::text[]) with ordinality as each(line, nth)`,
        [id, at, texts],
      ),
    ),
    async close() {
      await pool.end();
      await flows.close();
      await queue.close();
      await database.drop();
    },
  };
}

/** pg-boss, whose board has a pool of its own or reads through the instance. */
export async function onPgBoss(through: 'own pool' | 'instance'): Promise<Host> {
  const database = await emptyDatabase();
  const boss = new PgBoss({ connectionString: database.url, supervise: false, schedule: false });
  await boss.start();
  await boss.createQueue('beside');
  const ids: (string | null)[] = [];
  for (let index = 0; index < readers; index += 1) {
    const data = { text: 'x'.repeat(wholeSize) };
    ids.push(await boss.send('beside', data, { startAfter: 86_400 }));
  }
  for (let index = 0; index < searched; index += 1_000) {
    const data = { customer: { id: index } };
    await boss.insert(
      'beside',
      Array.from({ length: 1_000 }, () => ({ data })),
    );
  }
  const jobs = '/api/pgq/queues/beside/jobs';
  return {
    name: `boss.send beside a board with ${through === 'instance' ? 'the instance' : 'a pool of its own'}`,
    engine: pgqEngine(
      through === 'instance' ? { instance: boss } : { connection: database.url, instance: boss },
    ),
    add: () => boss.send('beside', { index: 1 }),
    listing: '/api/pgq/queues',
    reads: [
      ['one large job', [`${jobs}/${ids[0]}`]],
      ['ten large jobs', ids.map((id) => `${jobs}/${id}`)],
      ['a page', [`${jobs}?limit=100`]],
      ['a search', ['/api/pgq/search?filter[data.customer.id]=nothing']],
    ],
    async close() {
      await boss.stop({ graceful: false });
      await database.drop();
    },
  };
}
