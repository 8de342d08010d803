/** Tabs as people use them: two on one queue, steps back through filters, one hidden for long, one whose server is slow. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** Makes the tab hidden or visible, as the browser does. */
const show = (page: Page, isHidden: boolean): Promise<unknown> =>
  page.evaluate(`(() => {
    Object.defineProperty(document, 'hidden', { configurable: true, get: () => ${isHidden} });
    document.dispatchEvent(new Event('visibilitychange'));
  })()`);

describeInBrowser('a tab', (browser) => {
  let world: CellWorld;
  let queue: TestQueue;
  let board: ServedBoard;
  let round = 0;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
  });
  beforeEach(async () => {
    round += 1;
    queue = await world.queue(`letters-${round}`);
    for (const to of ['ada', 'bea', 'cy']) await queue.add(`write-${to}`, { to });
    board = await serveBoard([queue.boardQueue()]);
    return () => board.close();
  });
  afterAll(() => world?.close());

  const listOf = () => `${board.url}/queue/${queue.name}?state=waiting`;

  it('follows what another tab does, and keeps its own selection', async () => {
    const { page: one, complaints, close } = await openPage(browser(), listOf());
    const two = await one.context().newPage();
    await two.goto(listOf());
    const row = (page: Page, name: string) => page.getByRole('row').filter({ hasText: name });
    await row(one, 'write-bea').getByRole('checkbox').check();
    await one.getByText('1 selected').waitFor();
    await row(two, 'write-bea').getByRole('checkbox').check();
    await two.keyboard.press('d');
    await two.getByRole('button', { name: 'Remove the job' }).click();
    await two.getByText('requested 1 · removed 1').waitFor();
    await two.getByRole('button', { name: 'Pause', exact: true }).click();

    // The row stays where it is selected, marked as gone; a command on it is told to be too late.
    await one.locator('tr[data-gone]').filter({ hasText: 'write-bea' }).waitFor();
    await one.getByRole('button', { name: 'Resume', exact: true }).waitFor();
    expect(await row(one, 'write-bea').getByRole('checkbox').isChecked()).toBe(true);
    await one
      .getByRole('button', { name: /^Remove/ })
      .first()
      .click();
    await one.getByRole('dialog').getByRole('button', { name: 'Remove the job' }).click();
    await one.getByText(/requested 1 · removed 0/).waitFor();
    await row(one, 'write-bea').waitFor({ state: 'detached' });
    expect(await queue.names(cell?.hasPaused ? 'paused' : 'waiting')).toHaveLength(2);
    expect(complaints).toEqual([]);
    await close();
  });

  it('goes back through filters step by step, with their text and their rows', async () => {
    const { page, complaints, close } = await openPage(browser(), listOf());
    const filter = page.getByRole('combobox', { name: /filter/i });
    const rows = page.locator('tbody tr[data-id]');
    await expect.poll(() => rows.count()).toBe(3);
    for (const to of ['ada', 'cy']) {
      await filter.fill(`data.to = ${to}`);
      await filter.press('Enter');
      await page
        .getByRole('row')
        .filter({ hasText: `write-${to}` })
        .waitFor();
      await expect.poll(() => rows.count()).toBe(1);
    }
    await page.getByRole('button', { name: /delayed/ }).click();
    await page.getByText('No job matches.').waitFor();
    const sees = async (text: string, count: number) => {
      await expect.poll(() => filter.inputValue()).toBe(text);
      await expect.poll(() => rows.count()).toBe(count);
    };
    await page.goBack();
    await sees('data.to = cy', 1);
    await page.goBack();
    await sees('data.to = ada', 1);
    await page.goBack();
    await sees('', 3);
    await page.goForward();
    await sees('data.to = ada', 1);
    await page.reload();
    await sees('data.to = ada', 1);
    expect(complaints).toEqual([]);
    await close();
  });

  it('asks nothing while it is hidden for minutes, and is current once it is seen', async () => {
    const { page, complaints, close } = await openPage(browser(), 'about:blank');
    const asked: string[] = [];
    page.on('request', (request) => asked.push(request.url()));
    await page.clock.install();
    await page.goto(listOf());
    await page.getByRole('row').filter({ hasText: 'write-ada' }).waitFor();
    await page.getByRole('button', { name: 'live' }).waitFor();
    await show(page, true);
    asked.length = 0;
    await queue.add('write-dan', {});
    await page.clock.fastForward('10:00');
    // A request would be under way before the answer of this evaluation.
    expect(await page.evaluate('document.hidden')).toBe(true);
    expect(asked).toEqual([]);
    await show(page, false);
    await page.getByRole('row').filter({ hasText: 'write-dan' }).waitFor();
    await page.getByRole('button', { name: 'live' }).waitFor();
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await close();
  });

  it('says how old it is while its server takes long to answer, and goes on when it does', async () => {
    const { page, complaints, close } = await openPage(browser(), 'about:blank');
    await page.clock.install();
    await page.goto(`${board.url}/`);
    await page.getByRole('link', { name: queue.name }).first().waitFor();
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    let asked = 0;
    await page.route('**/api/activity?*', async (route) => {
      asked += 1;
      await held;
      await route.continue();
    });
    await page.clock.fastForward(40_000);
    await expect.poll(() => asked).toBe(1);
    await page.clock.fastForward(20_000);
    await page.getByRole('button', { name: /^stale \d/ }).waitFor();
    // Known rows stay, and are not asked for again before the answer.
    expect(await page.getByRole('link', { name: queue.name }).first().isVisible()).toBe(true);
    await page.clock.fastForward(60_000);
    expect(asked).toBe(1);
    answer();
    await page.getByRole('button', { name: /^(?:live|every \d)/ }).waitFor();
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await close();
  });

  const isLive = (page: Page) => page.getByRole('button', { name: 'live', exact: true });
  const asksItself = (page: Page) => page.getByRole('button', { name: /^every \d/ });

  it('loads as the eighth window in sight, and streams once another one is closed', async () => {
    const { page, complaints, close } = await openPage(browser(), listOf());
    const pages = [page];
    await isLive(page).waitFor();
    while (pages.length < 8) {
      const next = await page.context().newPage();
      await next.goto(listOf());
      await next.getByRole('row').filter({ hasText: 'write-ada' }).waitFor();
      // The windows that come first have the places.
      await (pages.length < 4 ? isLive(next) : asksItself(next)).waitFor();
      pages.push(next);
    }
    await queue.add('write-dan', {});
    for (const each of pages) {
      await each.getByRole('row').filter({ hasText: 'write-dan' }).waitFor();
    }
    await page.close();
    await expect
      .poll(async () =>
        (await Promise.all(pages.slice(4).map((each) => isLive(each).count()))).sort(),
      )
      .toEqual([0, 0, 0, 1]);
    expect(complaints).toEqual([]);
    await close();
  });

  it('streams only where it is in use, if windows cannot agree on their places', async () => {
    const { page, complaints, close } = await openPage(browser(), 'about:blank');
    await page.addInitScript(`
      delete Navigator.prototype.locks;
      document.hasFocus = () => globalThis.inUse !== false;
    `);
    await page.goto(listOf());
    await isLive(page).waitFor();
    const turn = (inUse: boolean) =>
      page.evaluate(`inUse = ${inUse}; dispatchEvent(new Event('${inUse ? 'focus' : 'blur'}'))`);
    await turn(false);
    await asksItself(page).waitFor();
    await turn(true);
    await isLive(page).waitFor();
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await close();
  });
});
