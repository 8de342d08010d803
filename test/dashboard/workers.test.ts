/** The workers of both engines on one screen: who is connected, to which queue, and what is silent. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary, oldestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('workers', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let mail: TestQueue;
    let reports: TestQueue;
    let board: ServedBoard;
    beforeAll(async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no cell.');
      world = opened;
      [mail, reports] = [await world.queue('mail'), await world.queue('reports')];
      await reports.add('close-month', {});
      board = await serveBoard([mail.boardQueue(), reports.boardQueue()]);
    });
    afterAll(async () => {
      await board?.close();
      await world?.close();
    });

    it('come and go, and queues that nobody works on are named', async () => {
      const stop = await mail.work(async () => undefined);
      const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
      const reads: string[] = [];
      page.on('request', (request) => {
        const { pathname } = new URL(request.url());
        if (pathname.endsWith('/workers')) reads.push(pathname);
      });
      await page.getByRole('link', { name: 'Workers' }).click();
      const row = page.getByRole('row').filter({ hasText: 'mail' });
      await row.first().waitFor();
      await page.getByText('Nobody works on reports.').waitFor();
      await expectAccessible(page);
      await page.getByRole('searchbox', { name: 'Filter workers' }).fill('absent');
      await page.getByText('No worker matches.').waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
      await row.first().waitFor();
      await stop();
      await page.getByText('No worker is connected.').waitFor();
      // All queues in one request.
      expect([...new Set(reads)]).toEqual(['/board/api/workers']);
      expect(complaints).toEqual([]);
      await close();
    });

    it('are not offered where the host does not show them', async () => {
      const shy = await serveBoard([mail.boardQueue()], { showWorkers: false });
      const { page, complaints, close } = await openPage(browser(), `${shy.url}/workers`);
      await page.getByText('Workers are not shown on this board.').waitFor();
      expect(await page.getByRole('link', { name: 'Workers' }).count()).toBe(0);
      expect(complaints).toEqual([]);
      // The texts of errors, one of which the screen shows, arrive after the screen.
      const screen = page.waitForResponse(/\/assets\/screen-/);
      await page.route(/\/assets\/errors-/, async (route) => {
        await screen;
        await page.evaluate(
          'new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))',
        );
        await route.continue();
      });
      await page.reload();
      await page.getByText('Workers are not shown on this board.').waitFor();
      expect(complaints).toEqual([]);
      await close();
      await shy.close();
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_workers');
      await world.boss.createQueue('letters');
      await world.boss.work('letters', async () => undefined);
      await world.admin.query(`insert into pgboss.instance (id, host, pid, version, node_version,
          heartbeat_seconds, supervise, schedule, migrate, persist_queue_stats, persist_warnings,
          started_on, heartbeat_on)
        values (gen_random_uuid(), 'lost', 7, '12.38.0', '24', 60, true, true, true, false, false,
          now() - interval '1 hour', now() - interval '4 minutes')`);
      board = await world.board();
    });
    // The library replaces the workers of its own process each minute.
    beforeEach(() =>
      world.admin.query(
        `update pgboss.instance set workers = jsonb_build_array(jsonb_build_object(
          'id', 'w1', 'queue', 'letters', 'active', 2, 'batchSize', 5, 'localConcurrency', 1))
        where host <> 'lost'`,
      ),
    );
    afterAll(() => world?.close());

    it.each([
      { look: 'light', width: 1_280 },
      { look: 'dark', width: 390 },
    ] as const)('are listed with their processes ($look, $width)', async ({ look, width }) => {
      const { page, complaints, close } = await openPage(browser(), `${board.origin}/workers`, {
        colorScheme: look,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      const lost = page.getByRole('row').filter({ hasText: 'lost' });
      await lost.getByText(/^no heartbeat for/).waitFor();
      await page.getByText('2 of 5').waitFor();
      await page.getByText('live', { exact: true }).first().waitFor();
      await expectAccessible(page);
      await page.locator('main').getByRole('link', { name: 'letters' }).click();
      await page.getByRole('heading', { level: 1, name: 'letters' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('are found by keyboard alone', async () => {
      const { page, complaints, close } = await openPage(browser(), `${board.origin}/`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('g');
      await page.keyboard.press('w');
      // The overview has a link to the queue as well.
      await page
        .getByRole('row')
        .filter({ hasText: 'lost' })
        .getByText(/^no heartbeat for/)
        .waitFor();
      await page.keyboard.press('j');
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { level: 1, name: 'letters' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('are not reported by an older library', async () => {
      const older = await makeWorld(oldestLibrary, 'dashboard_workers_old');
      const shown = await older.board();
      const { page, close } = await openPage(browser(), `${shown.origin}/workers`);
      await page.getByText('pg-boss reports its processes from version 12.38.').waitFor();
      await close();
      await older.close();
    });
  });
});
