/** The age of a queue counts from when its oldest job became ready: one that is tried again, since its last attempt. */

import { expect, it, vi } from 'vitest';
import { MetricsRecorder, metricsHistoryProvider } from '../../src/metrics/index.ts';
import { cells } from '../board/kvq/cells.ts';
import { redisWorld } from './worlds.ts';

const hourMs = 3_600_000;

it.each(cells)('of $name', async (cell) => {
  const [world, history] = [await cell.open(), await redisWorld()];
  if ('missing' in world || !history) return;
  const queue = await world.queue('press');
  const boardQueue = queue.boardQueue();
  const [from, to] = [Date.now() - hourMs, Date.now() + hourMs];
  const provider = metricsHistoryProvider(history.store);
  const recorder = new MetricsRecorder({ store: history.store, queues: [boardQueue] });
  const age = async () => {
    await recorder.tick();
    const query = { from, to, metric: 'queueage', granularity: 'hour' } as const;
    return (await provider.getHistory(query)).at(-1)?.value ?? 0;
  };
  const id = await queue.add('poster', {}, { timestamp: Date.now() - hourMs, attempts: 2 });
  // The job waits for its second attempt, which nobody begins.
  const stop = await queue.work(async () => {
    await queue.pause();
    throw new Error('The paper is torn.');
  });
  await vi.waitFor(
    async () => {
      expect(await queue.described(id)).toMatchObject({ attemptsMade: 1 });
      expect(await queue.state(id)).not.toBe('active');
    },
    { timeout: 60_000, interval: 50 },
  );
  await stop();
  const measured = await age();
  expect(measured).toBeGreaterThan(0);
  expect(measured).toBeLessThan(hourMs / 2);
  await recorder.stop();
  await history.close();
  await world.close();
});
