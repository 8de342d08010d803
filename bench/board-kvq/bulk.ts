/** Retry, promote, clean and empty a million jobs through the board: memory above idle, and blocks of the event loop. */

import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { figure, table } from '../markdown.ts';
import { startRedis } from './redis.ts';

/** Fills a state like the library, but faster. `ARGV`: state, first id, count, score, characters of more data. */
const fill = `
local base, state, first, count = KEYS[1], ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local text = string.rep('x', tonumber(ARGV[5]))
for id = first, first + count - 1 do
  redis.call('HSET', base .. id, 'name', 'job', 'data', '{"index":' .. id .. ',"text":"' .. text .. '"}', 'opts', '{}',
    'timestamp', '1700000000000', 'delay', '0', 'priority', '0', 'processedOn', '1700000000001',
    'finishedOn', '1700000000002', 'failedReason', '"broken"')
  redis.call('ZADD', base .. state, ARGV[4], id)
end
`;

const batch = 10_000;

export async function fillState(
  client: Redis,
  base: string,
  state: string,
  jobs: number,
  characters = 0,
): Promise<void> {
  const score = state === 'delayed' ? (Date.now() + 3_600_000) * 4_096 : 1_700_000_000_002;
  for (let first = 1; first <= jobs; first += batch) {
    const count = Math.min(batch, jobs - first + 1);
    await client.eval(fill, 1, base, state, first, count, score, characters);
  }
}

/** The longest block of the event loop at rest, which is caused by the machine. */
export async function loopAtRest(): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 1 });
  delay.enable();
  await pause(3_000);
  delay.disable();
  return delay.max / 1e6;
}

/** Prints a table. */
export async function benchBulk(jobs: number): Promise<void> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new Queue('bulk', { connection: client as unknown as ConnectionOptions });
  await queue.waitUntilReady();
  const base = queue.toKey('');
  const board = openBoard(kvqEngine({ queues: [bullmqQueue(queue)] }), { attach: () => undefined });
  const put = async (path: string): Promise<void> => {
    const answer = await board.handle({
      method: 'PUT',
      path: `/api/queues/bulk/${path}`,
      rawQuery: '',
      headers: {},
      basePath: '',
      readBody: async () => ({ value: undefined }),
      signal: new AbortController().signal,
    });
    if (answer?.status !== 200) throw new Error(`${path}: ${answer?.body}`);
  };
  const works: readonly [name: string, state: string, path: string][] = [
    ['retry all', 'failed', 'retry/failed'],
    ['promote all', 'delayed', 'promote'],
    ['clean', 'completed', 'clean/completed'],
    ['empty', 'failed', 'empty'],
  ];
  const rows: string[][] = [];
  for (const [name, state, path] of works) {
    await client.flushall();
    await fillState(client, base, state, jobs);
    globalThis.gc?.();
    await pause(200);
    const idle = process.memoryUsage().rss;
    let peak = idle;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const atRest = await loopAtRest();
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const began = performance.now();
    await put(path);
    const seconds = (performance.now() - began) / 1_000;
    delay.disable();
    clearInterval(watch);
    const above = (peak - idle) / 2 ** 20;
    const blocked = delay.max / 1e6;
    const counts = await queue.getJobCounts();
    const left = String(counts[state]);
    rows.push([
      `${name} (${above < 150 && blocked < 50 ? 'met' : 'not met'}: 150 MB, 50 ms)`,
      figure(seconds),
      figure(above),
      figure(blocked),
      figure(atRest),
      left,
    ]);
  }
  console.log(
    table([`${jobs} jobs`, 's', 'MB above idle', 'loop blocked ms', 'at rest ms', 'left'], rows),
  );
  await board.close();
  await queue.close();
  client.disconnect();
  await redis.stop();
}
