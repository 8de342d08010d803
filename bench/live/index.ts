/** Idle and changed polls, and live streams: bytes, commands of the datastore, and heap; see bench/README.md. */

import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { type ClientRequest, get } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { Queue } from 'bullmq';
import type { ConnectionOptions } from 'bullmq';
import { Redis } from 'ioredis';
import { startRedis } from '../board-kvq/redis.ts';
import { figure, table } from '../markdown.ts';

interface Polled {
  readonly status: number;
  readonly bytes: number;
  readonly etag: string;
}

/** Polls the listing as a browser does; counts the bytes on the wire without headers. */
function poll(port: number, etag = ''): Promise<Polled> {
  return new Promise((resolve, reject) => {
    const headers = { 'accept-encoding': 'gzip, deflate, br', 'if-none-match': etag };
    const request = get({ port, host: '127.0.0.1', path: '/api/queues', headers }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('end', () =>
        resolve({ status: response.statusCode ?? 0, bytes, etag: String(response.headers.etag) }),
      );
    });
    request.on('error', reject);
  });
}

/** Opens streams and discards what they tell; returns how many bytes have come, and a function that closes them. */
async function watch(port: number, viewers: number) {
  const traffic = { bytes: 0, close: () => void open.map((request) => request.destroy()) };
  const open: ClientRequest[] = [];
  for (let at = 0; at < viewers; at += 1) {
    const headers = { 'accept-encoding': 'gzip' };
    const request = get({ port, host: '127.0.0.1', path: '/api/live', agent: false, headers });
    request.on('error', () => undefined);
    open.push(request);
    const [response] = await once(request, 'response');
    response.on('data', (chunk: Buffer) => (traffic.bytes += chunk.length));
    response.on('error', () => undefined);
  }
  return traffic;
}

async function heapOf(server: ChildProcess): Promise<number> {
  const answer = once(server, 'message');
  server.send('heap');
  const [{ heap }] = (await answer) as [{ heap: number }];
  return heap / 1024 / 1024;
}

/** Commands that the server has processed, besides those of this benchmark. */
async function commandsOf(redis: Redis): Promise<number> {
  return Number(/total_commands_processed:(\d+)/.exec(await redis.info('stats'))?.[1]);
}

/** Commands while nothing but the viewers wants anything, per second. */
async function commandsWith(redis: Redis, port: number, viewers: number): Promise<number> {
  const streams = await watch(port, viewers);
  await delay(3_000);
  const seconds = 20;
  const before = await commandsOf(redis);
  await delay(seconds * 1000);
  const after = await commandsOf(redis);
  streams.close();
  return (after - before) / seconds;
}

/** `seconds` is the length of the run with two hundred viewers. */
export async function runLive(seconds: number): Promise<void> {
  for (const count of [300, 1000]) {
    const bench = await startRedis();
    const redis = new Redis({ port: bench.port, host: '127.0.0.1', maxRetriesPerRequest: null });
    const queues = Array.from(
      { length: count },
      (_, at) =>
        new Queue(`queue-${at}`, {
          connection: redis as unknown as ConnectionOptions,
          skipMetasUpdate: true,
        }),
    );
    // Every queue has another number of jobs.
    for (const [at, queue] of queues.entries()) {
      const jobs = Array.from({ length: (at * 7) % 23 }, () => ({ name: 'job', data: {} }));
      await queue.addBulk(jobs);
    }
    const server = fork(
      new URL('./server.ts', import.meta.url),
      [String(bench.port), String(count)],
      {
        execArgv: ['--expose-gc'],
        env: { ...process.env, NODE_ENV: 'production' },
      },
    );
    try {
      const [{ port }] = (await once(server, 'message')) as [{ port: number }];
      if (count === 300) await runPolls(redis, port, queues);
      else await runViewers(server, port, queues, seconds);
    } finally {
      server.kill();
      redis.disconnect();
      await bench.stop();
    }
  }
}

async function runPolls(redis: Redis, port: number, queues: readonly Queue[]): Promise<void> {
  const first = await poll(port);
  await delay(1_000);
  const idle = await poll(port, first.etag);
  await Promise.all(queues.slice(0, 30).map((queue) => queue.add('job', {})));
  await delay(1_000);
  const changed = await poll(port, first.etag);
  const one = await commandsWith(redis, port, 1);
  const fifty = await commandsWith(redis, port, 50);
  const rows = [
    ['first poll', `${first.status}, ${first.bytes} bytes`],
    ['idle poll (target 304 without a body)', `${idle.status}, ${idle.bytes} bytes`],
    ['poll with 30 changed queues (target 4 kB)', `${changed.status}, ${changed.bytes} bytes`],
    ['Redis commands per second, 1 viewer', figure(one)],
    ['Redis commands per second, 50 viewers (target: those of one)', figure(fifty)],
  ];
  console.log(`${table(['300 queues', ''], rows)}\n`);
}

async function runViewers(
  server: ChildProcess,
  port: number,
  queues: readonly Queue[],
  seconds: number,
): Promise<void> {
  const streams = await watch(port, 200);
  const samples: number[] = [];
  let changes = 0;
  const end = performance.now() + seconds * 1000;
  let next = performance.now() + 10_000;
  while (performance.now() < end) {
    await queues[changes % queues.length]?.add('job', {});
    changes += 1;
    await delay(20);
    if (performance.now() >= next) {
      samples.push(await heapOf(server));
      next += 10_000;
    }
  }
  streams.close();
  const rows = [
    ['changes', String(changes)],
    ['heap every ten seconds, MB (target: flat)', samples.map(figure).join(', ')],
    ['bytes per viewer and second', figure(streams.bytes / 200 / seconds)],
  ];
  console.log(`${table([`1,000 queues, 200 viewers, ${seconds} s`, ''], rows)}\n`);
}
