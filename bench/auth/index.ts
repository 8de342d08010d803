/**
 * The cost of the middleware for a request with a known session or token. The client runs in another thread, so that
 * only the time of the server counts. The two servers take turns of a few milliseconds.
 */

import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { figure, table } from '../markdown.ts';
import { quantile, settledCpu } from '../measure.ts';
import { basePath, contenders, handler, listen } from './contenders.ts';
import type { Contender } from './contenders.ts';
import type { Load, Loaded } from './load.ts';

const connections = 8;

/** Requests per turn. */
const count = 400;

/** Microseconds of the server's thread per request. */
async function cost(client: Worker, port: number, { headers }: Contender): Promise<number> {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  const request = `GET ${basePath}/api/queues HTTP/1.1\r\nhost: board.test\r\n${lines.join('')}\r\n`;
  const before = await settledCpu();
  // The rule is for windows; this is a worker thread.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  client.postMessage({ port, request, count, connections } satisfies Load);
  const [{ first }] = (await once(client, 'message')) as [Loaded];
  const spent = (await settledCpu()) - before;
  if (!first.startsWith('HTTP/1.1 200 ')) throw new Error(`not served: ${first.slice(0, 200)}`);
  return spent / count;
}

/** Prints the table. The target is a ratio of at most 1.05 for a known session. */
export async function runAuth(rounds: number): Promise<void> {
  const client = new Worker(new URL('load.ts', import.meta.url));
  const plain = await listen(handler);
  const rows: string[][] = [];
  for (const contender of await contenders()) {
    const guarded = await listen((request, response) => {
      void contender.auth(request, response, () => handler(request, response));
    });
    const samples: [without: number, behind: number][] = [];
    for (let round = -20; round < rounds; round += 1) {
      // The order alternates, so that a disturbance affects both servers equally.
      const ports = round % 2 === 0 ? [plain, guarded] : [guarded, plain];
      const costs = new Map<number, number>();
      for (const port of ports) costs.set(port, await cost(client, port, contender));
      if (round >= 0) samples.push([costs.get(plain) ?? NaN, costs.get(guarded) ?? NaN]);
    }
    const median = (pick: (pair: [number, number]) => number) => quantile(samples.map(pick), 0.5);
    rows.push([
      contender.name,
      figure(median(([without]) => without)),
      figure(median(([, behind]) => behind)),
      median(([without, behind]) => behind / without).toFixed(3),
    ]);
  }
  await client.terminate();
  console.log(
    table(
      ['request with known credentials', 'µs without', 'µs with the middleware', 'ratio'],
      rows,
    ),
  );
}
