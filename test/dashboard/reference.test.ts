/** The API reference: the routes of the board itself, from its own document. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

describeInBrowser('the API reference', (browser) => {
  let board: ServedBoard;
  beforeAll(async () => {
    board = await serveBoard([]);
  });
  afterAll(() => board?.close());

  it('shows the parameters, answers and errors of a route, and how to call it', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
    await page.getByRole('link', { name: 'API' }).click();
    await page.getByRole('region', { name: 'schedules' }).waitFor();
    await page.getByRole('searchbox', { name: 'Filter routes' }).fill('Add a job');
    const button = page.getByRole('button', { name: /Add a job/ });
    await button.click();
    await page.getByText('AddJobBody').waitFor();
    await page.getByText('ERRORS.QUEUE_NOT_FOUND').first().waitFor();
    const curl = page.getByLabel('As a command of curl');
    expect(await curl.textContent()).toContain(
      `-X POST '${board.url}/api/queues/{queueName}/add' \\`,
    );
    await page.getByRole('button', { name: 'Copy as curl' }).click();
    await page.getByText(/^Copied/).waitFor();
    await expectAccessible(page);
    // A link leads to the route.
    await page.reload();
    await page.getByText('AddJobBody').waitFor();
    await button.press('Enter');
    await expect.poll(() => page.getByText('AddJobBody').count()).toBe(0);
    await page.getByRole('searchbox', { name: 'Filter routes' }).fill('absent');
    await page.getByText('No route matches.').waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('is read by keyboard alone', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.getByRole('region', { name: 'schedules' }).waitFor();
    const focused = () =>
      page.evaluate(
        '[...document.querySelectorAll("[data-row-link]")].indexOf(document.activeElement)',
      );
    for (const [key, at] of [
      ['j', 0],
      ['j', 1],
      ['j', 2],
      ['k', 1],
    ] as const) {
      await page.keyboard.press(key);
      await expect.poll(focused).toBe(at);
    }
    await page.keyboard.press('Enter');
    await page.getByLabel('As a command of curl').waitFor();
    await expect.poll(focused).toBe(1);
    await page.keyboard.press('Tab');
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    await page.getByText(/^Copied/).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it('has the routes that the board mounts, and no others', async () => {
    const readOnly = await serveBoard([], { readOnly: true });
    const { page, close } = await openPage(browser(), `${readOnly.url}/reference`);
    await page.getByRole('button', { name: /Visible queues with their counts/ }).waitFor();
    expect(await page.getByRole('button', { name: /Add a job/ }).count()).toBe(0);
    await close();
    await readOnly.close();
  });

  it.each([
    { look: 'dark', width: 1_280 },
    { look: 'light', width: 390 },
  ] as const)('has no violation that axe finds ($look, $width)', async ({ look, width }) => {
    const { page, close } = await openPage(browser(), `${board.url}/reference?key=getJob`, {
      colorScheme: look,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await page.getByRole('button', { name: 'Copy as curl' }).waitFor();
    await expectAccessible(page);
    await close();
  });
});
