/** The history that BullMQ keeps itself, of several queues of which one remembers less than the others. */

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import { expect, it, onTestFinished } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { kvqLibraryHistoryProvider } from '../../src/metrics/index.ts';
import { minuteMs } from '../../src/metrics/model/time.ts';
import { findRedis } from '../services/index.ts';
import { forgetKeys } from '../forget-keys.ts';

it('begins, for all queues together, where each of them is known', async (context) => {
  const found = await findRedis();
  if ('missing' in found) return context.skip(found.missing);
  const client = new Redis(found.url, { maxRetriesPerRequest: null });
  const prefix = `lib${randomBytes(4).toString('hex')}`;
  const now = Date.now();
  /** Counts as BullMQ keeps them: one job in each minute of which there are so many, before as many others. */
  const counted = async (name: string, minutes: number, forgotten: number): Promise<Queue> => {
    for (const kind of ['completed', 'failed']) {
      const key = `${prefix}:${name}:metrics:${kind}`;
      const prevCount = minutes + forgotten;
      await client.hset(key, { count: prevCount + 1, prevTS: now, prevCount });
      await client.rpush(`${key}:data`, ...Array.from({ length: minutes }, () => 1));
    }
    return new Queue(name, { connection: client, prefix, skipMetasUpdate: true });
  };
  const queues = [await counted('whole', 900, 0), await counted('short', 300, 70)];
  onTestFinished(async () => {
    await Promise.all(queues.map((queue) => queue.close()));
    await forgetKeys(client, prefix);
    client.disconnect();
  });
  const provider = kvqLibraryHistoryProvider(queues.map((queue) => bullmqQueue(queue)));
  const range = { from: now - 1_200 * minuteMs, to: now, granularity: 'hour' } as const;
  const earliest = async (names: readonly string[]): Promise<number> => {
    const points = await provider.getHistory({ ...range, metric: 'completed', queues: names });
    return Math.round((now - (points[0]?.ts ?? now)) / minuteMs);
  };
  // An hour begins at most an hour after its first minute that is known, or before the first job.
  const [whole, short, both] = [
    await earliest(['whole']),
    await earliest(['short']),
    await earliest(['whole', 'short']),
  ];
  expect([whole >= 900, short > 240, short <= 300, both === short]).toEqual([
    true,
    true,
    true,
    true,
  ]);
});
