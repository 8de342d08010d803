/** A list of which only the rows in sight are in the document, for people who use the keyboard: the focus is not lost. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('a long list', (browser) => {
  let world: CellWorld;
  let board: ServedBoard;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    const queue = await world.queue('letters');
    await queue.addBulk(
      Array.from({ length: 1_000 }, (_, index) => ({
        name: `write-${index}`,
        data: {},
        // Jobs of one call may be created milliseconds apart, and the furthest is shown first.
        opts: { jobId: `job-${index}`, delay: 90_000_000 - index * 1_000 },
      })),
    );
    board = await serveBoard([queue.boardQueue()]);
  });
  afterAll(async () => {
    await board?.close();
    await world?.close();
  });

  it('keeps the focus on a row that is scrolled out of sight, and goes on from it', async () => {
    const url = `${board.url}/queue/letters?state=delayed&size=1000`;
    const { page, complaints, close } = await openPage(browser(), url);
    await page.getByRole('link', { name: 'job-0', exact: true }).waitFor();
    const focused = () => page.evaluate('document.activeElement.textContent');
    for (const name of ['job-0', 'job-1', 'job-2']) {
      await page.keyboard.press('j');
      expect(await focused()).toBe(name);
    }
    const height = await page.evaluate('document.documentElement.scrollHeight');
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight / 2)');
    await page.getByRole('link', { name: 'job-500', exact: true }).waitFor();
    expect(await focused()).toBe('job-2');
    // Rows out of sight take their place.
    expect(await page.evaluate('document.documentElement.scrollHeight')).toBe(height);
    expect(await page.locator('tbody tr[data-id]').count()).toBeLessThan(100);
    const box = await page.getByRole('link', { name: 'job-500', exact: true }).boundingBox();
    expect(box?.y).toBeGreaterThan(-400);
    expect(box?.y).toBeLessThan(1_300);
    await page.keyboard.press('j');
    expect(await focused()).toBe('job-3');
    await expect.poll(() => page.evaluate('scrollY')).toBeLessThan(1_000);
    for (const name of ['job-4', 'job-5']) {
      await page.keyboard.press('j');
      expect(await focused()).toBe(name);
    }
    await page.evaluate('scrollTo(0, document.documentElement.scrollHeight)');
    await page.getByRole('link', { name: 'job-999', exact: true }).waitFor();
    await page.keyboard.press('k');
    expect(await focused()).toBe('job-4');
    expect(complaints).toEqual([]);
    await close();
  });
});
