/** Trouble by jobs and time, on the overview and in the palette; and charts that can be read beside each other. */

import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bullmqQueue } from '../../src/board/index.ts';
import { metricsHistoryProvider } from '../../src/metrics/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { redisWorld } from '../metrics/worlds.ts';
import type { StoreWorld } from '../metrics/worlds.ts';
import { findRedis } from '../services/index.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';
import { makePast } from './screens/past.ts';

/** Jobs that fail and that complete, by queue: few of a few, and many of many. */
const worked = { 'a-few': [5, 0], 'z-many': [40, 160] } as const;
/** Jobs that wait for nobody, by queue. */
const waiting = { b: 1, c: 2, d: 3, e: 4, f: 6, g: 7 } as const;

describeInBrowser('trouble and charts', (browser) => {
  let history: StoreWorld;
  let connection: Redis;
  let workers: Worker[] = [];
  let queues: Queue[] = [];
  let board: ServedBoard;
  let open: OpenPage;
  beforeAll(async () => {
    const [store, redis] = [await redisWorld(), await findRedis()];
    if (!store || 'missing' in redis) throw new Error('There is no Redis.');
    history = store;
    connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const at = { connection, prefix: `trouble-${randomBytes(4).toString('hex')}` };
    const named = (name: string, jobs: readonly string[]) => {
      const queue = new Queue(name, at);
      queues.push(queue);
      return queue.addBulk(jobs.map((each) => ({ name: each, data: {} })));
    };
    for (const [name, [failing, fine]] of Object.entries(worked)) {
      const jobs = [...Array<string>(failing).fill('bad'), ...Array<string>(fine).fill('good')];
      await named(name, jobs);
      workers.push(
        new Worker(
          name,
          async (job): Promise<void> => {
            if (job.name === 'bad') throw new Error('It went wrong.');
          },
          { ...at, concurrency: 20, metrics: { maxDataPoints: 1_440 } },
        ),
      );
    }
    for (const [name, count] of Object.entries(waiting)) {
      await named(name, Array<string>(count).fill('later'));
    }
    const done = async () =>
      (await Promise.all(queues.slice(0, 2).map((queue) => queue.getWaitingCount()))).join() ===
        '0,0' &&
      (await Promise.all(queues.slice(0, 2).map((queue) => queue.getActiveCount()))).join() ===
        '0,0';
    await vi.waitUntil(done, { timeout: 60_000 });
    // The minute in which they finished is over: the running one is not shown.
    for (const kind of ['completed', 'failed']) {
      const key = `${at.prefix}:z-many:metrics:${kind}`;
      await connection.hset(key, 'prevTS', Date.now() - 180_000);
    }
    await makePast(history, 'z-many');
    board = await serveBoard(
      queues.map((queue) => bullmqQueue(queue)),
      { historyProvider: metricsHistoryProvider(history.store) },
    );
    open = await openPage(browser(), `${board.url}/`);
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    for (const worker of workers) await worker.close();
    for (const queue of queues) {
      await queue.obliterate({ force: true });
      await queue.close();
    }
    connection?.disconnect();
    await history?.close();
  });

  it('puts many jobs before a large share of few, and leads to the rest', async () => {
    const { page, complaints } = open;
    await page.locator('tbody tr').nth(7).waitFor();
    const strip = page.getByRole('region', { name: 'Needs attention (8)' });
    const names = () => strip.getByRole('link').locator('strong').allInnerTexts();
    await expect.poll(names).toEqual(['z-many', 'g', 'f', 'a-few', 'e', 'd']);
    expect((await page.locator('tbody th a').allInnerTexts()).slice(0, 4)).toEqual(
      (await names()).slice(0, 4),
    );
    await strip.getByRole('button', { name: 'and 2 more' }).click();
    await expect.poll(names).toEqual(['z-many', 'g', 'f', 'a-few', 'e', 'd', 'c', 'b']);
    expect(complaints).toEqual([]);
  });

  it('offers queues in trouble first in the palette', async () => {
    const { page } = open;
    await page.keyboard.press('/');
    const first = page.getByRole('dialog').getByRole('option').first();
    await first.getByText('z-many').waitFor();
    await page.keyboard.press('Escape');
  });

  it('has one axis and one cursor for the charts of a range', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/metrics-history?queue=z-many&range=6h`);
    await page.getByRole('region', { name: 'Finished per minute', exact: true }).waitFor();
    await expect.poll(() => page.locator('.uplot').count()).toBeGreaterThanOrEqual(3);
    const over = page.locator('.u-over').first();
    const places = async () => {
      // Panels above may still grow.
      for (const x of [200, 220]) await over.hover({ position: { x, y: 60 } });
      return page.locator('.u-cursor-x').evaluateAll((lines) =>
        lines.map((line) => {
          const around = line.parentElement?.getBoundingClientRect();
          return Math.round(line.getBoundingClientRect().left - (around?.left ?? 0));
        }),
      );
    };
    await expect.poll(async () => Math.max(...(await places()))).toBeGreaterThan(0);
    const [least, most] = [Math.min(...(await places())), Math.max(...(await places()))];
    expect(most - least).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  it('tells the lines of a comparison apart, and has no figure where nothing was recorded', async () => {
    const { page } = open;
    await page.goto(`${board.url}/metrics-history?queue=z-many&range=24h&compare=yes`);
    const finished = page.getByRole('region', { name: 'Finished per hour', exact: true });
    await finished.getByText('failed before').waitFor();
    const looks = await finished
      .locator('li line')
      .evaluateAll((lines) =>
        lines.map(
          (line) => `${line.getAttribute('stroke')} ${line.getAttribute('stroke-dasharray')}`,
        ),
      );
    expect(new Set(looks).size).toBe(4);
    // The past that is recorded is of two days.
    await page.goto(`${board.url}/metrics-history?queue=z-many&range=7d`);
    await finished.getByText('Show as a table').click();
    const values = finished.locator('tbody tr');
    await expect.poll(() => values.count()).toBeGreaterThan(40);
    expect(await values.count()).toBeLessThanOrEqual(50);
  });
});
