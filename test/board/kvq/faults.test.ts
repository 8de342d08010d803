/** The board while Redis is down, hangs, or holds keys of unexpected types. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import { keyOf, until } from './suite.ts';
import { openWire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';
import type { ServedBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import { quiet } from '../../quiet.ts';
import { forgetKeys } from '../../forget-keys.ts';

/** Cleanup after a test, last first. */
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

afterAll(async () => {
  const service = await findRedis();
  if ('missing' in service) return;
  const client = new Redis(service.url);
  await forgetKeys(client, 'faults:');
  client.disconnect();
  await service.dispose();
});

function clientOn(port: number): Redis {
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', quiet);
  undo.push(() => client.disconnect());
  return client;
}

function onBullMq(lib: typeof bullmq6, port: number, name = 'mails'): bullmq6.Queue {
  const connection = clientOn(port) as unknown as bullmq6.ConnectionOptions;
  const queue = new lib.Queue(name, { connection, prefix: 'faults' });
  queue.on('error', quiet);
  return queue;
}

const libraries: readonly [string, (port: number) => BoardQueue][] = [
  ['BullMQ 6', (port) => bullmqQueue(onBullMq(bullmq6, port))],
  ['BullMQ 5', (port) => bullmqQueue(onBullMq(bullmq5 as unknown as typeof bullmq6, port))],
  [
    'Bull',
    (port) => {
      const queue = new Bull('mails', { redis: { port, host: '127.0.0.1' }, prefix: 'faults' });
      queue.on('error', quiet);
      undo.push(() => queue.client.disconnect());
      return bullQueue(queue);
    },
  ],
];

const path = '/api/queues/mails';

/** Requests of every kind that needs the datastore. */
const requestsFor = (id: string): readonly [string, string, unknown?][] => [
  ['GET', '/api/queues'],
  ['GET', '/api/queues?activeQueue=mails'],
  ['GET', '/api/job-schedulers'],
  ['GET', '/api/kv/stats'],
  ['GET', '/api/search?name=x'],
  ['GET', '/api/search?id=x'],
  ['GET', `${path}/search?path=x`],
  ['GET', `${path}/metrics`],
  ['GET', `${path}/workers`],
  ['GET', `${path}/${id}`],
  ['GET', `${path}/${id}/logs`],
  ['GET', `${path}/${id}/flow`],
  ['GET', `${path}/${id}/course`],
  ['GET', `${path}/${id}/holds`],
  ['POST', `${path}/add`, { name: 'late' }],
  ['PUT', `${path}/pause`],
  ['PUT', '/api/queues/pause'],
  ['PUT', `${path}/concurrency`, { concurrency: 1 }],
  ['PUT', `${path}/retry/failed`],
  ['PUT', `${path}/promote`],
  ['PUT', `${path}/clean/completed`],
  ['PUT', `${path}/empty`],
  ['PUT', `${path}/obliterate`],
  ['PUT', `${path}/${id}/clean`],
  ['PATCH', `${path}/${id}/update-data`, { jobData: 1 }],
  ['PUT', `${path}/job-schedulers/x/remove`],
];

/** Timeouts too long for a test: a response within the test did not wait for them. */
const endless = {
  connectMs: 600_000,
  commandMs: 600_000,
  libraryMs: 600_000,
  changeMs: 600_000,
  stepMs: 600_000,
  firstMs: 600_000,
};

/** Sends all of them at once; each must respond with an outage. */
async function expectOutage(board: ServedBoard, id: string): Promise<void> {
  await Promise.all(
    requestsFor(id).map(async ([method, route, body]) => {
      const answer = await board.send(method, route, body);
      expect([method, route, keyOf(answer)]).toEqual([method, route, '503 KV_UNAVAILABLE']);
      expect(answer.body.code).toBe('KV_UNAVAILABLE');
      expect(answer.headers.get('retry-after')).toBe('3');
      expect(JSON.stringify(answer.body)).not.toMatch(/ECONN|127\.0\.0\.1|stack/);
    }),
  );
}

describe('a Redis that is stopped and started again', () => {
  it.each(libraries)(
    '%s: 503 with Retry-After meanwhile, and no late write',
    async (_name, make) => {
      const redis = await ownRedis();
      if (!redis) return;
      await redis.start();
      undo.push(() => redis.stop());
      const board = await serveBoard([make(redis.port)], {
        timeouts: { ...endless, connectMs: 400 },
      });
      undo.push(() => board.close());
      await until(async () => (await board.get('/api/queues')).status === 200, 30_000);
      const { job } = (await board.send('POST', `${path}/add`, { name: 'first' })).body;
      expect((await board.get(`${path}/${job.id}`)).status).toBe(200);

      await redis.stop();
      await expectOutage(board, job.id);

      await redis.start();
      await until(async () => (await board.get('/api/queues')).status === 200, 30_000);
      const [queue] = (await board.get('/api/queues')).body.queues;
      expect(queue).toMatchObject({ isPaused: false, counts: { waiting: 0 } });
      expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
    },
  );
});

