/** Responses while PostgreSQL ends its sessions, has locked tables, became a standby, or refuses the user. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { QueueAdapter, bullmqQueue, customQueue } from '../../../src/board/kvq/index.ts';
import { scratchDatabase } from '../../services/index.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { keyOf, until } from './suite.ts';

const path = '/api/queues/mails';
const away = '503 SQL_UNAVAILABLE';

let database: Awaited<ReturnType<typeof scratchDatabase>>;
let admin: pg.Client;
let pool: pg.Pool;
let queue: bullmq.Queue;
let board: ServedBoard;
let id: string;

/** A queue beside it in another datastore. */
class Empty extends QueueAdapter {
  readonly name = 'empty';
  counts = async () => ({});
  jobs = async () => [];
  job = async () => null;
}

const onPostgresql = (connection: pg.Pool | { connectionString: string; migrate: boolean }) => {
  const made: bullmq.Queue = Reflect.construct(bullmq.Queue, [
    'mails',
    { connection },
    bullmq.createPostgresBackend,
  ]);
  made.on('error', () => undefined);
  return made;
};

beforeAll(async () => {
  database = await scratchDatabase('postgresql', 'kvqfaults');
  if ('missing' in database) return;
  const first = onPostgresql({ connectionString: database.url, migrate: true });
  await first.waitUntilReady();
  id = String((await first.add('first', {})).id);
  await first.close();
  admin = new pg.Client(database.url);
  await admin.connect();
  await admin.query('set search_path = bullmq');
});

beforeEach(async (context) => {
  if ('missing' in database) return context.skip();
  pool = new pg.Pool({
    connectionString: database.url,
    options: '-c search_path=bullmq -c statement_timeout=300',
    max: 4,
  });
  pool.on('error', () => undefined);
  queue = onPostgresql(pool);
  await queue.waitUntilReady();
  board = await serveBoard([bullmqQueue(queue)]);
});

afterEach(async () => {
  await board?.close();
  await queue?.close();
  await pool?.end();
});

afterAll(async () => {
  await admin?.end();
  if (!('missing' in database)) await database.drop();
});

const reads = [
  '/api/queues',
  '/api/job-schedulers',
  '/api/search?name=x',
  '/api/search?id=x',
  `${path}/search?path=x`,
  `${path}/metrics`,
  `${path}/1`,
].map((route) => ['GET', route] as const);

const writes: readonly (readonly [string, string, unknown?])[] = [
  ['POST', `${path}/add`, { name: 'late' }],
  ['PUT', `${path}/pause`],
  ['PUT', '/api/queues/pause'],
  ['PUT', `${path}/concurrency`, { concurrency: 2 }],
];

async function expectOutage(
  requests: readonly (readonly [string, string, unknown?])[],
  [key, retryAfter]: readonly [string, string | null] = [away, '3'],
  served = board,
): Promise<void> {
  for (const [method, route, body] of requests) {
    const answer = await served.send(method, route, body);
    expect([method, route, keyOf(answer)]).toEqual([method, route, key]);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
    expect(Object.keys(answer.body).toSorted()).toEqual(['code', 'error']);
  }
  expect(served.errors).toEqual([]);
}

describe('a PostgreSQL', () => {
  it('may end the sessions of the board at any time', async () => {
    const statuses = new Set<string>();
    let stopped = false;
    const poll = async (): Promise<void> => {
      while (!stopped) {
        const answer = await board.get('/api/queues?activeQueue=mails');
        statuses.add(answer.status === 200 ? '200' : keyOf(answer));
      }
    };
    const pollers = [poll(), poll(), poll()];
    for (let round = 0; round < 20; round += 1) {
      await admin.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
          where datname = current_database() and pid <> pg_backend_pid()`,
      );
      await new Promise((resolve) => setTimeout(resolve, 25));
    }
    stopped = true;
    await Promise.all(pollers);
    expect([...statuses].filter((status) => status !== '200' && status !== away)).toEqual([]);
    await until(async () => (await board.send('PUT', `${path}/resume`)).status === 200);
    expect((await board.get(`${path}/${id}`)).status).toBe(200);
    expect(board.errors).toEqual([]);
  });

  it('may keep its tables locked', async () => {
    await admin.query('begin; lock table job, meta, scheduler, metrics in access exclusive mode');
    await expectOutage([...reads, ...writes]);
    const mixed = await serveBoard([bullmqQueue(queue), customQueue(new Empty())]);
    try {
      for (const route of [`${path}/1`, '/api/job-schedulers?queueName=mails']) {
        expect([route, keyOf(await mixed.get(route))]).toEqual([route, away]);
      }
      const { queues } = (await mixed.get('/api/queues')).body;
      expect(queues).toMatchObject([{ problem: { key: 'ERRORS.SQL_UNAVAILABLE' } }, {}]);
      expect(queues[1]).not.toHaveProperty('problem');
      const { problems } = (await mixed.get('/api/search?name=x')).body;
      expect(problems).toMatchObject([{ problem: { key: 'ERRORS.SQL_UNAVAILABLE' } }]);
    } finally {
      await mixed.close();
    }
    await admin.query('rollback');
    expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
  });

  it('may have become a read-only standby', async () => {
    await admin.query(
      `do $$ begin execute format('alter database %I set default_transaction_read_only = on', current_database()); end $$`,
    );
    const again = `do $$ begin execute format('alter database %I reset default_transaction_read_only', current_database()); end $$`;
    const end = `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`;
    await admin.query(end);
    await until(async () => (await board.get('/api/queues')).status === 200);
    await expectOutage(writes);
    expect((await board.get(`${path}/${id}`)).status).toBe(200);
    await admin.query(again);
    await admin.query(end);
    await until(async () => (await board.get('/api/queues')).status === 200);
    expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
  });

  it('may give its user too few rights', async () => {
    if ('missing' in database) return;
    const role = `kvqfaults${process.pid}`;
    await admin.query(`create role ${role} login`);
    await admin.query(`grant usage on schema bullmq to ${role}`);
    await admin.query(`grant select on all tables in schema bullmq to ${role}`);
    const url = new URL(database.url);
    url.username = role;
    url.password = '';
    const reader = new pg.Pool({ connectionString: url.href, options: '-c search_path=bullmq' });
    const other = onPostgresql(reader);
    const limited = await serveBoard([bullmqQueue(other)]);
    try {
      const forbidden = ['403 SQL_FORBIDDEN', null] as const;
      await expectOutage(writes, forbidden, limited);
      expect((await limited.get(`${path}/${id}`)).status).toBe(200);
      await admin.query(`revoke select on all tables in schema bullmq from ${role}`);
      await expectOutage(
        reads.filter(([, route]) => !route.endsWith('metrics')),
        forbidden,
        limited,
      );
    } finally {
      await limited.close();
      await other.close();
      await reader.end();
      await admin.query(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
