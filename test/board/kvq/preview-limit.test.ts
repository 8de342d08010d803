/** Previews of schedules wait in a line of limited length. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { mostComputed } from '../../../src/board/core/index.ts';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';
import { serveBoard } from './http-board.ts';
import { keyOf } from './suite.ts';

let service: Service | undefined;
let client: Redis;

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  client = new Redis(found.url, { maxRetriesPerRequest: null });
});

afterAll(async () => {
  client?.disconnect();
  await service?.dispose();
});

it('refuses a preview for which there is no room, and computes the others', async (context) => {
  if (!service) context.skip();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const queue = new bullmq.Queue('slow', {
    connection: client as unknown as bullmq.ConnectionOptions,
    prefix: `limit${process.pid}`,
    settings: {
      async repeatStrategy(now) {
        await released;
        return now + 1_000;
      },
    },
  });
  await queue.waitUntilReady();
  const board = await serveBoard([bullmqQueue(queue)]);
  try {
    const preview = () =>
      board.send('POST', '/api/queues/slow/job-schedulers/preview', { pattern: 'ours', count: 1 });
    const answers = Array.from({ length: mostComputed + 1 }, preview);
    expect(keyOf(await Promise.race(answers))).toBe('429 SCHEDULE_LIMIT');
    release();
    const keys = (await Promise.all(answers)).map(({ status }) => status);
    expect(keys.toSorted()).toEqual([...Array(mostComputed).fill(200), 429]);
    expect((await preview()).status).toBe(200);
  } finally {
    release();
    await board.close();
    await queue.obliterate({ force: true });
    await queue.close();
  }
});
