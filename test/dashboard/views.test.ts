/** Saved views: kept in the browser, opened from the palette, shared as links, removed. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { axeViolations } from './axe.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;
/** Markup and marks of direction in a name are text. */
const name = '<b>urgent</b> \u202Email';

describeInBrowser('saved views', (browser) => {
  let queues: FailingQueues;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
  });
  afterAll(() => queues?.close());

  it('are named, opened, shared and removed', async () => {
    const view = '/queue/mail?state=failed&q=error+%7E+mailbox';
    const { page, complaints, close } = await openPage(
      browser(),
      `${queues.board.url}${view}&cursor=`,
      { permissions: ['clipboard-read', 'clipboard-write'], reducedMotion: 'reduce' },
    );
    await page.locator('tbody tr').nth(1).waitFor();
    // Another board of the origin has a view of this name.
    const others = JSON.stringify([{ board: '/other', name, path: '/', search: {} }]);
    await page.evaluate(`localStorage.setItem('sluice:views', ${JSON.stringify(others)})`);
    await page.reload();
    await page.getByRole('button', { name: 'Saved views' }).click();
    const dialog = page.getByRole('dialog', { name: 'Saved views' });
    await dialog.getByLabel('Name of what is shown now').fill(name);
    await page.keyboard.press('Enter');
    await dialog.getByRole('link', { name: '<b>urgent</b>' }).waitFor();
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: `Copy a link to ${name}` }).click();
    await expect
      .poll(() => page.evaluate('navigator.clipboard.readText()'))
      .toBe(`${queues.board.url}${view}#view=${encodeURIComponent(name)}`);
    await page.keyboard.press('Escape');

    // The palette of another screen, after a reload.
    await page.goto(`${queues.board.url}/`);
    await page.getByRole('table', { name: 'Queues' }).locator('tbody tr').first().waitFor();
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Find or do' }).fill('urgent');
    await page.getByRole('option', { name: 'Open view: <b>urgent</b>' }).click();
    await page.locator('tbody tr').nth(1).waitFor();
    expect(page.url()).toBe(`${queues.board.url}${view}`);

    // A colleague is shown the same rows, and offered the name.
    const colleague = await openPage(
      browser(),
      `${queues.board.url}${view}#view=${encodeURIComponent(name)}`,
    );
    await colleague.page.locator('tbody tr').nth(1).waitFor();
    await colleague.page.keyboard.press('v');
    await expect
      .poll(() => colleague.page.getByLabel('Name of what is shown now').inputValue())
      .toBe(name);
    await colleague.page.getByText('No view is saved yet.').waitFor();
    expect(colleague.complaints).toEqual([]);
    await colleague.close();

    await page.keyboard.press('v');
    await dialog.getByRole('button', { name: `Remove ${name}` }).click();
    await dialog.getByText('No view is saved yet.').waitFor();
    expect(await page.evaluate("localStorage.getItem('sluice:views')")).toBe(others);
    expect(complaints).toEqual([]);
    await close();
  });

  it('survive a storage that holds something else', async () => {
    const { page, complaints, close } = await openPage(browser(), `${queues.board.url}/`);
    for (const stored of [
      '{',
      'null',
      '[1,{"board":"","name":"x","path":"javascript:0","search":{}}]',
    ]) {
      await page.evaluate(`localStorage.setItem('sluice:views', ${JSON.stringify(stored)})`);
      await page.reload();
      await page.getByRole('table', { name: 'Queues' }).locator('tbody tr').first().waitFor();
      await page.keyboard.press('v');
      await page.getByText('No view is saved yet.').waitFor();
    }
    expect(complaints).toEqual([]);
    await close();
  });
});
