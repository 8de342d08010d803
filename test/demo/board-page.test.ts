/** The dashboard of the demo's boards in a real browser, with its content security policy. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { chromiumRequired, findChromium, launch } from './chromium.ts';
import type { RunningDemo } from './start-demo.ts';
import { scratchFolder, startDemo } from './start-demo.ts';

const executable = findChromium();
if (!executable && !chromiumRequired) {
  console.log(
    'Skipped: the test of the board’s page. Install Chromium or set CHROMIUM to its path.',
  );
}

describe.runIf(executable || chromiumRequired)('the page', () => {
  let folder: Awaited<ReturnType<typeof scratchFolder>>;
  let demo: RunningDemo;
  let browser: Browser;

  beforeAll(async () => {
    if (!executable)
      throw new Error('CI requires Chromium: install it or set CHROMIUM to its path.');
    folder = await scratchFolder();
    demo = await startDemo(folder.path, { cities: 50 });
    browser = await launch(executable);
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.end();
    await folder?.remove();
  });

  it.each([
    { board: '/pg-boss', queues: 6 },
    { board: '/bullmq', queues: 7 },
  ])(
    'of $board shows queues with counts and the jobs of a queue by state, without policy violations',
    async ({ board, queues: count }) => {
      const page = await browser.newPage();
      const pageErrors: string[] = [];
      page.on('console', (message) => pageErrors.push(message.text()));
      page.on('pageerror', (error) => pageErrors.push(error.message));
      await page.goto(`${demo.origin}${board}/`);
      const queues = page.getByRole('region', { name: 'Queues' });
      await queues.getByRole('button', { name: 'orders', exact: true }).click();
      const jobs = page.getByRole('region', { name: 'Jobs' });
      await jobs.getByRole('button', { name: 'completed' }).click();
      await jobs.locator('tbody tr').first().waitFor();
      expect(await queues.locator('tbody tr').count()).toBe(count);
      await page.getByRole('link', { name: 'OpenAPI document' }).click();
      expect(await page.textContent('body')).toContain('"openapi":"3.1.0"');
      expect(pageErrors).toEqual([]);
      await page.close();
    },
  );
});
