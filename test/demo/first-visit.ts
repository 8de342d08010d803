/** A first visit that uses visible text alone: from the first page of the demo to a failing queue, its cause and the retry. */

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';

import pg from 'pg';
import type { Browser } from 'playwright-core';
import { expect, it } from 'vitest';
import type { RunningDemo } from './start-demo.ts';

/** The demo's own PostgreSQL, whose address is in its folder. */
async function datastoreIn(folder: string): Promise<pg.Client> {
  const state = await readFile(join(folder, 'postgres', 'postmaster.pid'), 'utf8');
  const client = new pg.Client({
    host: '127.0.0.1',
    // The fourth line of the file.
    port: Number(state.split('\n')[3]),
    user: 'postgres',
    password: await readFile(join(folder, 'postgres.password'), 'utf8'),
    database: 'postgres',
  });
  await client.connect();
  return client;
}

/** Declares the test of a first visit. */
export function firstVisit(
  demo: () => RunningDemo,
  folder: () => string,
  browser: () => Browser,
): void {
  // A queue fails once enough of its jobs have ended, of which chance decides how many fail.
  it(
    'finds the failing queue, the cause of the failure and the retry',
    { timeout: 600_000 },
    async () => {
      const page = await browser().newPage({ locale: 'en-GB' });
      page.setDefaultTimeout(500_000);
      await page.goto(`${demo().origin}/`);
      await page.getByRole('link', { name: 'BullMQ queues' }).click();

      const attention = page.getByRole('region', { name: 'Needs attention' });
      const failing = attention.getByRole('link').filter({ hasText: 'BullMQ' });
      const found = failing.filter({ hasText: 'of the jobs failed' }).first();
      const name = await found.locator('strong').innerText();
      await found.click();
      // The overview stays until the screen of the queue is loaded, and has a table of its own.
      await page.getByRole('heading', { level: 1, name }).waitFor();

      const row = page.getByRole('table').locator('tbody tr').first();
      await row.getByRole('link').first().click();
      const cause = page.getByRole('region', { name: 'Error', exact: true });
      await cause.waitFor();
      expect(await cause.innerText()).toMatch(/\w+ \w+/);

      const id = await page.getByRole('heading', { level: 1 }).locator('.mono').innerText();
      const [, queue = ''] = /queue\/([^/]+)\//.exec(new URL(page.url()).pathname) ?? [];
      const datastore = await datastoreIn(folder());
      const attempts = async (): Promise<number | undefined> =>
        (
          await datastore.query<{ attempts_started: number }>(
            'select attempts_started from bullmq.job where queue = $1 and id = $2',
            [queue, id],
          )
        ).rows[0]?.attempts_started;
      const before = await attempts();
      expect(before).toBeDefined();
      await page.getByRole('button', { name: 'Retry', exact: true }).click();
      await page.getByText(`${id} retried`).waitFor();
      // A worker takes it again.
      await expect.poll(attempts).toBeGreaterThan(before ?? 0);
      await datastore.end();
      await page.close();
    },
  );
}
