/** A name of 400 characters and data of 2 MB: nothing leaves the window, and the document stays small. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

const longName = `letters-${'abcdefghij'.repeat(40)}`.slice(0, 400);

/** About 2 MB: one long text, and many small objects. */
const data = {
  first: 1,
  blob: 'x'.repeat(1_000_000),
  rows: Array.from({ length: 20_000 }, (_, index) => ({ index, name: `row ${index}`, tags: [] })),
};

/** Elements that a browser lays out without being felt. */
const fewElements = 6_000;

const widerThanWindow = (page: Page): Promise<boolean> =>
  page.evaluate('document.documentElement.scrollWidth > document.documentElement.clientWidth');

const elements = (page: Page): Promise<number> =>
  page.evaluate('document.querySelectorAll("*").length');

describeInBrowser('what is large', (browser) => {
  let world: CellWorld;
  let queue: TestQueue;
  let id: string;
  let board: ServedBoard;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    queue = await world.queue(longName);
    id = await queue.add('write', data, { delay: 86_400_000 });
    board = await serveBoard([queue.boardQueue()]);
  });
  afterAll(async () => {
    await board?.close();
    await world?.close();
  });

  it.each([1_280, 390])('a long name stays in a window of %i pixels', async (width) => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`, {
      viewport: { width, height: 844 },
    });
    const wider: string[] = [];
    const fits = async (where: string) => {
      if (await widerThanWindow(page)) wider.push(where);
    };
    await page.getByRole('link', { name: longName }).first().waitFor();
    await fits('overview');
    await page.goto(`${board.url}/queue/${longName}`);
    await page.getByRole('heading', { level: 1, name: longName }).waitFor();
    await page.locator('tbody tr').first().waitFor();
    await fits('queue');
    await page.getByRole('button', { name: 'Pause', exact: true }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'detached' });
    await fits('notice');
    await page.locator('tbody tr').getByRole('link').first().click();
    await page.getByLabel('Data', { exact: true }).getByText('"first": 1').waitFor();
    await fits('job');
    await page.keyboard.press('d');
    await page.getByRole('dialog').waitFor();
    await fits('dialog');
    await page.keyboard.press('Escape');
    await page.goto(`${board.url}/workers`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await fits('workers');
    expect(wider).toEqual([]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('data of 2 MB are shown, searched and edited with few elements', async () => {
    const { page, complaints, close } = await openPage(
      browser(),
      `${board.url}/queue/${longName}/${id}`,
    );
    const text = page.getByLabel('Data', { exact: true });
    await text.getByText('"first": 1').waitFor();
    expect(await elements(page)).toBeLessThan(fewElements);
    await page.getByRole('button', { name: /^Show .* more characters/ }).click();
    await page
      .getByRole('button', { name: /^Show .* more characters/ })
      .waitFor({ state: 'detached' });
    const search = page.getByRole('searchbox', { name: /search/i });
    for (const [wanted, found] of [
      ['row 19999', '1 line'],
      ['in no line', '0 lines'],
      ['index', '20,000 lines'],
    ] as const) {
      await search.fill(wanted);
      await page.getByRole('status').filter({ hasText: found }).waitFor();
      expect([wanted, (await elements(page)) < fewElements]).toEqual([wanted, true]);
    }
    await search.fill('');

    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const editor = dialog.getByRole('textbox');
    await editor.click();
    await page.keyboard.press('Control+Home');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('End');
    await page.keyboard.press('ArrowLeft');
    await page.keyboard.type('7');
    await dialog.getByRole('button', { name: 'Review' }).click();
    await dialog.getByText('"first": 17').waitFor();
    await dialog.getByText(/unchanged lines/).waitFor();
    expect(await elements(page)).toBeLessThan(fewElements);
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await expect
      .poll(async () => (await queue.described(id))['data'])
      .toEqual({ ...data, first: 17 });
    expect(complaints).toEqual([]);
    await close();
  });
});
