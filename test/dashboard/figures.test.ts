/** Figures as they are sent and said: units, signs, sums of groups, ways back, commands on several queues, and who may stop a run. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;
const hour = 3_600_000;

describeInBrowser('figures of the dashboard', (browser) => {
  let world: CellWorld;
  let queues: readonly TestQueue[] = [];
  let board: ServedBoard;
  let open: OpenPage;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    const names = ['shop-mail', 'shop-parcels', 'news'];
    queues = await Promise.all(names.map((name) => world.queue(name)));
    for (const [at, hours] of [5, 2].entries()) {
      await queues[at]?.add(`of ${hours} hours`, {}, { timestamp: Date.now() - hours * hour });
    }
    board = await serveBoard(queues.map((queue) => queue.boardQueue({ delimiter: '-' })));
    open = await openPage(browser(), `${board.url}/?group=yes`);
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await world?.close();
  });

  const told = async () =>
    (await board.get('/api/queues?jobs=false')).body.queues.find(
      ({ name }: { name: string }) => name === 'shop-mail',
    );

  it('says of a group how long the oldest of its jobs waits', async () => {
    const { page } = open;
    const ages = page.locator('tbody td[data-label=oldest]');
    // The group, and its two queues.
    await expect
      .poll(async () => (await ages.allInnerTexts()).slice(0, 3))
      .toEqual(['5h', '5h', '2h']);
  });

  it('pauses the queues of a group together, after asking, and takes it back', async () => {
    const { page, complaints } = open;
    const isPaused = async () =>
      (await board.get('/api/queues?jobs=false')).body.queues.map(
        (queue: { isPaused: boolean }) => queue.isPaused,
      );
    const choose = async (menu: string, item: string) => {
      await page.getByRole('button', { name: menu, exact: true }).click();
      await page.getByRole('menuitem', { name: item }).click();
    };
    await choose('Actions of shop', 'Pause 2 queues');
    const dialog = page.getByRole('dialog', { name: 'Pause 2 queues?' });
    await dialog.getByText('shop-mail, shop-parcels').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await isPaused()).toEqual([false, false, false]);
    await choose('Actions of shop', 'Pause 2 queues');
    await dialog.getByRole('button', { name: 'Pause 2 queues' }).click();
    await page.getByText('2 queues are paused').waitFor();
    await expect.poll(isPaused).toEqual([true, true, false]);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(isPaused).toEqual([false, false, false]);
    // All that are shown: the filter chooses them.
    const filter = page.locator('main').getByRole('searchbox', { name: 'Filter queues' });
    await filter.fill('parcels');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await choose('Actions of the queues shown', 'Pause 1 queue');
    await page.getByRole('dialog').getByRole('button', { name: 'Pause 1 queue' }).click();
    await expect.poll(isPaused).toEqual([false, true, false]);
    await filter.fill('');
    await expect.poll(() => page.locator('tbody tr').count()).toBeGreaterThan(1);
    await choose('Actions of the queues shown', 'Resume 1 queue');
    await page.getByRole('dialog').getByRole('button', { name: 'Resume 1 queue' }).click();
    await expect.poll(isPaused).toEqual([false, false, false]);
    expect(complaints).toEqual([]);
  });

  it('offers no command on several queues to those who may not pause all of them', async () => {
    const all = queues.map((queue) => queue.boardQueue({ delimiter: '-' }));
    for (const allowance of [['*.read'] as const, { queues: { 'shop-mail': ['*'] } } as const]) {
      const shy = await serveBoard(all, { permissions: () => allowance });
      const { page, close } = await openPage(browser(), `${shy.url}/?group=yes`);
      await page.locator('tbody tr').filter({ hasText: 'mail' }).waitFor();
      expect(await page.getByRole('button', { name: 'Actions of shop', exact: true }).count()).toBe(
        0,
      );
      const shown = page.getByRole('button', { name: 'Actions of the queues shown' });
      expect(await shown.count()).toBe(0);
      await close();
      await shy.close();
    }
  });

  it('says how long ago a job was added', async () => {
    const { page } = open;
    await page.goto(`${board.url}/queue/shop-mail?state=waiting`);
    const added = page.locator('tbody tr').first().locator('time').first();
    await expect.poll(() => added.textContent()).toMatch(/^5 hr?s? ago$/);
  });

  it('takes a new concurrency back', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/queue/shop-mail?tab=settings`);
    const section = page.locator('section').filter({ hasText: 'Jobs at once' });
    await section.getByLabel('Jobs at once').fill('5');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect.poll(async () => (await told()).globalConcurrency).toBe(5);
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await told()).globalConcurrency).toBe(null);
    expect(complaints).toEqual([]);
  });

  it('sends the window of a rate limit in milliseconds', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/queue/shop-mail?tab=settings`);
    const section = page.locator('section').filter({ hasText: 'Rate limit of the whole queue' });
    await section.getByLabel('Jobs at most').fill('10');
    await section.getByLabel('in milliseconds').fill('60000');
    await section.getByRole('button', { name: 'Save' }).click();
    await expect
      .poll(async () => (await board.get('/api/queues/shop-mail/rate-limit')).body.rateLimit)
      .toEqual({ max: 10, duration: 60_000 });
    expect(complaints).toEqual([]);
  });

  it('shows the run of another person, and offers to stop it only to those who may', async () => {
    const shy = await serveBoard(
      [queues[0]?.boardQueue()].filter((each) => each !== undefined),
      {
        permissions: () => ['*.read'],
      },
    );
    const { page, close } = await openPage(browser(), 'about:blank');
    const run = { id: '00000000-0000-4000-8000-000000000000', queueName: 'shop-mail' };
    const counts = { total: 9, examined: 3, matched: 3, changed: 3, refused: [] };
    const begun = {
      action: 'remove',
      dryRun: false,
      state: 'running',
      startedAt: 1,
      endedAt: null,
    };
    const json = { ...run, ...counts, ...begun };
    await page.route('**/api/bulk', (route) => route.fulfill({ json: { runs: [json] } }));
    await page.route('**/api/bulk/*', (route) => route.fulfill({ json: { run: json } }));
    const progress = page.getByRole('group', { name: 'Progress' });
    await page.goto(`${shy.url}/queue/shop-mail`);
    await progress.getByText('3 of 9').waitFor();
    expect(await progress.getByRole('button').count()).toBe(0);
    await page.goto(`${board.url}/queue/shop-mail`);
    await progress.getByRole('button', { name: 'Stop' }).waitFor();
    await close();
    await shy.close();
  });
});
