/** A datastore that goes down and comes back while screens are open: they say so, keep what was known with its age, and recover alone. */

import * as bullmq from 'bullmq';
import { Redis } from 'ioredis';
import { randomBytes } from 'node:crypto';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { bullmqQueue } from '../../src/board/kvq/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { findRedis } from '../services/index.ts';
import { outageProxy } from '../services/outage-proxy.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

/** A board whose datastore can be taken away; its queue `letters` has one waiting job. */
interface Fragile {
  readonly url: string;
  readonly job: string;
  down(): Promise<void>;
  up(): Promise<void>;
  add(): Promise<string>;
  close(): Promise<void>;
}

/** Pages ask often, so that the tests need not wait. */
const ui = { pollingInterval: { forceInterval: 1 } };

async function onBullmq(): Promise<Fragile> {
  const service = await findRedis();
  if ('missing' in service) throw new Error('There is no Redis.');
  const prefix = `outage${randomBytes(4).toString('hex')}`;
  const proxy = await outageProxy(service.url);
  const clients = [proxy.url, service.url].map(
    (url) => new Redis(url, { maxRetriesPerRequest: null }),
  );
  const [shown, own] = clients.map((client) => {
    client.on('error', () => undefined);
    const connection = client as unknown as bullmq.ConnectionOptions;
    const queue = new bullmq.Queue('letters', { connection, prefix });
    queue.on('error', () => undefined);
    return queue;
  });
  if (!shown || !own) throw new Error('There are two queues.');
  const add = async () => String((await own.add('letter', { to: 'ada' })).id);
  const job = await add();
  const board = await serveBoard([bullmqQueue(shown)], { ui });
  return {
    url: board.url,
    job,
    add,
    down: () => proxy.close(),
    up: () => proxy.open(),
    async close() {
      await board.close();
      await own.obliterate({ force: true });
      await Promise.all([shown.close(), own.close()]);
      for (const client of clients) client.disconnect();
      await proxy.close();
      await service.dispose();
    },
  };
}

async function onPgBoss(): Promise<Fragile> {
  const world = await makeWorld(newestLibrary, 'dashboard_outage');
  const proxy = await outageProxy(world.url);
  await world.boss.createQueue('letters', { retryLimit: 0 });
  const add = async () => (await world.boss.send('letters', { to: 'ada' })) ?? '';
  const job = await add();
  const board = await world.board({ connection: proxy.url }, { ui });
  return {
    url: board.origin,
    job,
    add,
    down: () => proxy.close(),
    up: () => proxy.open(),
    async close() {
      await world.close();
      await proxy.close();
    },
  };
}

function outageSuite(
  start: () => Promise<Fragile>,
  opened: (url: string) => Promise<OpenPage>,
): void {
  let board: Fragile;
  let shown: OpenPage;
  beforeAll(async () => {
    board = await start();
    shown = await opened(`${board.url}/queue/letters/${board.job}`);
  });
  afterAll(async () => {
    await shown?.close();
    await board?.close();
  });

  it('keeps the overview, a list and a job, and recovers without a reload', async () => {
    const job = shown.page;
    const [overview, list] = [await job.context().newPage(), await job.context().newPage()];
    await overview.goto(`${board.url}/`);
    await list.goto(`${board.url}/queue/letters`);
    const data = (page: Page) =>
      page.getByText(page === job ? '"ada"' : page === list ? board.job.slice(0, 8) : 'letters', {
        exact: page === overview,
      });
    const age = (page: Page) => page.getByRole('button', { name: /^stale \d/ });
    for (const page of [overview, list, job]) {
      await data(page).first().waitFor();
      // On a busy machine, the first poll may be late.
      await expect.poll(() => age(page).count()).toBe(0);
    }
    await list.evaluate('window.kept = true');
    await board.down();
    for (const page of [overview, list, job]) {
      await age(page).waitFor();
      expect(await data(page).first().isVisible()).toBe(true);
    }
    await overview
      .getByText(/cannot be (?:read|reached)/)
      .first()
      .waitFor();
    await list.getByText('it is what was last known').first().waitFor();
    await job.getByText('it is what was last known').first().waitFor();
    const added = await board.add();
    await board.up();
    for (const page of [overview, list, job]) {
      await age(page).waitFor({ state: 'detached' });
      await expect.poll(() => page.getByText('last known').count()).toBe(0);
    }
    await list.locator(`tr[data-id="${added}"]`).waitFor();
    expect(await list.evaluate('window.kept')).toBe(true);
  });
}

describeInBrowser('the dashboard during an outage', (browser) => {
  const opened = (url: string) => openPage(browser(), url);
  describe('of the Redis of BullMQ', () => {
    outageSuite(onBullmq, opened);
  });
  describe('of the PostgreSQL of pg-boss', () => {
    outageSuite(onPgBoss, opened);
  });
});
