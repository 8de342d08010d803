/** The warnings of pg-boss on the dashboard: pages, types, details, and why there are none. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

describeInBrowser('warnings', (browser) => {
  let world: World;
  let board: BoardUnderTest;
  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'dashboard_warnings');
    await world.boss.createQueue('letters');
    board = await world.board();
  });
  afterAll(() => world?.close());

  it('says why there are none', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.origin}/`);
    await page.getByRole('link', { name: 'Warnings' }).click();
    await page.getByText('pg-boss does not keep its warnings here.').waitFor();
    await expectAccessible(page);
    expect(complaints).toEqual([]);
    await close();
  });

  it('lists them page by page, by type, with their details', async () => {
    await world.admin.query(`insert into pgboss.warning (type, message, data, created_on)
      select 'slow_query', 'Slow query ' || number, '{"elapsed": 1.5}', now() - number * interval '1 minute'
      from generate_series(1, 60) number`);
    await world.admin.query(`insert into pgboss.warning (type, message, data, created_on)
      values ('clock_skew', 'The clocks differ', '{"seconds": 72, "note": "<b>bold</b>"}', now())`);
    const { page, complaints, close } = await openPage(browser(), `${board.origin}/warnings`);
    const rows = page.locator('tbody tr');
    await page.getByText('The clocks differ').click();
    await page.getByText('"note": "<b>bold</b>"').waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByRole('button', { name: 'Older' }).click();
    await page.getByText('Slow query 60', { exact: true }).waitFor();
    // The cursor is in the address.
    await page.reload();
    await page.getByText('Slow query 60', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Newest' }).click();
    await page.getByRole('combobox', { name: 'Type' }).selectOption('clock_skew');
    await expect.poll(() => rows.count()).toBe(1);
    await expectAccessible(page);
    await page.getByRole('combobox', { name: 'Type' }).selectOption('queue_backlog');
    await page.getByText('No warning of this type.').waitFor();
    await page.getByRole('button', { name: 'Clear filters' }).click();
    await expect.poll(() => rows.count()).toBe(50);
    expect(complaints).toEqual([]);
    await close();
  });

  it('are read by keyboard alone', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.origin}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('n');
    await page.locator('tbody tr').nth(1).waitFor();
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    await page.keyboard.press('Enter');
    await page.getByText('"note": "<b>bold</b>"').waitFor();
    // The last control in the order of the tabulator leads to older ones.
    await page.keyboard.press('k');
    for (let step = 0; step < 200; step += 1) {
      if (await page.evaluate('document.activeElement.textContent === "Older"')) break;
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.getByText('Slow query 60', { exact: true }).waitFor();
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([
    { look: 'dark', width: 1_280 },
    { look: 'light', width: 390 },
  ] as const)('has no violation that axe finds ($look, $width)', async ({ look, width }) => {
    const { page, close } = await openPage(browser(), `${board.origin}/warnings`, {
      colorScheme: look,
      viewport: { width, height: 900 },
      reducedMotion: 'reduce',
    });
    await page.locator('tbody tr').first().waitFor();
    await page.locator('summary').first().click();
    await expectAccessible(page);
    await close();
  });
});