describe('a Redis whose connections break during a read', () => {
  it.each(libraries)(
    '%s: the read fails at once, and with it those that joined it',
    async (_name, make) => {
      const redis = await findRedis();
      if ('missing' in redis) return;
      const wire = await openWire(redis.url);
      undo.push(() => wire.close());
      const board = await serveBoard([make(wire.port)], {
        timeouts: { ...endless, connectMs: 400 },
      });
      undo.push(() => board.close());
      const added = await board.send('POST', `${path}/add`, { name: 'read' });
      const job = `${path}/${added.body.job.id}`;
      undo.push(async () => {
        wire.mend();
        await until(async () => (await board.send('PUT', `${job}/clean`)).status !== 503);
      });
      expect((await board.get(job)).status).toBe(200);
      wire.hold = true;
      const sent = wire.writes.length;
      const pending = board.get(job);
      await until(async () => wire.writes.length > sent);
      const joined = board.get(job);
      wire.hold = false;
      wire.cut();
      expect(keyOf(await pending)).toBe('503 KV_UNAVAILABLE');
      expect(keyOf(await joined)).toBe('503 KV_UNAVAILABLE');
    },
  );
});

describe('a Redis that has never been there', () => {
  it.each(libraries)(
    '%s: one request waits for it, the others are refused at once',
    async (_name, make) => {
      const redis = await ownRedis();
      if (!redis) return;
      undo.push(() => redis.stop());
      const queue = make(redis.port);
      const board = await serveBoard([queue], { timeouts: { ...endless, connectMs: 400 } });
      const patient = await serveBoard([queue], { timeouts: endless });
      undo.push(() => Promise.all([board.close(), patient.close()]));
      await expectOutage(board, '1');
      // This one would wait for ten minutes.
      await expectOutage(patient, '1');
      await redis.start();
      await until(async () => (await patient.get('/api/queues')).status === 200, 30_000);
      expect((await patient.send('POST', `${path}/add`, { name: 'first' })).status).toBe(200);
    },
  );
});

describe('a Redis that hangs and recovers', () => {
  it.each(libraries)(
    '%s: 503 meanwhile, soon without waiting, and no late write',
    async (_name, make) => {
      const redis = await ownRedis();
      if (!redis) return;
      await redis.start();
      undo.push(() => redis.stop());
      const queue = make(redis.port);
      const [board, patient] = await Promise.all([
        serveBoard([queue], { timeouts: { ...endless, commandMs: 700, freshMs: 1 } }),
        serveBoard([queue], { timeouts: { ...endless, freshMs: 1 } }),
      ]);
      undo.push(() => Promise.all([board.close(), patient.close()]));
      const { job } = (await board.send('POST', `${path}/add`, { name: 'first' })).body;
      const told = await clientOn(redis.port).info('server');
      const pid = Number(/process_id:(\d+)/.exec(told)?.[1]);

      process.kill(pid, 'SIGSTOP');
      undo.push(() => process.kill(pid, 'SIGCONT'));
      await expectOutage(board, job.id);
      // Without further requests, so that nothing waits.
      await expectOutage(patient, job.id);

      process.kill(pid, 'SIGCONT');
      await until(async () => (await board.get('/api/queues')).status === 200);
      const { body } = await board.get('/api/queues?activeQueue=mails');
      expect(body.queues).toMatchObject([
        { isPaused: false, globalConcurrency: null, counts: { waiting: 1 }, jobs: [{ data: {} }] },
      ]);
      expect((await board.send('POST', `${path}/add`, { name: 'again' })).status).toBe(200);
      expect(board.errors).toEqual([]);
    },
    30_000,
  );
});

describe('a store that hangs', () => {
  it('affects only its own queues', async () => {
    const service = await findRedis();
    if ('missing' in service) return;
    const { port } = new URL(service.url);
    const wire = await openWire(service.url);
    undo.push(() => wire.close());
    const slow = onBullMq(bullmq6, wire.port, 'slow');
    const quick = onBullMq(bullmq6, Number(port), 'quick');
    const tardy = onBullMq(bullmq6, wire.port, 'tardy');
    await Promise.all([slow, quick, tardy].map((queue) => queue.waitUntilReady()));
    undo.push(() => quick.obliterate({ force: true }));
    await quick.add('a', {});
    const queues = [slow, quick, tardy].map((queue) => bullmqQueue(queue));
    const [board, impatient] = await Promise.all([
      serveBoard(queues, { timeouts: { ...endless, othersMs: 400 } }),
      serveBoard(queues, { timeouts: { commandMs: 400 } }),
    ]);
    undo.push(() => Promise.all([board.close(), impatient.close()]));
    expect((await board.get('/api/queues')).body.queues[0]).not.toHaveProperty('problem');
    await new Promise((resolve) => setTimeout(resolve, 50));
    wire.hold = true;
    // Cached facts are shown for a while; a change drops them.
    await board.send('PUT', '/api/queues/quick/resume');
    const { status, body } = await board.get('/api/queues?activeQueue=quick');
    expect(status).toBe(200);
    expect(body.queues).toMatchObject([
      { name: 'slow', counts: {}, problem: { key: 'ERRORS.KV_UNAVAILABLE' } },
      { name: 'quick', counts: { waiting: 1 }, jobs: [{ name: 'a' }] },
      { name: 'tardy', counts: {}, problem: { key: 'ERRORS.KV_UNAVAILABLE' } },
    ]);
    expect(keyOf(await impatient.get('/api/queues/slow/1'))).toBe('503 KV_UNAVAILABLE');
    expect((await board.get('/api/queues/quick/1')).status).toBe(200);
  });
});

