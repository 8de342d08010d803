/** Reads that may be large: the suite once per library on Redis, the sharing of equal reads, and an unusual host. */

import * as bullmq from 'bullmq';
import { randomBytes } from 'node:crypto';
import { Redis } from 'ioredis';
import { expect, it } from 'vitest';
import { HeavyReads } from '../../../src/board/core/index.ts';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import { findRedis } from '../../services/index.ts';
import { cells } from './cells.ts';
import { heavySuite } from './heavy-suite.ts';
import { serveBoard } from './http-board.ts';

for (const cell of cells) if (cell.datastore === 'kv') heavySuite(cell);

/** A promise that a test fulfils. */
function gate(): { readonly promise: Promise<void>; resolve(): void } {
  const made = { resolve: (): void => undefined };
  const promise = new Promise<void>((resolve) => (made.resolve = resolve));
  return { promise, resolve: () => made.resolve() };
}

it('equal reads run once while someone waits for them, and stop when all have gone', async () => {
  const reads = new HeavyReads();
  let ran = 0;
  let stopped = 0;
  const blocked = gate();
  const clients = Array.from({ length: 10 }, () => new AbortController());
  const waiting = clients.map(({ signal }) =>
    reads.shared(
      'log',
      async (heavy) => {
        ran += 1;
        await blocked.promise;
        await heavy.request(async () => 'page').catch(() => (stopped += 1));
        return 'lines';
      },
      signal,
    ),
  );
  for (const client of clients.slice(1)) client.abort();
  blocked.resolve();
  expect(await Promise.all(waiting)).toEqual(clients.map(() => 'lines'));
  expect([ran, stopped]).toEqual([1, 0]);
  const gone = new AbortController();
  const last = gate();
  const alone = reads.shared(
    'log',
    async (heavy) => {
      await last.promise;
      return heavy.request(async () => 'page');
    },
    gone.signal,
  );
  gone.abort();
  last.resolve();
  await expect(alone).rejects.toMatchObject({ key: 'READ_LIMIT', status: 503 });
});

it('reads beside a host that queues no command, never connects again, and has workers of its name', async (context) => {
  const service = await findRedis();
  if ('missing' in service) return context.skip();
  const client = new Redis(service.url, {
    maxRetriesPerRequest: null,
    enableOfflineQueue: false,
    retryStrategy: () => null,
    lazyConnect: true,
    connectionName: `${randomBytes(4).toString('hex')}:host`,
  });
  await client.connect();
  const prefix = `heavy${randomBytes(4).toString('hex')}`;
  const connection = client as unknown as bullmq.ConnectionOptions;
  const queue = new bullmq.Queue('odd', { connection, prefix });
  const board = await serveBoard([bullmqQueue(queue)]);
  const job = await queue.add('one', {});
  await job.log('line');
  for (const [path, body] of [
    ['logs', ['line']],
    ['logs?start=0', { lines: ['line'], total: 1, truncated: false, start: 0 }],
  ] as const) {
    const answer = await board.get(`/api/queues/odd/${job.id}/${path}`);
    expect([answer.status, answer.body]).toEqual([200, body]);
  }
  const named = String(await client.client('LIST')).split(String(client.options.connectionName));
  expect(named).toHaveLength(2);
  await queue.obliterate({ force: true });
  await board.close();
  await queue.close();
  client.disconnect();
  await service.dispose();
});
