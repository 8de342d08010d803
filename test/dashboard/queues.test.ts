/** The dashboard over queues of every kvq library: what it shows, and what its actions do in the datastore. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

describeInBrowser('the dashboard', (browser) => {
  describe.each(cells)('over $name', (cell) => {
    let queues: FailingQueues;
    let open: OpenPage;
    beforeAll(async () => {
      queues = await failingQueues(cell);
      open = await openPage(browser(), `${queues.board.url}/`);
    });
    afterAll(async () => {
      await open?.close();
      await queues?.close();
    });

    it('tells a visitor which queue fails and why, and retries its jobs', async () => {
      const { page, complaints } = open;
      // Only texts that everybody sees.
      await page.getByText(/jobs? failed/).click();
      await page.getByText('No such mailbox').first().waitFor();
      await page.getByText('Retry all 6 failed jobs').click();
      await page.getByText('requested 6 · retried 6').waitFor();
      await expect.poll(async () => (await queues.mail.counts())['failed']).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('pauses a queue and undoes it', async () => {
      const { page, complaints } = open;
      await page.goto(`${queues.board.url}/queue/mail`);
      await page.getByRole('button', { name: 'Pause', exact: true }).click();
      await page.getByText('mail is paused').waitFor();
      const isPaused = async () =>
        (await queues.board.get('/api/queues?jobs=false')).body.queues.find(
          ({ name }: { name: string }) => name === 'mail',
        ).isPaused;
      await expect.poll(isPaused).toBe(true);
      await page.getByRole('button', { name: 'Undo', exact: true }).click();
      await expect.poll(isPaused).toBe(false);
      expect(complaints).toEqual([]);
    });

    it('adds a job with digits that JavaScript would round', async () => {
      const { page, complaints } = open;
      await page.goto(`${queues.board.url}/queue/shop-parcels`);
      await page.getByRole('button', { name: 'Add job' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByLabel('Name').fill('heavy');
      await dialog.getByRole('button', { name: 'JSON' }).click();
      await dialog.getByLabel('Data (JSON)').fill('{"grams": 12345678901234567890}');
      await dialog.getByRole('button', { name: 'Add job' }).click();
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await page.getByText('12345678901234567890').first().waitFor();
      await expect.poll(async () => (await queues.parcels.counts())['waiting']).toBe(4);
      expect(complaints).toEqual([]);
    });

    it('removes selected jobs by keyboard, after asking', async () => {
      const { page, complaints } = open;
      await page.goto(`${queues.board.url}/queue/shop-parcels?state=waiting`);
      await page
        .getByRole('link', { name: /^\W*\w/ })
        .first()
        .waitFor();
      await page.locator('tbody tr').nth(3).waitFor();
      for (const key of ['j', 'x', 'j', 'x', 'd']) await page.keyboard.press(key);
      const dialog = page.getByRole('dialog', { name: 'Remove 2 jobs?' });
      await dialog.getByText('waiting, in shop-parcels').waitFor();
      await dialog.getByRole('button', { name: 'Remove 2 jobs' }).click();
      await page.getByText('requested 2 · removed 2').waitFor();
      await expect.poll(async () => (await queues.parcels.counts())['waiting']).toBe(2);
      expect(complaints).toEqual([]);
    });
  });
});