describe('keys of another type', () => {
  it('affect only their queue', async () => {
    const service = await findRedis();
    if ('missing' in service) return;
    const port = Number(new URL(service.url).port);
    const broken = onBullMq(bullmq6, port, 'broken');
    const sound = onBullMq(bullmq6, port, 'sound');
    const worn = onBullMq(bullmq6, port, 'worn');
    const all = [broken, sound, worn];
    await Promise.all(all.map((queue) => queue.waitUntilReady()));
    const client = clientOn(port);
    await client.set('faults:broken:wait', 'no list');
    await client.set('faults:worn:completed', 'no set');
    undo.push(async () => {
      await client.del('faults:broken:wait', 'faults:worn:completed');
      await Promise.all(all.map((queue) => queue.obliterate({ force: true })));
    });
    await sound.add('a', {});
    const board = await serveBoard(all.map((queue) => bullmqQueue(queue)));
    undo.push(() => board.close());
    const { status, body } = await board.get('/api/queues?activeQueue=broken');
    expect(status).toBe(200);
    expect(body.queues).toMatchObject([
      { name: 'broken', jobs: [], problem: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } },
      { name: 'sound', counts: { waiting: 1 } },
      { name: 'worn', counts: {}, problem: { key: 'ERRORS.INTERNAL_SERVER_ERROR' } },
    ]);
  });
});

describe('a limit that is not a number', () => {
  it.each(['nan', 'inf', '-inf', '1e999', 'many'])('hides no queue: %s', async (limit) => {
    const service = await findRedis();
    if ('missing' in service) return;
    const port = Number(new URL(service.url).port);
    const all = ['odd', 'sound'].map((name) => onBullMq(bullmq6, port, name));
    await Promise.all(all.map((queue) => queue.waitUntilReady()));
    undo.push(() => Promise.all(all.map((queue) => queue.obliterate({ force: true }))));
    for (const queue of all) await queue.add('a', {});
    await clientOn(port).hset('faults:odd:meta', 'concurrency', limit);
    const board = await serveBoard(all.map((queue) => bullmqQueue(queue)));
    undo.push(() => board.close());
    const { status, body } = await board.get('/api/queues');
    expect(status).toBe(200);
    expect(body.queues).toMatchObject([
      { name: 'odd', counts: { waiting: 1 }, globalConcurrency: null },
      { name: 'sound', counts: { waiting: 1 } },
    ]);
    expect(body.queues[0]).not.toHaveProperty('problem');
  });
});

describe('a server that refuses some commands', () => {
  it('leaves statistics and workers empty', async () => {
    const redis = await ownRedis();
    if (!redis) return;
    await redis.start();
    undo.push(() => redis.stop());
    const queue = onBullMq(bullmq6, redis.port);
    await queue.waitUntilReady();
    const board = await serveBoard([bullmqQueue(queue)]);
    undo.push(() => board.close());
    expect((await board.get('/api/kv/stats')).status).toBe(200);
    await clientOn(redis.port).call('ACL', 'SETUSER', 'default', '-info', '-client|list');
    expect(keyOf(await board.get('/api/kv/stats'))).toBe('404 KV_STATS_UNAVAILABLE');
    expect((await board.get('/api/queues/mails/workers')).body).toEqual({ workers: null });
    const { body } = await board.get('/api/queues');
    expect(body.queues).toMatchObject([{ hasWorkers: null, counts: { waiting: 0 } }]);
  });
});

describe('statistics', () => {
  it('are hidden when the host says so, and empty without queues', async () => {
    const service = await findRedis();
    if ('missing' in service) return;
    const queue = onBullMq(bullmq6, Number(new URL(service.url).port), 'kept');
    await queue.waitUntilReady();
    undo.push(() => queue.obliterate({ force: true }));
    const board = await serveBoard([bullmqQueue(queue)], { hideKvDetails: true });
    undo.push(() => board.close());
    expect(keyOf(await board.get('/api/kv/stats'))).toBe('403 FORBIDDEN');
    board.registry.replace([]);
    expect(await board.get('/api/kv/stats')).toMatchObject({ status: 200, body: {} });
    expect((await board.get('/api/queues')).body).toEqual({ queues: [] });
  });
});
