/** The overview tells what is beyond the thresholds of the host, and which errors jobs have failed with. */

import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { bullmqQueue } from '../../src/board/index.ts';
import { MetricsRecorder, metricsHistoryProvider } from '../../src/metrics/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { redisWorld } from '../metrics/worlds.ts';
import type { StoreWorld } from '../metrics/worlds.ts';
import { findRedis } from '../services/index.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

describeInBrowser('attention on the dashboard', (browser) => {
  let history: StoreWorld;
  let connection: Redis;
  let mail: Queue;
  let parcels: Queue;
  let worker: Worker;
  let board: ServedBoard;
  const served = (options = {}) =>
    serveBoard([bullmqQueue(mail), bullmqQueue(parcels)], {
      historyProvider: metricsHistoryProvider(history.store),
      attention: { backlogWithoutWorkers: 2 },
      ...options,
    });
  beforeAll(async () => {
    const [store, redis] = [await redisWorld(), await findRedis()];
    if (!store || 'missing' in redis) throw new Error('There is no Redis.');
    history = store;
    connection = new Redis(redis.url, { maxRetriesPerRequest: null });
    const at = { connection, prefix: `attention-${randomBytes(4).toString('hex')}` };
    [mail, parcels] = [new Queue('mail', at), new Queue('parcels', at)];
    worker = new Worker(
      'mail',
      async ({ data }): Promise<void> => {
        throw new Error(`No such mailbox: customer-${data.order}@example.com`);
      },
      at,
    );
    const recorder = new MetricsRecorder({
      store: history.store,
      sources: [],
      attempts: { perQueue: 100 },
    }).watch(worker);
    for (let order = 0; order < 4; order += 1) {
      await mail.add('welcome', { order });
      await parcels.add('pack', { order });
    }
    const kept = async () => {
      await recorder.tick();
      return (await history.store.attempts(['mail'])).length === 4;
    };
    await vi.waitUntil(kept, { timeout: 60_000, interval: 50 });
    board = await served();
  });
  afterAll(async () => {
    await board?.close();
    await worker?.close();
    for (const queue of [mail, parcels]) {
      await queue?.obliterate({ force: true });
      await queue?.close();
    }
    connection?.disconnect();
    await history?.close();
  });

  it('tells what is beyond the thresholds of the host, since when, and the way to it', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
    const strip = page.getByRole('region', { name: 'Needs attention (1)' });
    await strip.getByText('4 jobs wait, no worker').waitFor();
    await strip.getByText(/\(for \d/).waitFor();
    await strip.getByRole('link', { name: /parcels/ }).click();
    await page.getByRole('heading', { level: 1, name: 'parcels' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('groups failed attempts by their error, with the way to the jobs', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
    await page.getByRole('button', { name: 'Errors' }).click();
    const row = page.getByRole('row').filter({ hasText: 'No such mailbox' });
    await row.getByRole('cell', { name: '4', exact: true }).waitFor();
    await row.getByRole('img', { name: /per hour/ }).waitFor();
    await expectAccessible(page);
    // A link to it shows the same.
    await page.reload();
    await row.waitFor();
    await page.getByRole('searchbox', { name: 'Filter errors' }).fill('absent');
    await page.getByText('No error matches.').waitFor();
    await page.getByRole('searchbox', { name: 'Filter errors' }).fill('mailbox');
    await row.getByRole('rowheader').getByRole('link').click();
    await expect.poll(() => new URL(page.url()).pathname).toBe('/board/queue/mail');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(4);
    await page.getByRole('button', { name: 'Errors' }).click();
    await row.getByRole('cell', { name: '4', exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('says why there is nothing, and when the errors cannot be read', async () => {
    const { page, close } = await openPage(browser(), `${board.url}/queue/parcels?tab=errors`);
    await page.getByText('No failed attempt was recorded').waitFor();
    await page.route('**/api/metrics/errors*', (route) =>
      route.fulfill({ status: 503, json: { error: { key: 'ERRORS.KV_UNAVAILABLE' } } }),
    );
    await page.goto(`${board.url}/?show=errors`);
    await page.getByText('The datastore cannot be reached').waitFor();
    await page.unroute('**/api/metrics/errors*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByText('No such mailbox').waitFor();
    await close();
  });

  it('judges by itself for those who may not read the history', async () => {
    const limited = await served({ permissions: () => ['board.read', 'queue.read', 'job.read'] });
    const { page, complaints, close } = await openPage(browser(), `${limited.url}/`);
    await page
      .getByRole('region', { name: /^Needs attention/ })
      .getByText('4 jobs wait, no worker')
      .waitFor();
    // Refused once, and not asked again when the overview is shown again.
    const asked: string[] = [];
    page.on('request', (request) => asked.push(new URL(request.url()).pathname));
    await page.getByRole('link', { name: 'Workers' }).click();
    await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor();
    await page.goBack();
    await page.getByRole('region', { name: /^Needs attention/ }).waitFor();
    await page.evaluate(
      'new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))',
    );
    expect(asked).not.toContain('/board/api/attention');
    expect(complaints.filter((text) => !text.includes('/api/attention'))).toEqual([]);
    await close();
    await limited.close();
  });
});
