/** Names and data full of markup and marks of direction, on every screen; and a queue that vanishes while it is shown. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;
/** Ends a script and an attribute, makes an image, and turns the direction of all that follows. */
const evil = `"'><img src=x onerror=alert(1)></script>\u202Eevil\u2067`;

/**
 * Texts whose mark of direction would also turn other text: those that share a line box with other text, and that no
 * element isolates.
 */
const unisolated = `(() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const text = walker.currentNode;
    if (!text.data.includes('\\u202E')) continue;
    let element = text.parentElement;
    if (['SCRIPT', 'TITLE', 'TEXTAREA', 'OPTION'].includes(element.tagName)) continue;
    for (;;) {
      const { display, unicodeBidi } = getComputedStyle(element);
      if (unicodeBidi !== 'normal' && unicodeBidi !== 'embed') break;
      if (display !== 'inline' && display !== 'contents') {
        // A block is a paragraph of its own: only text of the same block can be turned.
        if (element.textContent.trim() !== text.data.trim()) found.push(element.outerHTML.slice(0, 400));
        break;
      }
      element = element.parentElement;
    }
  }
  return found;
})()`;

describeInBrowser('the dashboard with hostile texts', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let mail: TestQueue;
    let board: ServedBoard;
    let open: OpenPage;
    let failed = '';
    beforeAll(async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no Redis.');
      world = opened;
      mail = await world.queue('mail');
      failed = await mail.add(evil, { [evil]: evil });
      await mail.schedule(evil, { pattern: '0 3 * * *' }, { [evil]: evil });
      const stop = await mail.work(async (job) => {
        await job.log(evil);
        throw new Error(evil);
      });
      const done = async () => expect((await mail.counts())['failed']).toBe(1);
      await vi.waitFor(done, { timeout: 60_000, interval: 50 });
      await stop();
      board = await serveBoard([
        mail.boardQueue({ displayName: `shop:${evil}`, delimiter: ':', description: evil }),
        (await world.queue('other')).boardQueue({ displayName: 'shop:other', delimiter: ':' }),
      ]);
      open = await openPage(browser(), `${board.url}/`);
      open.page.on('dialog', (dialog) => {
        open.complaints.push(`dialog: ${dialog.message()}`);
        void dialog.dismiss();
      });
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it.each([
      ['overview', () => '/'],
      ['queue', () => '/queue/mail'],
      ['failed jobs', () => '/queue/mail?state=failed'],
      ['job', () => `/queue/mail/${failed}`],
      ['logs', () => `/queue/mail/${failed}?tab=logs`],
      ['schedules', () => '/job-schedulers'],
    ])('shows them on %s as text that turns nothing else', async (_, path) => {
      const { page, complaints } = open;
      await page.goto(`${board.url}${path()}`);
      await page.getByText('onerror=alert(1)').first().waitFor();
      await expect.poll(() => page.evaluate(unisolated)).toEqual([]);
      expect(await page.locator('img').count()).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('finds them, and tells of them in notices and dialogs', async () => {
      const { page, complaints } = open;
      await page.goto(`${board.url}/`);
      // Keys are heard once the screen is there.
      await page.locator('tbody tr').first().waitFor();
      await page.keyboard.press('/');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('combobox').fill('onerror');
      await dialog.getByRole('option').first().getByText('onerror').waitFor();
      expect(await page.evaluate(unisolated)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.goto(`${board.url}/queue/mail`);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByRole('button', { name: 'Undo' }).waitFor();
      expect(await page.evaluate(unisolated)).toEqual([]);
      expect(await page.locator('img').count()).toBe(0);
      expect(complaints).toEqual([]);
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    let open: OpenPage;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_vanish');
      await world.boss.createQueue('letters');
      await world.boss.createQueue('others');
      await world.boss.send('letters', { to: 'ada' });
      board = await world.board({}, { ui: { pollingInterval: { forceInterval: 1 } } });
      open = await openPage(browser(), `${board.origin}/queue/letters`);
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it('keeps a queue that vanishes as it was, without its commands, and a form with its text', async () => {
      const { page } = open;
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('button', { name: 'Add job' }).click();
      const form = page.getByRole('dialog', { name: /^Add a job/ });
      await form.getByRole('button', { name: 'JSON' }).click();
      await form.getByLabel('Data (JSON)').fill('{"to": "bob"}');
      // Within a second after it was found, a queue that has gone is one without jobs.
      await page.context().setOffline(true);
      await world.boss.deleteQueue('letters');
      await expect
        .poll(async () => (await board.get('/api/pgq/queues/letters/jobs')).status)
        .toBe(404);
      await page.context().setOffline(false);
      await page.getByText('The queue is no longer there').waitFor();
      expect(await form.getByLabel('Data (JSON)').inputValue()).toBe('{"to": "bob"}');
      await form.getByRole('button', { name: 'Add job' }).click();
      await form.getByRole('alert').waitFor();
      await form.getByRole('button', { name: 'Cancel' }).click();
      await expect.poll(() => page.getByRole('button', { name: 'Add job' }).count()).toBe(0);
      expect(await page.locator('tbody tr').count()).toBe(1);
      await page.reload();
      await page.getByText('There is no such queue.').waitFor();
      await page.getByRole('link', { name: 'Back to the overview' }).click();
      await page.locator('main').getByRole('link', { name: 'others', exact: true }).waitFor();
      expect(await page.getByRole('link', { name: 'letters', exact: true }).count()).toBe(0);
    });
  });
});
