/** Runs by filter over a million jobs: time, memory above idle, blocks of the event loop, and how fast one is cancelled. */

import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { openBoard } from '../../src/board/core/index.ts';
import { bullmqQueue, kvqEngine } from '../../src/board/kvq/index.ts';
import { figure, table } from '../markdown.ts';
import { fillState, loopAtRest } from './bulk.ts';
import { startRedis } from './redis.ts';

interface Run {
  readonly id: string;
  readonly state: string;
  readonly matched: number;
  readonly changed: number;
}

/** The works, each with the state that it is about and a filter that accepts every job, or every tenth one. */
const works: readonly [name: string, state: string, body: object][] = [
  ['count by name', 'failed', { action: 'retry', filter: { name: 'job' }, dryRun: true }],
  ['retry by reason', 'failed', { action: 'retry', filter: { error: 'broken' } }],
  ['promote by name', 'delayed', { action: 'promote', filter: { name: 'job' } }],
  [
    'remove by data',
    'completed',
    { action: 'remove', filter: { status: 'completed', path: 'index', min: '900001' } },
  ],
];

/** Prints a table. */
export async function benchRuns(jobs: number): Promise<void> {
  const redis = await startRedis();
  const client = new Redis({ port: redis.port, host: '127.0.0.1', maxRetriesPerRequest: null });
  const queue = new Queue('runs', { connection: client as unknown as ConnectionOptions });
  await queue.waitUntilReady();
  const board = openBoard(kvqEngine({ queues: [bullmqQueue(queue)] }), {
    attach: () => undefined,
  });
  const ask = async (method: string, path: string, value?: object): Promise<Run> => {
    const answer = await board.fetch(
      new Request(`http://board.local${path}`, {
        method,
        ...(value && {
          body: JSON.stringify(value),
          headers: { 'content-type': 'application/json' },
        }),
      }),
    );
    const body = (await answer.json()) as { run: Run };
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(body)}`);
    return body.run;
  };
  const start = (body: object): Promise<Run> =>
    ask('POST', '/api/bulk', { queueName: 'runs', ...body });
  const ended = async ({ id }: Run): Promise<Run> => {
    for (;;) {
      const run = await ask('GET', `/api/bulk/${id}`);
      if (run.state !== 'running') return run;
      await pause(50);
    }
  };
  const rows: string[][] = [];
  for (const [name, state, body] of works) {
    await client.flushall();
    await fillState(client, queue.toKey(''), state, jobs);
    globalThis.gc?.();
    const atRest = await loopAtRest();
    const idle = process.memoryUsage().rss;
    let peak = idle;
    const watch = setInterval(() => (peak = Math.max(peak, process.memoryUsage().rss)), 20);
    const delay = monitorEventLoopDelay({ resolution: 1 });
    delay.enable();
    const began = performance.now();
    const run = await ended(await start(body));
    const seconds = (performance.now() - began) / 1_000;
    delay.disable();
    clearInterval(watch);
    const above = (peak - idle) / 2 ** 20;
    const blocked = delay.max / 1e6;
    rows.push([
      `${name} (${above < 150 && blocked < 50 ? 'met' : 'not met'}: 150 MB, 50 ms)`,
      figure(seconds),
      figure(above),
      figure(blocked),
      figure(atRest),
      `${run.state}: ${run.matched} matched, ${run.changed} changed`,
    ]);
  }
  await client.flushall();
  await fillState(client, queue.toKey(''), 'failed', jobs);
  const cancelled = await start({ action: 'retry', filter: { name: 'job' } });
  const began = performance.now();
  await ask('POST', `/api/bulk/${cancelled.id}/cancel`, {});
  const { state, changed } = await ended(cancelled);
  const took = performance.now() - began;
  rows.push([
    `cancel (${took < 1_000 && state === 'cancelled' ? 'met' : 'not met'}: 1 s)`,
    figure(took / 1_000),
    '',
    '',
    '',
    `${state}: ${changed} changed`,
  ]);
  console.log(
    table([`${jobs} jobs`, 's', 'MB above idle', 'loop blocked ms', 'at rest ms', 'run'], rows),
  );
  await board.close();
  await queue.close();
  client.disconnect();
  await redis.stop();
}
