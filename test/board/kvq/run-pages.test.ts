/** The pages of a run by filter on Redis: bounded by the bytes that are compared, and without what is not. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { bullmqQueue } from '../../../src/board/kvq/index.ts';
import type { BulkSelection } from '../../../src/board/kvq/model/driver.ts';
import { findRedis } from '../../services/index.ts';
import type { Service } from '../../services/index.ts';

const [jobs, size] = [30, 200_000];

let service: Service | undefined;
let client: Redis;
let queue: bullmq.Queue;

beforeAll(async () => {
  const found = await findRedis();
  if ('missing' in found) return;
  service = found;
  client = new Redis(found.url, { maxRetriesPerRequest: null });
  queue = new bullmq.Queue('pages', {
    connection: client as unknown as bullmq.ConnectionOptions,
    prefix: `pages${process.pid}`,
  });
  await queue.waitUntilReady();
  const large = 'x'.repeat(size);
  for (let id = 1; id <= jobs; id += 1) {
    await client.hset(queue.toKey(String(id)), {
      name: 'job',
      data: JSON.stringify({ large }),
      opts: '{}',
      timestamp: '1700000000000',
      failedReason: large,
    });
    await client.zadd(queue.toKey('failed'), 1_700_000_000_000 + id, String(id));
  }
});

afterAll(async () => {
  if (!service) return;
  await queue.obliterate({ force: true });
  await queue.close();
  client.disconnect();
  await service.dispose();
});

/** The jobs per step of a run that only counts, and the bytes that it compares. */
async function pagesOf(criteria: BulkSelection['criteria']) {
  const compared: number[] = [];
  const step = bullmqQueue(queue).driver.selectionStep({
    act: 'retry',
    status: 'failed',
    until: Date.now(),
    reach: [],
    dryRun: true,
    reasons: {},
    criteria,
    accepts: ({ data, error }) => compared.push(data.length + error.length) > 0,
    acceptsReason: () => true,
  });
  const pages: number[] = [];
  for (let more = true; more;) {
    const counts = await step();
    pages.push(counts.examined);
    ({ more } = counts);
  }
  return { pages, compared };
}

it.each([
  ['reasons', { error: 'x' }],
  ['data', { path: ['large'] }],
] as const)('have at most a megabyte of %s', async (_name, criteria) => {
  if (!service) return;
  const { pages, compared } = await pagesOf(criteria);
  expect(compared).toHaveLength(jobs);
  expect(Math.max(...pages) * size).toBeLessThanOrEqual(1_000_000);
});

it('have neither where only names are compared', async () => {
  if (!service) return;
  const { pages, compared } = await pagesOf({ name: 'job' });
  expect(pages).toEqual([jobs]);
  expect(compared).toEqual(Array.from({ length: jobs }, () => 0));
});

it('have at most 300 jobs, of which those that match leave a list from either end', async (context) => {
  if (!service) context.skip();
  const waiting = new bullmq.Queue('waiting', {
    connection: client as unknown as bullmq.ConnectionOptions,
    prefix: `pages${process.pid}`,
  });
  try {
    // Jobs enter the list at its head, and a run begins at its tail.
    const names = Array.from({ length: 700 }, (_, index) =>
      index === 5 || index > 690 ? 'match' : 'other',
    );
    await waiting.addBulk(names.map((name, index) => ({ name, data: { index } })));
    const step = bullmqQueue(waiting).driver.selectionStep({
      act: 'remove',
      status: 'waiting',
      until: Date.now() + 60_000,
      reach: [waiting.qualifiedName],
      dryRun: false,
      reasons: {},
      criteria: { name: 'match' },
      accepts: ({ name }) => name === 'match',
      acceptsReason: () => true,
    });
    const [examined, changed]: [number[], number[]] = [[], []];
    for (let more = true; more;) {
      const counts = await step();
      examined.push(counts.examined);
      changed.push(counts.changed);
      ({ more } = counts);
    }
    expect([examined, changed]).toEqual([
      [300, 300, 100],
      [1, 0, 9],
    ]);
    const left = await waiting.getWaiting(0, -1);
    expect(left.map(({ name }) => name)).toEqual(Array(690).fill('other'));
    expect(await client.llen(waiting.toKey('wait'))).toBe(690);
  } finally {
    await waiting.obliterate({ force: true });
    await waiting.close();
  }
});
