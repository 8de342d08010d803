/** A Redis that refuses writes, because it is full or a replica, is reported as an outage and not as a bad request. */

import Bull from 'bull';
import * as bullmq6 from 'bullmq';
import * as bullmq5 from 'bullmq-5';
import { Redis } from 'ioredis';
import { afterEach, describe, expect, it } from 'vitest';
import { bullmqQueue, bullQueue } from '../../../src/board/kvq/index.ts';
import type { BoardQueue } from '../../../src/board/kvq/index.ts';
import { isRefusedValue } from '../../../src/board/kvq/errors/refused-value.ts';
import { serveBoard } from './http-board.ts';
import { ownRedis } from './own-redis.ts';
import { keyOf } from './suite.ts';
import { quiet } from '../../quiet.ts';

/** Cleanup after a test, last first. */
const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

function clientOn(port: number): Redis {
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  client.on('error', quiet);
  undo.push(() => client.disconnect());
  return client;
}

function onBullMq(lib: typeof bullmq6, port: number): BoardQueue {
  const connection = clientOn(port) as unknown as bullmq6.ConnectionOptions;
  const queue = new lib.Queue('mails', { connection });
  queue.on('error', quiet);
  return bullmqQueue(queue);
}

const libraries: readonly [string, (port: number) => BoardQueue][] = [
  ['BullMQ 6', (port) => onBullMq(bullmq6, port)],
  ['BullMQ 5', (port) => onBullMq(bullmq5 as unknown as typeof bullmq6, port)],
  [
    'Bull',
    (port) => {
      const queue = new Bull('mails', { redis: { port, host: '127.0.0.1' } });
      queue.on('error', quiet);
      undo.push(() => queue.client.disconnect());
      return bullQueue(queue);
    },
  ],
];

describe.each(libraries)('%s', (_name, make) => {
  it('responds with 503 while its Redis refuses writes', async () => {
    const redis = await ownRedis();
    if (!redis) return;
    await redis.start();
    undo.push(() => redis.stop());
    const board = await serveBoard([make(redis.port)]);
    undo.push(() => board.close());
    const path = '/api/queues/mails';
    // On a busy machine, the first command may take longer than its limit.
    let first = await board.send('POST', `${path}/add`, { name: 'first' });
    while (first.status === 504) first = await board.send('POST', `${path}/add`, { name: 'first' });
    const { id } = first.body.job;
    const admin = clientOn(redis.port);
    const states: readonly (readonly [string[], string[]])[] = [
      [
        ['CONFIG', 'SET', 'maxmemory', '1'],
        ['CONFIG', 'SET', 'maxmemory', '0'],
      ],
      [
        ['REPLICAOF', '127.0.0.1', '1'],
        ['REPLICAOF', 'NO', 'ONE'],
      ],
    ];
    for (const [[begin = '', ...full], [end = '', ...free]] of states) {
      await admin.call(begin, ...full);
      for (const answer of [
        await board.send('POST', `${path}/add`, { name: 'second' }),
        await board.send('PATCH', `${path}/${id}/update-data`, { jobData: { a: 1 } }),
      ]) {
        expect([full, keyOf(answer)]).toEqual([full, '503 KV_UNAVAILABLE']);
        expect(answer.headers.get('retry-after')).toBe('3');
      }
      expect((await board.get(`${path}/${id}`)).status).toBe(200);
      await admin.call(end, ...free);
      expect((await board.send('POST', `${path}/add`, { name: 'third' })).status).toBe(200);
    }
  });
});

