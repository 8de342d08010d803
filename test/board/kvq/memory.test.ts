/** Polling a board for a long time does not leak memory. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import { openWire } from './counting-proxy.ts';
import { serveBoard } from './http-board.ts';

const undo: (() => unknown)[] = [];

afterEach(async () => {
  for (const step of undo.splice(0).toReversed()) await step();
});

setFlagsFromString('--expose-gc');
const collectGarbage: () => void = runInNewContext('gc');

/** Megabytes in use. */
function used(): number {
  collectGarbage();
  collectGarbage();
  return process.memoryUsage().heapUsed / 1e6;
}

const timers = (): number =>
  process.getActiveResourcesInfo().filter((resource) => resource === 'Timeout').length;

async function queuesOn(port: number, prefix: string, count: number): Promise<bullmq.Queue[]> {
  const client = new Redis({ port, host: '127.0.0.1', maxRetriesPerRequest: null });
  undo.push(() => client.disconnect());
  const connection = client as unknown as bullmq.ConnectionOptions;
  const queues = Array.from(
    { length: count },
    (_, index) => new bullmq.Queue(`${prefix}${index}`, { connection, prefix: 'memory' }),
  );
  await Promise.all(queues.map((queue) => queue.waitUntilReady()));
  undo.push(() => Promise.all(queues.map((queue) => queue.obliterate({ force: true }))));
  return queues;
}

describe('a board that is polled for a long time', () => {
  it.each([
    ['one datastore', 0],
    ['two datastores', 1],
  ])('leaks neither memory nor timers: %s', async (_name, others) => {
    const service = await findRedis();
    if ('missing' in service) return;
    const wire = await openWire(service.url);
    undo.push(() => wire.close());
    const { port } = new URL(service.url);
    const queues = await queuesOn(Number(port), 'q', 60);
    const elsewhere = await queuesOn(wire.port, 'other', others);
    const board = await serveBoard([...queues, ...elsewhere].map((queue) => bullmqQueue(queue)));
    undo.push(() => board.close());
    const poll = async (times: number): Promise<void> => {
      for (let index = 0; index < times; index += 1) {
        const queue = queues[index % queues.length];
        if (index % 20 === 0) await queue?.add('job', { index }, { removeOnComplete: true });
        const path = `/api/queues?activeQueue=${String(queue?.name)}&page=${1 + (index % 3)}`;
        expect((await board.get(path)).status).toBe(200);
        wire.writes.length = 0;
      }
    };
    await poll(150);
    const [before, timersBefore] = [used(), timers()];
    await poll(600);
    expect(used() - before).toBeLessThan(5);
    expect(timers() - timersBefore).toBeLessThan(10);
  });
});
