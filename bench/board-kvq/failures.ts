/** The errors of 200,000 failed jobs on Redis: how long the walk takes, and `queue.add` of another process meanwhile. */

import * as bullmq from 'bullmq';
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { figure, table } from '../markdown.ts';
import { quantile } from '../measure.ts';
import { boardOn } from './heavy.ts';
import { startRedis } from './redis.ts';

/** Failed jobs, and milliseconds for which `queue.add` is measured alone. */
const [failed, alone] = [200_000, 3_000];

/** Fills the set of failed jobs as workers leave it; twenty errors, of which half have a number in their message. */
const fillScript = `
for at = tonumber(ARGV[1]), tonumber(ARGV[2]) do
  local message = 'Order ' .. at .. ' failed in step ' .. string.char(97 + at % 20)
  redis.call('HSET', KEYS[1] .. at, 'name', 'send', 'timestamp', ARGV[3] + at, 'finishedOn', ARGV[3] + at, 'opts', '{}',
    'data', '{"order":' .. at .. ',"release":"v' .. at % 3 .. '","text":"' .. string.rep('x', 400) .. '"}',
    'failedReason', message, 'stacktrace', '["Error: ' .. message .. '"]')
  redis.call('ZADD', KEYS[1] .. 'failed', ARGV[3] + at, at)
end`;

/** The times of `queue.add` in another process while the work runs. */
async function addsBeside(port: number, work: () => Promise<unknown>): Promise<number[]> {
  const file = new URL('./adds.ts', import.meta.url);
  const child = fork(file, [String(port), 'walked'], { execArgv: [] });
  await once(child, 'message');
  await work();
  child.send('stop');
  const [times] = (await once(child, 'message')) as [number[]];
  return times;
}

/** Prints the table. */
export async function benchFailures(): Promise<void> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new bullmq.Queue('walked', { connection: client as never });
  const board = boardOn(bullmqQueue(queue));
  try {
    await queue.waitUntilReady();
    const began = Date.now() - 3_600_000;
    for (let at = 1; at <= failed; at += 1_000) {
      await client.eval(fillScript, 1, queue.toKey(''), at, at + 999, began);
    }
    const quiet = await addsBeside(redis.port, () => pause(alone));
    let [took, answers, counted] = [0, 0, 0];
    const beside = await addsBeside(redis.port, async () => {
      const from = performance.now();
      let next: string | null = '';
      while (next !== null) {
        const query: string = next === '' ? '' : `cursor=${encodeURIComponent(next)}`;
        const step: { nextCursor: string | null; examined: number } = JSON.parse(
          await board.get('/api/errors', query),
        );
        next = step.nextCursor;
        answers += 1;
        counted += step.examined;
      }
      took = performance.now() - from;
    });
    if (counted !== failed) throw new Error(`${counted} of ${failed} jobs were counted.`);
    const row = (name: string, times: number[], ...rest: string[]) => [
      name,
      figure(quantile(times, 0.5)),
      figure(quantile(times, 0.99)),
      figure(Math.max(...times)),
      ...rest,
    ];
    console.log(
      table(
        ['queue.add', 'median ms', '99 % ms', 'longest ms', 'walk ms', 'answers'],
        [
          row('alone', quiet, '', ''),
          row(`beside a walk of ${failed} failures`, beside, figure(took), String(answers)),
        ],
      ),
    );
    console.log('');
  } finally {
    await board.close();
    await queue.close();
    client.disconnect();
    await redis.stop();
  }
}
