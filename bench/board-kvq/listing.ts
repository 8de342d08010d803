/** `GET /api/queues` with many queues, compared in turns with bull-board and two references. */

import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get } from 'node:http';
import { figure, table } from '../markdown.ts';
import { measure } from '../measure.ts';
import { listingQuery } from './query.ts';
import { makeQueues, seed } from './queues.ts';
import { startRedis } from './redis.ts';
import type { Ports } from './server.ts';

/** An answer: its headers, without those that differ from one request to the next, and its body. */
interface Answer {
  readonly headers: string;
  readonly body: string;
}

const agent = new Agent({ keepAlive: true });

function fetchText(port: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const outgoing = get({ agent, port, host: '127.0.0.1', path: listingQuery }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode !== 200) {
          reject(new Error(`The answer has the status ${response.statusCode}.`));
          return;
        }
        const { date: _date, ...headers } = response.headers;
        const body = Buffer.concat(chunks).toString();
        resolve({ headers: JSON.stringify(Object.entries(headers).toSorted()), body });
      });
    });
    outgoing.on('error', reject);
  });
}

/** Prints a table for this number of queues; `withPeer` includes bull-board, which takes seconds for many queues. */
export async function benchListing(
  count: number,
  iterations: number,
  withPeer: boolean,
): Promise<void> {
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
      { name: 'Sluice, nothing shared', port: ports.fresh },
      { name: 'Sluice, default', port: ports.shared },
      { name: 'plain reference, the same answer', port: ports.equal },
      { name: 'minimal reference', port: ports.minimal },
      ...(withPeer ? [{ name: 'bull-board', port: ports.peer }] : []),
    ];
    // In turns: many queues at once would keep one from its datastore beyond its time limit.
    const answers: Answer[] = [];
    for (const { port } of contenders) answers.push(await fetchText(port));
    const [own, , equal] = answers;
    if (own?.body !== equal?.body || own?.headers !== equal?.headers) {
      throw new Error('The board and the plain reference must send the same answer.');
    }
    const rows: string[][] = [];
    for (const concurrency of [1, 8]) {
      const measured = await measure(
        contenders.map(({ name, port }) => ({
          name,
          run: () => Promise.all(Array.from({ length: concurrency }, () => fetchText(port))),
        })),
        // The same number of requests at every concurrency.
        { iterations: iterations / concurrency, rounds: 20, warmup: 300, budget: 90_000 },
      );
      const [fresh, , reference, minimal, peer] = measured.map(({ p50 }) => p50);
      for (const [index, { name, p50, p95 }] of measured.entries()) {
        const body = ((answers[index]?.body.length ?? 0) / 1024).toFixed(1);
        rows.push([name, String(concurrency), figure(p50), figure(p95), body]);
      }
      const times = (of: number | undefined, other: number | undefined): string =>
        figure((of ?? Number.NaN) / (other ?? Number.NaN));
      console.log(
        `${count} queues, concurrency ${concurrency}: with nothing shared, Sluice takes ${times(fresh, reference)} times the plain reference, ${times(fresh, minimal)} times the minimal one${peer === undefined ? '' : `; bull-board takes ${times(peer, fresh)} times as long`}.`,
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
