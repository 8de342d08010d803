/** The queues at the side of a wide window: trouble first, groups, a filter, `b`; and none where there is no room. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { axeViolations } from './axe.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('the queues at the side', (browser) => {
  let queues: FailingQueues;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
  });
  afterAll(() => queues?.close());
  const open = (width: number, path: string, colorScheme: 'light' | 'dark' = 'light') =>
    openPage(browser(), `${queues.board.url}${path}`, {
      viewport: { width, height: 800 },
      colorScheme,
      reducedMotion: 'reduce',
    });

  it.each([
    { width: 1_200, look: 'light' },
    { width: 1_440, look: 'dark' },
  ] as const)(
    'lead to each queue, those in trouble first ($width, $look)',
    async ({ width, look }) => {
      const { page, complaints, close } = await open(width, '/schedules', look);
      const side = page.getByRole('navigation', { name: 'Queues' });
      await side.getByRole('link').nth(1).waitFor();
      const names = await side.locator('a bdi').allInnerTexts();
      expect(names.toSorted()).toEqual(['mail', 'shop-parcels']);
      await side.getByRole('link', { name: 'mail' }).click();
      await page.waitForURL(/\/queue\/mail/);
      expect(await side.locator('[aria-current=page]').innerText()).toContain('mail');
      await page.locator('tbody tr').first().waitFor();
      expect(await axeViolations(page)).toEqual([]);
      const across = await page.evaluate<number>('document.documentElement.scrollWidth');
      expect(across).toBeLessThanOrEqual(width);
      await side.getByRole('searchbox', { name: 'Filter queues' }).fill('PARC');
      await expect.poll(() => side.locator('a bdi').allInnerTexts()).toEqual(['shop-parcels']);
      await page.keyboard.press('Escape');
      await expect.poll(() => side.getByRole('link').count()).toBe(2);
      expect(complaints).toEqual([]);
      await close();
    },
  );

  it('go and come by one key, which the help lists, and stay so after a reload', async () => {
    const { page, close } = await open(1_440, '/queue/mail');
    const side = page.getByRole('navigation', { name: 'Queues' });
    await side.getByRole('link').first().waitFor();
    const main = page.locator('main');
    const left = async () => Math.round((await main.boundingBox())?.x ?? -1);
    expect(await left()).toBe(232);
    await page.keyboard.press('b');
    await side.waitFor({ state: 'detached' });
    expect(await left()).toBe(0);
    await page.reload();
    await page.locator('tbody tr').first().waitFor();
    expect(await side.count()).toBe(0);
    await page.keyboard.press('?');
    await page.getByRole('dialog').getByText('Queues at the side').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('b');
    await side.getByRole('link').first().waitFor();
    await close();
  });

  it.each([390, 768, 1_024, 1_199])(
    'are not there at %s pixels, and the key does nothing',
    async (width) => {
      const { page, close } = await open(width, '/queue/mail');
      await page.locator('tbody tr').first().waitFor();
      expect(await page.getByRole('navigation', { name: 'Queues' }).count()).toBe(0);
      await page.keyboard.press('b');
      expect(await page.evaluate('document.documentElement.dataset.sidebar')).toBe('');
      await close();
    },
  );

  it('have their place before they are read, so that nothing moves', async () => {
    const { page, close } = await openPage(browser(), 'about:blank', {
      viewport: { width: 1_440, height: 800 },
    });
    await page.addInitScript(`
      globalThis.moved = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) globalThis.moved += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    await page.route(/\/sidebar-[^/]*\.js$/, async (route) => {
      await page.locator('tbody tr').first().waitFor();
      await route.continue();
    });
    await page.goto(`${queues.board.url}/queue/mail`);
    await page.getByRole('navigation', { name: 'Queues' }).getByRole('link').first().waitFor();
    expect(await page.evaluate<number>('globalThis.moved')).toBeLessThan(0.01);
    await close();
  });
});
