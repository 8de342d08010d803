/** Runs over many jobs from the dashboard: selected, all that match, stopped half-way; asserted in the datastore. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('runs over many jobs', (browser) => {
  describe('of BullMQ', () => {
    let queues: FailingQueues;
    let open: OpenPage;
    beforeAll(async () => {
      if (!cell) throw new Error('There is no cell.');
      queues = await failingQueues(cell);
      await queues.parcels.addBulk(
        Array.from({ length: 2_000 }, (_, index) => ({
          name: index % 2 === 0 ? 'letter' : 'crate',
          data: { index },
          opts: {},
        })),
      );
      open = await openPage(browser(), `${queues.board.url}/`);
    });
    afterAll(async () => {
      await open?.close();
      await queues?.close();
    });

    it('retries selected jobs in one request, with the states that were seen', async () => {
      const { page, complaints } = open;
      const sent: unknown[] = [];
      page.on('request', (request) => {
        if (request.method() === 'GET') return;
        const { expectedState } = request.postDataJSON() as { expectedState?: unknown };
        sent.push([new URL(request.url()).pathname, expectedState]);
      });
      await page.goto(`${queues.board.url}/queue/mail?state=failed`);
      await page.locator('tbody tr').nth(5).waitFor();
      for (const key of ['j', 'x', 'j', 'x', 'r']) await page.keyboard.press(key);
      await page.getByText('requested 2 · retried 2').waitFor();
      await expect.poll(async () => (await queues.mail.counts())['failed']).toBe(4);
      expect(sent).toEqual([['/board/api/bulk', ['failed', 'failed']]]);
      expect(complaints).toEqual([]);
    });

    it('does one by one what the person may do to single jobs alone, and offers nothing else', async () => {
      const before = (await queues.mail.counts())['failed'];
      const board = await serveBoard([queues.mail.boardQueue()], {
        permissions: () => ['*.read', 'job.retry'],
      });
      const mine = await openPage(browser(), `${board.url}/queue/mail?state=failed`);
      const { page, complaints } = mine;
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      const bar = page.getByRole('region', { name: 'Selected jobs' });
      await bar.getByRole('button', { name: /^Retry/ }).waitFor();
      expect(await bar.getByRole('button', { name: /^Remove/ }).count()).toBe(0);
      await bar.getByRole('button', { name: /^Retry/ }).click();
      await page.getByText(`requested ${before} · retried ${before}`).waitFor();
      expect((await queues.mail.counts())['failed']).toBe(0);
      expect(complaints).toEqual([]);
      await mine.close();
      await board.close();
    });

    it('removes all that match, beyond the page, after telling how many', async () => {
      const { page, complaints } = open;
      await page.goto(`${queues.board.url}/queue/shop-parcels?state=waiting&q=letter`);
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page.getByText('All 1,000 jobs that match').waitFor();
      await page.getByRole('button', { name: /^Remove/ }).click();
      const dialog = page.getByRole('dialog', { name: 'Remove 1,000 jobs?' });
      await dialog.getByText('waiting, in shop-parcels').waitFor();
      expect((await queues.parcels.counts())['waiting']).toBe(2_003);
      await dialog.getByRole('button', { name: 'Remove 1,000 jobs' }).click();
      await page.getByText('requested 1,000 · removed 1,000').waitFor();
      expect((await queues.parcels.counts())['waiting']).toBe(1_003);
      expect(complaints).toEqual([]);
    });
  });

  describe('of pg-boss', () => {
    const jobs = 10_000;
    let world: World;
    let board: BoardUnderTest;
    let open: OpenPage;
    const count = async (state: string) =>
      Number(
        (
          await world.admin.query<{ count: string }>(
            `select count(*) from pgboss.job where name = 'letters' and state = $1`,
            [state],
          )
        ).rows[0]?.count,
      );
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'runs');
      board = await world.board();
      await world.boss.createQueue('letters', { retryLimit: 0 });
      await world.boss.insert(
        'letters',
        Array.from({ length: jobs }, (_, index) => ({ data: { index } })),
      );
      // As if a worker had failed them all.
      await world.admin.query(
        `update pgboss.job set state = 'failed', started_on = now(), completed_on = now(),
           output = '{"message": "The ink ran out."}' where name = 'letters'`,
      );
      open = await openPage(browser(), `${board.origin}/`);
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it('stops half-way, shows the run in another tab too, and says how far it came', async () => {
      const { page, complaints } = open;
      await page.goto(`${board.origin}/queue/letters?state=failed&q=ink`);
      await page.locator('tbody tr').first().waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await page.getByRole('button', { name: 'Select all that match' }).click();
      await page.getByText('All 10,000 jobs that match').waitFor();
      // Each part takes seconds, so that the run cannot end before it is stopped.
      await world.admin.query(
        `create function public.slow() returns trigger language plpgsql as
         $$ begin perform pg_sleep(4); return null; end $$`,
      );
      await world.admin.query(
        'create trigger slow before update on pgboss.job for each statement execute function public.slow()',
      );
      await page.getByRole('button', { name: /^Retry/ }).click();
      await page.getByRole('button', { name: 'Retry 10,000 jobs' }).click();
      const progress = page.getByRole('group', { name: 'Progress' });
      await progress.getByText('of 10,000').waitFor();
      await expect.poll(() => count('retry')).toBeGreaterThan(0);
      await page.reload();
      await progress.getByRole('button', { name: 'Stop' }).click();
      await page.getByText(/^stopped · requested/).waitFor();
      await world.admin.query('drop trigger slow on pgboss.job');
      const retried = await count('retry');
      expect(retried).toBeGreaterThan(0);
      expect(retried).toBeLessThan(jobs);
      expect(await count('failed')).toBe(jobs - retried);
      const told = `retried ${retried.toLocaleString('en-GB')}`;
      await page.getByText(new RegExp(`^stopped · requested .*${told}`)).waitFor();
      // The timeline marks it too.
      await page.getByText(`: ${told}`).waitFor();
      expect(complaints).toEqual([]);
    }, 120_000);

    it('says how many were not in a state for it', async () => {
      const { page, complaints } = open;
      await page.goto(`${board.origin}/queue/letters?state=failed&size=20`);
      await page.locator('tbody tr').nth(19).waitFor();
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      const ids = await page
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => row.getAttribute('data-id') ?? ''));
      await world.admin.query(
        `update pgboss.job set state = 'completed' where id = any($1::uuid[])`,
        [ids.slice(0, 2)],
      );
      await page.getByRole('button', { name: /^Retry/ }).click();
      await page.getByText('requested 20 · retried 18 · 2 not in a state for it').waitFor();
      expect(complaints).toEqual([]);
    });
  });
});
