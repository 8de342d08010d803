/** `GET /api/queues` with many queues, compared in turns with bull-board and the plain reference. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { figure, table } from '../markdown.ts';
import { measure } from '../measure.ts';
import { makeQueues, seed } from './queues.ts';
import { startRedis } from './redis.ts';

interface Ports {
  readonly board: number;
  readonly reference: number;
}

const agent = new Agent({ keepAlive: true });

function fetchText(port: number, path: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const outgoing = get({ agent, port, host: '127.0.0.1', path }, (response) => {
      let bytes = 0;
      response.on('data', (chunk: Buffer) => (bytes += chunk.length));
      response.on('error', reject);
      response.on('end', () =>
        response.statusCode === 200
          ? resolve(bytes)
          : reject(new Error(`${path}: ${response.statusCode}`)),
      );
    });
    outgoing.on('error', reject);
  });
}

const query = '/api/queues?activeQueue=queue-0&status=waiting&page=1&jobsPerPage=10';

/** Prints a table for this number of queues. */
export async function benchListing(count: number, iterations: number): Promise<void> {
  const redis = await startRedis();
  const queues = await makeQueues(redis.port, count);
  await seed(queues);
  for (const queue of queues) {
    const client = await queue.getBackend().client;
    await queue.close();
    client.disconnect();
  }
  const server = fork(
    new URL('./server.ts', import.meta.url),
    [String(redis.port), String(count)],
    {
      execArgv: [],
      env: { ...process.env, NODE_ENV: 'production' },
    },
  );
  try {
    const [ports] = (await once(server, 'message')) as [Ports];
    const contenders = [
      { name: 'Sluice, nothing shared', port: ports.board, path: `/fresh${query}` },
      { name: 'Sluice, default', port: ports.board, path: `/shared${query}` },
      { name: 'bull-board', port: ports.board, path: `/peer${query}` },
      { name: 'plain reference', port: ports.reference, path: '/' },
    ];
    // In turns: many queues at once would keep one from its datastore beyond its time limit.
    const bodies: number[] = [];
    for (const { port, path } of contenders) bodies.push(await fetchText(port, path));
    const rows: string[][] = [];
    for (const concurrency of [1, 8]) {
      const measured = await measure(
        contenders.map(({ name, port, path }) => ({
          name,
          run: () => Promise.all(Array.from({ length: concurrency }, () => fetchText(port, path))),
        })),
        // The same number of requests at every concurrency.
        { iterations: iterations / concurrency, rounds: 20, warmup: 10, budget: 90_000 },
      );
      const [fresh, , peer, reference] = measured;
      for (const [index, { name, p50, p95 }] of measured.entries()) {
        const body = ((bodies[index] ?? 0) / 1024).toFixed(0);
        rows.push([name, String(concurrency), figure(p50), figure(p95), body]);
      }
      const times = (peer?.p50 ?? Number.NaN) / (fresh?.p50 ?? Number.NaN);
      const cost = (fresh?.p50 ?? Number.NaN) / (reference?.p50 ?? Number.NaN);
      console.log(
        `${count} queues, concurrency ${concurrency}: with nothing shared, bull-board takes ${figure(times)} times as long; Sluice takes ${figure(cost)} times the reference.`,
      );
    }
    console.log(
      `\n${table([`${count} queues`, 'concurrency', 'p50 ms', 'p95 ms', 'body KB'], rows)}\n`,
    );
  } finally {
    server.kill();
    agent.destroy();
    await redis.stop();
  }
}
