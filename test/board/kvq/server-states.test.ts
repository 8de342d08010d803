/** Responses while Redis is reachable but does not serve, because it is busy or refuses the user. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { keyOf, until } from './suite.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import type { OwnRedis } from './own-redis.ts';
import { quiet } from '../../quiet.ts';

const user = { username: 'board', password: 'sesame' };
const path = '/api/queues/mails';
const away = '503 KV_UNAVAILABLE';
const forbidden = ['403 KV_FORBIDDEN', null] as const;

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

let redis: OwnRedis | null;
let admin: Redis;

beforeAll(async () => {
  redis = await ownRedis();
  if (!redis) return;
  await redis.start();
  admin = new Redis({ port: redis.port, host: '127.0.0.1' });
});

afterAll(async () => {
  admin?.disconnect();
  await redis?.stop();
});

function onBullMq(lib: typeof bullmq6, name: string, port: number): BoardQueue {
  const client = new Redis({ ...user, port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', quiet);
  undo.push(() => client.disconnect());
  const connection = client as unknown as bullmq6.ConnectionOptions;
  const queue = new lib.Queue(name, { connection, prefix: 'states' });
  queue.on('error', quiet);
  return bullmqQueue(queue);
}

function onBull(port: number): BoardQueue {
  const queue = new Bull('mails', { redis: { ...user, port }, prefix: 'states' });
  queue.on('error', quiet);
  undo.push(() => queue.client.disconnect());
  return bullQueue(queue);
}

const libraries: readonly [string, (port: number) => BoardQueue][] = [
  ['BullMQ 6', (port) => onBullMq(bullmq6, 'mails', port)],
  ['BullMQ 5', (port) => onBullMq(bullmq5 as unknown as typeof bullmq6, 'mails', port)],
  ['Bull', onBull],
];

/** Serves queues as a user with all permissions, and adds a job to the first queue. */
async function serve(...queues: BoardQueue[]): Promise<ServedBoard> {
  await admin.flushall();
  await admin.call('ACL', 'SETUSER', 'board', 'reset', 'on', '>sesame', '~*', '&*', '+@all');
  const board = await serveBoard(queues);
  undo.push(() => board.close());
  await until(async () => (await board.get('/api/queues')).status === 200);
  const added = await board.send('POST', `${path}/add`, { name: 'first', options: { jobId: 'a' } });
  expect(added.status).toBe(200);
  return board;
}

const writes: readonly [string, string, unknown?][] = [
  ['POST', `${path}/add`, { name: 'late' }],
  ['PUT', `${path}/pause`],
  ['PUT', '/api/queues/pause'],
  ['PATCH', `${path}/a/update-data`, { jobData: 1 }],
];

const reads = [
  '/api/queues',
  '/api/job-schedulers',
  '/api/search?name=x',
  '/api/search?id=x',
  `${path}/search?name=x`,
  `${path}/a`,
  `${path}/a/flow`,
  `${path}/a/logs`,
].map((route) => ['GET', route] as const);

/** Sends requests; each must respond with the key of an outage, without logging an internal error. */
async function expectOutage(
  board: ServedBoard,
  requests: readonly (readonly [string, string, unknown?])[],
  [key, retryAfter]: readonly [string, string | null] = [away, '3'],
): Promise<void> {
  for (const [method, route, body] of requests) {
    const answer = await board.send(method, route, body);
    expect([method, route, keyOf(answer)]).toEqual([method, route, key]);
    expect(answer.headers.get('retry-after')).toBe(retryAfter);
  }
  expect(board.errors).toEqual([]);
}

describe.each(libraries)('%s', (_name, make) => {
  it('reports that its user lacks permissions', async (context) => {
    if (!redis) return context.skip();
    const board = await serve(make(redis.port));
    const allow = (...rules: string[]) => admin.call('ACL', 'SETUSER', 'board', ...rules);
    await allow('-@write');
    await expectOutage(board, writes, forbidden);
    expect((await board.get('/api/queues')).body.queues[0].counts.waiting).toBe(1);
    await allow('+@write', '-@scripting');
    const scripted = reads.filter(([, route]) => !route.endsWith('logs'));
    await expectOutage(board, [...scripted, ...writes], forbidden);
    await allow('+@scripting', 'resetkeys', '~other*');
    await expectOutage(board, [...reads, ...writes], forbidden);
    await allow('~*');
    expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
  });

  it('reports that Redis is busy with a script', async (context) => {
    if (!redis) return context.skip();
    const board = await serve(make(redis.port));
    const busy = new Redis({ port: redis.port, host: '127.0.0.1' });
    undo.push(() => busy.disconnect());
    await admin.config('SET', 'busy-reply-threshold', '50');
    const endless = busy.eval('while true do end', 0).catch(quiet);
    await until(async () =>
      admin.ping().then(
        () => false,
        () => true,
      ),
    );
    await expectOutage(board, [
      ...reads,
      ['GET', '/api/kv/stats'],
      ['GET', `${path}/workers`],
      ...writes,
    ]);
    await admin.call('SCRIPT', 'KILL');
    await endless;
    expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
  });
});

describe('a user who may see some queues only', () => {
  it('sees those', async (context) => {
    if (!redis) return context.skip();
    const { port } = redis;
    const board = await serve(
      onBullMq(bullmq6, 'mails', port),
      onBullMq(bullmq6, 'secret', port),
      onBullMq(bullmq6, 'papers', port),
    );
    await admin.call('ACL', 'SETUSER', 'board', 'resetkeys', '~states:mails:*', '~states:papers:*');
    const { status, body } = await board.get('/api/queues');
    expect(status).toBe(200);
    expect(body.queues).toMatchObject([
      { name: 'mails', counts: { waiting: 1 } },
      { name: 'secret', counts: {}, problem: { key: 'ERRORS.KV_FORBIDDEN' } },
      { name: 'papers', counts: { waiting: 0 } },
    ]);
    expect(body.queues[0]).not.toHaveProperty('problem');
  });
});