describe.each(libraries)('%s', (_name, make) => {
  it('responds with 504 when a write was sent and not answered', async () => {
    const redis = await ownRedis();
    if (!redis) return;
    await redis.start();
    undo.push(() => redis.stop());
    const board = await serveBoard([make(redis.port)], {
      timeouts: { commandMs: 300, changeMs: 300, freshMs: 60_000 },
    });
    undo.push(() => board.close());
    const path = '/api/queues/mails';
    // On a busy machine, the first command may take longer than its limit.
    let first = await board.send('POST', `${path}/add`, { name: 'first' });
    while (first.status === 504) first = await board.send('POST', `${path}/add`, { name: 'first' });
    const { id } = first.body.job;
    await clientOn(redis.port).call('CLIENT', 'PAUSE', '60000', 'WRITE');
    // The first job has shown that the server is up, so that the writes are sent.
    for (const [method, route, body] of [
      ['POST', 'add', { name: 'second' }],
      ['PUT', `${id}/clean`, {}],
    ] as const) {
      const answer = await board.send(method, `${path}/${route}`, body);
      expect([route, keyOf(answer)]).toEqual([route, '504 OUTCOME_UNKNOWN']);
      expect(answer.headers.get('retry-after')).toBe(null);
    }
    await clientOn(redis.port).call('CLIENT', 'UNPAUSE');
  });
});

describe.each(libraries)('%s', (_name, make) => {
  it('removes jobs and the queue while its Redis is full', async () => {
    const redis = await ownRedis();
    if (!redis) return;
    await redis.start();
    undo.push(() => redis.stop());
    const board = await serveBoard([make(redis.port)]);
    undo.push(() => board.close());
    const path = '/api/queues/mails';
    const old = { timestamp: Date.now() - 60_000 };
    const add = async (options: object): Promise<string> =>
      (await board.send('POST', `${path}/add`, { name: 'mail', options })).body.job.id;
    for (const delay of [0, 0, 600_000, 600_000]) await add({ ...old, delay });
    const [single, late] = [await add(old), await add({ delay: 1_200_000 })];
    await clientOn(redis.port).call('CONFIG', 'SET', 'maxmemory', '1');
    expect((await board.send('PUT', `${path}/${single}/clean`)).status).toBe(204);
    const cleaned = await board.send('PUT', `${path}/clean/wait`);
    expect([cleaned.status, cleaned.body]).toEqual([200, { removed: 2, spared: 0 }]);
    const delayed = await board.send('PUT', `${path}/clean/delayed`);
    expect([delayed.status, delayed.body]).toEqual([200, { removed: 2, spared: 0 }]);
    expect((await board.send('PUT', `${path}/clean/completed`)).body.removed).toBe(0);
    expect((await board.get(`${path}/${late}/logs`)).body).toEqual([]);
    expect((await board.get(`${path}/metrics`)).status).toBe(200);
    expect((await board.send('PUT', `${path}/empty`)).body).toEqual({ removed: 1, spared: 0 });
    await clientOn(redis.port).call('CONFIG', 'SET', 'maxmemory', '0');
    await add({ delay: 600_000 });
    await board.send('PUT', `${path}/pause`);
    await clientOn(redis.port).call('CONFIG', 'SET', 'maxmemory', '1');
    expect((await board.send('PUT', `${path}/obliterate`)).status).toBe(200);
    expect(await clientOn(redis.port).keys('*')).toEqual([]);
  });
});

describe('error messages', () => {
  const said = (message: string): Error =>
    Object.assign(new Error(message), { name: 'ReplyError' });

  it.each([
    'ERR value is not an integer or out of range script: 0fc4, on @user_script:12.',
    'ERR user_script:175: Cannot serialise number: must not be NaN or Inf script: 373d, on @user_script:175.',
    'ERR Error running script (call to f_1): @user_script:21: ERR value is not an integer or out of range ',
  ])('"%s" concern the value', (message) => {
    expect(isRefusedValue(said(message))).toBe(true);
  });

  it.each([
    "OOM command not allowed when used memory > 'maxmemory'. script: 0fc4, on @user_script:1.",
    'WRONGTYPE Operation against a key holding the wrong kind of value script: 7253, on @user_script:13.',
    "READONLY You can't write against a read only replica. script: 0fc4, on @user_script:1.",
    'ERR Error running script (call to f_1): @user_script:13: WRONGTYPE Operation against a key ',
    'ERR Error running script (call to f_1): @user_script: 1: -OOM command not allowed when used memory ',
    'ERR Unknown Redis command called from script script: 0fc4, on @user_script:1.',
    'NOPERM this user has no permissions to run the evalsha command',
  ])('"%s" concern the server', (message) => {
    expect(isRefusedValue(said(message))).toBe(false);
  });
});
