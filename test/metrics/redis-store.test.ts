/** The Redis store. */

import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { expect, it } from 'vitest';
import { redisMetricsStore } from '../../src/metrics/index.ts';
import { layout } from '../../src/metrics/redis/layout.ts';
import { findRedis } from '../services/index.ts';
import { storeSuite } from './store-suite.ts';
import { redisWorld } from './worlds.ts';

await storeSuite('Redis', redisWorld);

it('neither reads nor writes keys of another version', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url);
  const prefix = `metrics-${randomBytes(4).toString('hex')}`;
  const store = redisMetricsStore(client, { prefix });
  const write = { queue: 'q', completed: [], failed: [] };
  const retention = { minutes: 7, hours: 90, days: 90 };
  for (const version of [layout - 1, layout + 1]) {
    await client.hset(`{${prefix}}:meta`, { instance: 'one', layout: version });
    const refusal = new RegExp(`have version ${version}.* or choose another prefix`);
    const commit = { holder: 'one', leaseMs: 1_000, instance: undefined, retention };
    await expect(store.commit({ ...commit, writes: [write] })).rejects.toThrow(refusal);
    await expect(store.usage()).rejects.toThrow(refusal);
  }
  expect(await client.keys(`{${prefix}}:*`)).toEqual([`{${prefix}}:meta`]);
  await client.unlink(`{${prefix}}:meta`);
  client.disconnect();
});
