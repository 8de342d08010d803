/** The dashboard of the demo's boards in a real browser, with its content security policy. */

import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RunningDemo } from './start-demo.ts';

/** Declares the tests of the boards' pages. */
export function boardPages(demo: () => RunningDemo, browser: () => Browser): void {
  it.each([
    { board: '/pg-boss', engine: 'pgq', queues: 6 },
    { board: '/bullmq', engine: 'kvq', queues: 7 },
  ])(
    'of $board shows queues with counts and the jobs of a queue by state, without policy violations',
    async ({ board, engine, queues: count }) => {
      const page = await browser().newPage();
      page.setDefaultTimeout(60_000);
      const pageErrors: string[] = [];
      page.on('console', (message) => pageErrors.push(message.text()));
      page.on('pageerror', (error) => pageErrors.push(error.message));
      await page.goto(`${demo().origin}${board}/?group=no&engine=${engine}`);
      const rows = page.getByRole('table', { name: 'Queues' }).locator('tbody tr');
      await expect.poll(() => rows.count()).toBe(count);
      await page.locator('main').getByRole('link', { name: 'orders', exact: true }).click();
      await page
        .getByRole('navigation', { name: 'Jobs by state' })
        .getByRole('button', { name: 'completed' })
        .click();
      await page.locator('tbody tr').first().waitFor();
      expect(pageErrors).toEqual([]);
      await page.close();
    },
  );
}
