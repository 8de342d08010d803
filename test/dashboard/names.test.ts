/** Names of queues are in sight at every width and zoom: on the overview, of both engines together, and at the side. */

import express from 'express';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ExpressAdapter, createBoard } from '../../src/http/board/index.ts';
import type { Boards } from '../../src/http/board/index.ts';
import type { CellWorld } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { World } from '../board/pgq/world.ts';
import { listen } from '../http/serve.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** Names of each length that a queue usually has. */
const redis = ['mail', 'shop-parcels', 'customer-notifications-by-email'];
const postgres = ['letters', 'invoice-reminders-second', 'mail'];

const every = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, at) => from + at * step);

/** Windows at a zoom: a window of 1,600 pixels at 200 % has 800 of the page. None is narrower than 320 of those. */
const zooms = [
  { zoom: 1, widths: every(320, 1_600, 20) },
  { zoom: 2, widths: every(640, 1_600, 20) },
  { zoom: 4, widths: every(1_280, 1_600, 20) },
];

/** From here on the queues are also at the side. */
const withSide = 1_200;

describeInBrowser('names of queues', (browser) => {
  let world: CellWorld;
  let boss: World;
  let boards: Boards;
  let served: Awaited<ReturnType<typeof listen>>;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    const queues = await Promise.all(redis.map((name) => world.queue(name)));
    for (const queue of queues) await queue.add('job', {});
    // What stands beside a name must not take its place.
    for (const queue of queues) await queue.pause();
    boss = await makeWorld(newestLibrary, 'dashboard_names');
    for (const name of postgres) {
      await boss.boss.createQueue(name);
      await boss.boss.send(name, {});
    }
    const serverAdapter = new ExpressAdapter();
    boards = createBoard({
      serverAdapter,
      auth: false,
      engines: {
        kvq: {
          queues: queues.map((queue) => queue.boardQueue({ readOnlyMode: queue.name === 'mail' })),
        },
        pgq: { pgq: { connection: boss.url, library: newestLibrary.module } },
      },
    });
    served = await listen(express().use('/admin', serverAdapter.getRouter()));
  });
  afterAll(async () => {
    await boards?.close();
    await served?.close();
    await boss?.close();
    await world?.close();
  });

  /**
   * Names of which nothing, or less than 16 of their characters, can be read, with what can: scrolled to, inside the
   * window, and not below something else.
   */
  const hidden = (page: Page, selector: string) =>
    page.locator(selector).evaluateAll((names) =>
      names.flatMap((name) => {
        name.scrollIntoView({ block: 'center' });
        const { ownerDocument: page, textContent } = name;
        const text = textContent ?? '';
        const range = page.createRange();
        range.selectNodeContents(name);
        // Without what an ellipsis cuts.
        const all = range.getBoundingClientRect().width;
        const box = name.getBoundingClientRect();
        const [left, right] = [
          Math.max(0, box.left),
          Math.min(page.documentElement.clientWidth, box.right),
        ];
        const shown = (right - left) / Math.max(all, 1);
        const at = page.elementFromPoint((left + right) / 2, (box.top + box.bottom) / 2);
        const isFree = at !== null && (name.contains(at) || at.contains(name));
        const isRead = shown >= Math.min(1, 16 / text.length) - 0.02;
        return isFree && isRead ? [] : [`${text}: ${Math.round(shown * 100)} %`];
      }),
    );

  it.each(zooms)('are in sight at each width (zoom $zoom)', async ({ zoom, widths }) => {
    const sizeAt = (width: number) => ({
      width: Math.round(width / zoom),
      height: Math.round(800 / zoom),
    });
    const { page, complaints, close } = await openPage(
      browser(),
      `http://127.0.0.1:${served.port}/admin`,
      { viewport: sizeAt(1_600), deviceScaleFactor: zoom },
    );
    const names = page.locator('tbody [data-row-link]');
    await names.nth(redis.length + postgres.length - 1).waitFor();
    const found: [number, string, readonly string[]][] = [];
    for (const width of widths) {
      const size = sizeAt(width);
      await page.setViewportSize(size);
      const table = await hidden(page, 'tbody [data-row-link]');
      if (table.length > 0) found.push([size.width, 'overview', table]);
      const across = await page.evaluate<number>('document.documentElement.scrollWidth');
      if (across > size.width) found.push([size.width, 'wider', [String(across)]]);
      if (size.width < withSide) continue;
      const side = page.getByRole('navigation', { name: 'Queues' }).getByRole('link');
      await expect.poll(() => side.count()).toBe(redis.length + postgres.length);
      const cut = await hidden(page, 'nav[aria-label=Queues] a bdi');
      if (cut.length > 0) found.push([size.width, 'side', cut]);
    }
    expect(found).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('that both engines have tell theirs, at the side as well', async () => {
    const { page, close } = await openPage(browser(), `http://127.0.0.1:${served.port}/admin`, {
      viewport: { width: 1_440, height: 800 },
    });
    const side = page.getByRole('navigation', { name: 'Queues' }).locator('a bdi');
    const named = async () =>
      (await side.allInnerTexts()).filter((text) => text.startsWith('mail'));
    await expect.poll(named).toEqual(['mail BullMQ', 'mail pg-boss']);
    await close();
  });
});
