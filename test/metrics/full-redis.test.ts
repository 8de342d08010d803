/** A Redis whose memory is full: nothing is written in part, reads go on, and a purge makes room. */

import { Queue } from 'bullmq';
import { Redis } from 'ioredis';
import { expect, it, vi } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import {
  metricsHistoryProvider,
  MetricsRecorder,
  redisMetricsStore,
} from '../../src/metrics/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { ownRedis } from '../board/kvq/own-redis.ts';
import { SimulatedQueue, simulatedSource } from './simulation.ts';

it('is recorded again once it has room, and purged before', async (context) => {
  const server = await ownRedis();
  if (!server) return context.skip('redis-server is not available.');
  await server.start();
  const client = new Redis(server.port);
  const store = redisMetricsStore(client);
  const simulated = ['mail', 'other'].map((name) => new SimulatedQueue(name));
  const warned = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const recorder = new MetricsRecorder({
    store,
    sources: [simulatedSource(new Map(simulated.map((each) => [each.name, each])), Date.now)],
  });
  const finish = (): void => {
    for (const each of simulated) each.finish({ finished: Date.now(), ran: 5, waited: 5 }, true);
  };
  const lazy = { connection: { lazyConnect: true }, skipMetasUpdate: true };
  const queues = simulated.map(({ name }) => new Queue(name, lazy));
  for (const queue of queues) queue.on('error', () => undefined);
  const board = await serveBoard(
    queues.map((queue) => bullmqQueue(queue)),
    { historyProvider: metricsHistoryProvider(store) },
  );
  const total = async (): Promise<number> => {
    const path = `/api/metrics/history?from=0&to=${Date.now()}&metric=completed&granularity=hour`;
    const { status, body } = await board.get(path);
    expect(status).toBe(200);
    return body.completed.reduce((sum: number, { value }: { value: number }) => sum + value, 0);
  };
  finish();
  await recorder.tick();
  expect(await total()).toBe(2);
  await client.config('SET', 'maxmemory', '1');
  const before = await client.dbsize();
  finish();
  await recorder.tick();
  expect(warned.mock.calls).toEqual([[expect.stringMatching(/the history was not recorded.*OOM/)]]);
  warned.mockRestore();
  expect([await total(), await client.dbsize()]).toEqual([2, before]);
  const purged = await board.send('POST', '/api/metrics/history/purge', { queue: 'other' });
  expect([purged.status, purged.body.fieldsDeleted > 0]).toEqual([200, true]);
  expect(await total()).toBe(1);
  await client.config('SET', 'maxmemory', '0');
  finish();
  await recorder.tick();
  // The purge forbids what has happened before its minute, and no later one.
  const of = async (queue: string): Promise<number> => {
    const [now, day] = [Math.floor(Date.now() / 60_000), 1_440];
    const [minutes = []] = await store.minutes('completed', [queue], now - day, now + day);
    return minutes.reduce((sum, [, count]) => sum + count, 0);
  };
  expect(await of('mail')).toBe(3);
  expect(await of('__global__')).toBe((await of('mail')) + (await of('other')));
  await recorder.stop();
  await board.close();
  await Promise.all(queues.map((queue) => queue.close()));
  client.disconnect();
  await server.stop();
});
