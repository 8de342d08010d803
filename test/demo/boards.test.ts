/** The boards of a demo with BullMQ's queues on a Redis. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ownRedis } from '../board/kvq/own-redis.ts';
import { freePort } from '../services/server-process.ts';
import { everyServiceRequired } from '../services/index.ts';
import { reading, showsBullmq } from './boards.ts';
import { scratchFolder, startDemo } from './start-demo.ts';

const redis = await ownRedis();
if (!redis && !everyServiceRequired()) {
  console.log('Skipped: the demo on Redis. Install redis-server.');
}

describe.runIf(redis || everyServiceRequired())('with a Redis in REDIS_URL', () => {
  let folder: Awaited<ReturnType<typeof scratchFolder>>;

  beforeAll(async () => {
    if (!redis) throw new Error('CI requires redis-server.');
    await redis.start();
    folder = await scratchFolder();
  });
  afterAll(async () => {
    await redis?.stop();
    await folder?.remove();
  });

  it('shows BullMQ’s queues on this Redis, and stops cleanly', async () => {
    const redisUrl = `redis://127.0.0.1:${redis?.port}`;
    const demo = await startDemo(folder.path, { cities: 50, redisUrl });
    try {
      expect(demo.printed()).toContain('BullMQ on Redis');
      await showsBullmq(reading(demo, '/bullmq'), 'kv');
    } finally {
      expect(await demo.end()).toBe(0);
    }
  });

  it('does not start if it does not respond, and does not print the address', async () => {
    const redisUrl = `redis://:a-password@127.0.0.1:${await freePort()}`;
    const starting = startDemo(folder.path, { cities: 50, redisUrl });
    await expect(starting).rejects.toThrow('The Redis of REDIS_URL does not respond.');
    await expect(starting).rejects.not.toThrow('a-password');
  });
});
