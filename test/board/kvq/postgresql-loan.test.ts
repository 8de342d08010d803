/** Connections that the board takes from the pool of its host on PostgreSQL: few, and none while the server is silent. */

import * as bullmq from 'bullmq';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { inTransaction } from '../../../src/board/kvq/sql/transaction.ts';
import { scratchDatabase } from '../../services/index.ts';
import { openWire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';
import { keyOf, until } from './suite.ts';

const path = '/api/queues/mails';

let database: Awaited<ReturnType<typeof scratchDatabase>>;
const undo: (() => unknown)[] = [];

const queueOn = (connection: pg.Pool | { connectionString: string; migrate: boolean }) => {
  const made: bullmq.Queue = Reflect.construct(bullmq.Queue, [
    'mails',
    { connection },
    bullmq.createPostgresBackend,
  ]);
  made.on('error', () => undefined);
  return made;
};

/** A board on a pool of the host. */
async function serve(url: string, max: number, statementMs: number) {
  const pool = new pg.Pool({ connectionString: url, options: '-c search_path=bullmq', max });
  pool.on('error', () => undefined);
  const queue = queueOn(pool);
  await queue.waitUntilReady();
  const board = await serveBoard([bullmqQueue(queue)], { timeouts: { statementMs } });
  undo.push(
    () => pool.end(),
    () => queue.close(),
    () => board.close(),
  );
  return { pool, queue, board };
}

beforeAll(async () => {
  database = await scratchDatabase('postgresql', 'kvqloan');
  if ('missing' in database) return;
  const first = queueOn({ connectionString: database.url, migrate: true });
  await first.waitUntilReady();
  await first.close();
});

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

afterAll(async () => {
  if (!('missing' in database)) await database.drop();
});

describe('the pool of the host', () => {
  it.each([
    [4, 2, 1],
    [10, 3, 2],
  ])('of %i connections lends %i for reads and %i for changes', async (max, reads, changes) => {
    if ('missing' in database) return;
    const { pool, board } = await serve(database.url, max, 60_000);
    const id = (await board.send('POST', `${path}/add`, { name: 'first' })).body.job.id;
    const admin = new pg.Client(database.url);
    await admin.connect();
    undo.push(() => admin.end());
    await admin.query('begin; lock table bullmq.job in access exclusive mode');
    const requests: Promise<unknown>[] = [];
    const send = (method: string, route: string, body?: unknown) =>
      void requests.push(board.send(method, route, body));
    const inUse = (): number => pool.totalCount - pool.idleCount;
    for (let index = 0; index < 30; index += 1) send('GET', `${path}/search?name=x${index}`);
    for (let index = 0; index < 10; index += 1) send('GET', `/api/queues?page=${index + 1}`);
    await until(async () => inUse() === reads);
    for (let index = 0; index < 10; index += 1) {
      send('PUT', `${path}/empty`);
      send('POST', `${path}/add`, { name: 'more' });
    }
    // The board reads before it changes, so changes are borrowed once reads go on.
    expect(inUse()).toBeLessThanOrEqual(reads + changes);
    expect(pool.waitingCount).toBe(0);
    if (max > reads + changes) expect((await pool.query('select 1')).rows).toHaveLength(1);
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, inUse() + pool.waitingCount)), 1);
    undo.push(() => clearInterval(watch));
    await admin.query('rollback');
    await Promise.all(requests);
    // A read is over a moment before its connection is idle again.
    expect(most).toBeLessThanOrEqual(reads + changes + 1);
    expect((await board.get(`${path}/${id}`)).status).toBeLessThan(500);
    expect(board.errors).toEqual([]);
  });
});

describe('a connection of the host', () => {
  it('is closed where its transaction could not be rolled back', async () => {
    if ('missing' in database) return;
    const connectionString = database.url;
    const pool = new pg.Pool({ connectionString, max: 1, query_timeout: 100 });
    const admin = new pg.Client(connectionString);
    await admin.connect();
    undo.push(
      () => admin.end(),
      () => pool.end(),
    );
    await admin.query('select pg_advisory_lock(1)');
    const pids: unknown[] = [];
    const run = (text: string) =>
      inTransaction(pool, async (query) => {
        pids.push((await query('select pg_backend_pid() as pid'))[0]?.['pid']);
        await query(text);
      });
    // The rollback waits behind the statement.
    await expect(run('select pg_advisory_lock(1)')).rejects.toThrow('Query read timeout');
    expect(pool.totalCount).toBe(0);
    // A transaction that was rolled back leaves its connection to others.
    await expect(run('select 1 / 0')).rejects.toThrow('division by zero');
    await run('select 1');
    expect([pool.idleCount, pids[1] === pids[0], pids[2] === pids[1]]).toEqual([1, false, true]);
  });
});

it('goes on after a query of the host that throws instead of rejecting', async () => {
  if ('missing' in database) return;
  const { pool, board } = await serve(database.url, 4, 1_000);
  const added = { name: 'later', options: { delay: 600_000 } };
  const { id } = (await board.send('POST', `${path}/add`, added)).body.job;
  const query = pool.query.bind(pool) as (...args: unknown[]) => Promise<pg.QueryResult>;
  let thrown = 0;
  let throws = true;
  const wrapped = (...args: unknown[]): Promise<pg.QueryResult> => {
    if (throws && String(args[0]).includes('with recursive asked as')) {
      thrown += 1;
      throw new Error('There is no tenant.');
    }
    return query(...args);
  };
  Object.assign(pool, { query: wrapped });
  const promote = async () => (await board.send('PUT', `${path}/${id}/promote`)).status;
  for (const count of [1, 2]) expect([await promote(), thrown]).toEqual([500, count]);
  throws = false;
  expect(await promote()).toBe(204);
});

describe('a PostgreSQL that hangs', () => {
  it('is found out once, and serves again when it answers', async () => {
    if ('missing' in database) return;
    const wire = await openWire(database.url);
    undo.push(() => wire.close());
    const url = new URL(database.url);
    url.host = `127.0.0.1:${wire.port}`;
    const { pool, board } = await serve(url.href, 4, 2_000);
    undo.push(() => wire.cut());
    await until(async () => (await board.get('/api/queues')).status === 200);
    const away = '503 SQL_UNAVAILABLE';
    wire.hold = true;
    expect(keyOf(await board.get(`${path}/1`))).toBe(away);
    const sent = wire.writes.length;
    const inUse = pool.totalCount - pool.idleCount;
    const routes = ['/api/queues', `${path}/1`, `${path}/search?name=x`, '/api/job-schedulers'];
    for (const route of [...routes, ...routes, ...routes]) {
      expect([route, keyOf(await board.get(route))]).toEqual([route, away]);
    }
    for (const name of ['one', 'two']) {
      expect(keyOf(await board.send('POST', `${path}/add`, { name }))).toBe(away);
    }
    // The question whether the server answers again is the only one.
    expect(wire.writes.length - sent).toBeLessThanOrEqual(1);
    expect(pool.totalCount - pool.idleCount).toBe(inUse);
    wire.hold = false;
    wire.cut();
    wire.mend();
    await until(async () => (await board.get('/api/queues')).status === 200);
    expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
    expect((await board.get('/api/queues')).body.queues[0].counts.waiting).toBe(
      Number((await pool.query(`select count(*) from job where state = 'waiting'`)).rows[0].count),
    );
    expect(board.errors).toEqual([]);
  });
});
