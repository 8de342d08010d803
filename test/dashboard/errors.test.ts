/** The errors of stored failures in a browser, on a phone and a wide screen: rows, commands, and what is muted. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { until } from '../board/kvq/suite.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

describeInBrowser('errors', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let queues: TestQueue[];
    let board: ServedBoard;
    beforeAll(async () => {
      const opened = await cells[0]?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no cell.');
      world = opened;
      queues = await Promise.all(['mail', 'orders'].map((name) => world.queue(name)));
      for (const queue of queues) {
        for (let at = 0; at < 24; at += 1) {
          await queue.add('send', { at, release: at < 23 ? 'v1' : 'v2' });
        }
        const stop = await queue.work(async ({ data }) => {
          const { at } = data as { at: number };
          if (at === 23) throw new Error('A new error');
          throw new Error(at % 2 === 0 ? `Order ${at} failed` : 'The gateway does not answer');
        });
        await until(async () => (await queue.counts())['failed'] === 24);
        await stop();
      }
      board = await serveBoard(queues.map((queue) => queue.boardQueue()));
    });
    afterAll(async () => {
      await board?.close();
      await world?.close();
    });

    it.each([390, 1_440])('are rows with their jobs and commands (%i)', async (width) => {
      const { page, complaints, close } = await openPage(browser(), `${board.url}/`, {
        viewport: { width, height: 900 },
      });
      await page.getByRole('navigation').getByRole('link', { name: 'Errors' }).click();
      await page.getByText('48 failed jobs read.').waitFor();
      const rows = page.locator('tbody tr');
      expect(await rows.count()).toBe(3);
      const order = rows.filter({ hasText: 'Order <n> failed' });
      expect(await order.innerText()).toContain('24');
      await expectAccessible(page);
      const wide = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(wide).toBeLessThanOrEqual(width);
      // Errors since the last release.
      await page.getByLabel('Show').selectOption({ label: 'New in v2 1' });
      await page.getByText('A new error').waitFor();
      expect(await rows.count()).toBe(1);
      await page.getByLabel('Show').selectOption({ label: 'All 3' });
      // Muted until it comes again.
      await order.getByRole('button', { name: /^Actions of / }).click();
      await page.getByRole('menuitem', { name: 'Mute until it comes again' }).click();
      await until(async () => (await rows.count()) === 2);
      await page.reload();
      await page.getByText('48 failed jobs read.').waitFor();
      expect(await rows.count()).toBe(2);
      await page.getByLabel('Show').selectOption({ label: 'Muted 1' });
      await order.getByRole('button', { name: /^Actions of / }).click();
      await page.getByRole('menuitem', { name: 'Show again' }).click();
      await page.getByLabel('Show').selectOption({ label: 'All 3' });
      // A command asks, counts, and takes the jobs of the error alone.
      await order.getByRole('button', { name: /^Actions of / }).click();
      await page.getByRole('menuitem', { name: 'Retry in mail (12)' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('12 jobs').first().waitFor();
      await expectAccessible(page);
      await page.keyboard.press('Escape');
      // The queue leads to its list with these jobs.
      await order.getByRole('link', { name: 'orders' }).click();
      await until(async () => (await page.locator('tbody tr[data-id]').count()) === 12);
      expect(complaints).toEqual([]);
      await close();
    });

    it('are retried and removed by a run', async () => {
      const { page, close } = await openPage(browser(), `${board.url}/errors`);
      const gateway = page.locator('tbody tr').filter({ hasText: 'The gateway does not answer' });
      await gateway.getByRole('button', { name: /^Actions of / }).click();
      await page.getByRole('menuitem', { name: 'Remove from mail (11)' }).click();
      await page.getByRole('dialog').getByText('11 jobs').first().waitFor();
      await page
        .getByRole('dialog')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await until(async () => (await queues[0]?.counts())?.['failed'] === 13);
      expect((await queues[1]?.counts())?.['failed']).toBe(24);
      await close();
    });
  });

  it('of pg-boss are rows', async () => {
    const world: World = await makeWorld(newestLibrary, 'pgq_errors_page');
    await world.boss.createQueue('mail', { retryLimit: 0 });
    for (let at = 0; at < 3; at += 1) await world.boss.send('mail', { at });
    for (const { id } of await world.boss.fetch('mail', { batchSize: 3 })) {
      await world.boss.fail('mail', id, new Error(`Job ${id} failed`));
    }
    const board = await world.board();
    const { page, complaints, close } = await openPage(browser(), `${board.origin}/errors`);
    await page.getByText('3 failed jobs read.').waitFor();
    await page.getByRole('link', { name: 'Job <id> failed' }).waitFor();
    expect(complaints).toEqual([]);
    await close();
    await world.close();
  });
});
