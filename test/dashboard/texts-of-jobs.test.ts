/** Logs with colours, errors that name a child, flows that count themselves, stacks by key, names from right to left. */

import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;
const reason = 'The press of the third hall stands still because its paper is torn in two places';

describeInBrowser('texts of jobs', (browser) => {
  let world: CellWorld;
  let press: TestQueue;
  let board: ServedBoard;
  let open: OpenPage;
  let [parent, child]: string[] = [];
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened || !opened.flow) throw new Error('There is no cell.');
    world = opened;
    press = await world.queue('press');
    parent = await world.flow?.({
      name: 'book',
      queue: press,
      children: [
        { name: 'page', queue: press, opts: { failParentOnFailure: true } },
        ...Array.from({ length: 25 }, () => ({ name: 'cover', queue: press })),
      ],
    });
    const stop = await press.work(async (job) => {
      if (job.name !== 'page') return;
      await job.log('\u001B[1;31mtorn\u001B[0m paper \u001B[38;5;2mdry\u001B[39m\u001B[2K');
      throw new Error(reason);
    });
    await vi.waitUntil(async () => (await press.counts())['failed'] === 2, { timeout: 60_000 });
    await stop();
    await press.schedule('weekly', { every: 604_800_000 });
    board = await serveBoard([press.boardQueue()]);
    const failed = (await board.get('/api/queues/press/jobs?status=failed')).body.jobs;
    child = (failed as { id: string; name: string }[]).find(({ name }) => name === 'page')?.id;
    open = await openPage(browser(), `${board.url}/`);
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await world?.close();
  });
  const show = (path: string) => open.page.goto(`${board.url}${path}`);

  it('shows the colours of a log, and neither their codes nor those of a terminal', async () => {
    const { page, complaints } = open;
    await show(`/queue/press/${child}?tab=logs`);
    const line = page.locator('pre').last();
    await expect.poll(() => line.innerText()).toMatch(/1\s*torn paper dry\s*$/);
    const colours = await line
      .locator('[data-colour]')
      .evaluateAll((pieces) => pieces.map((piece) => [piece.textContent, piece.dataset['colour']]));
    expect(colours).toEqual([
      ['torn', 'red'],
      ['dry', 'green'],
    ]);
    await page.getByRole('searchbox', { name: 'Filter lines' }).fill('torn paper');
    await expect.poll(() => line.innerText()).toMatch(/torn paper/);
    expect(complaints).toEqual([]);
  });

  it('leads from the error of a parent to the child, and lets keys reach a stack', async () => {
    const { page, complaints } = open;
    await show(`/queue/press/${child}`);
    const stack = page.getByRole('region', { name: 'Stack trace' });
    await stack.focus();
    const focused = `document.activeElement.getAttribute('aria-label')`;
    expect(await page.evaluate<string>(focused)).toBe('Stack trace');
    await show(`/queue/press/${parent}`);
    await page
      .getByRole('region', { name: 'Error' })
      .getByRole('link', { name: new RegExp(`:${child}$`) })
      .click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/board/queue/press/${child}`);
    expect(complaints).toEqual([]);
  });

  it('counts the jobs of a flow, also those that it does not show', async () => {
    await show(`/queue/press/${parent}?tab=flow`);
    await open.page.getByText('21 of 27 jobs').waitFor();
  });

  it('cuts a text at its end in a page from the right', async () => {
    const { page, close } = await openPage(browser(), `${board.url}/queue/press?state=failed`, {
      locale: 'ar',
      viewport: { width: 900, height: 800 },
    });
    const why = page.locator('tbody td[class*=c-why] span').first();
    await why.waitFor();
    const first = await page.evaluate<boolean[]>(`(() => {
      const text = document.querySelector('tbody td[class*=c-why] span');
      const range = document.createRange();
      range.selectNodeContents(text);
      const [line] = range.getClientRects();
      const cell = text.closest('td').getBoundingClientRect();
      return [line.left >= cell.left - 1, line.right > cell.right];
    })()`);
    // Its beginning is in the cell, and its end is beyond it.
    expect(first).toEqual([true, true]);
    await close();
  });

  it('says why a schedule has no runs, and runs it', async () => {
    const { page, complaints } = open;
    await show('/job-schedulers');
    const row = page.getByRole('row').filter({ hasText: 'weekly' });
    await row.getByText('not yet: first').waitFor();
    const boss = await makeWorld(newestLibrary, 'dashboard_schedules_without_data');
    await boss.boss.createQueue('letters');
    await boss.boss.schedule('letters', '0 3 * * *', null, { key: 'nightly' });
    const { origin } = await boss.board();
    await page.goto(`${origin}/schedules`);
    const nightly = page.getByRole('row').filter({ hasText: 'nightly' });
    await nightly.getByText('not yet: first').waitFor();
    await nightly.getByRole('button', { name: /^Run now/ }).click();
    await page.getByText(/^nightly was run/).waitFor();
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await boss.close();
  });

  it('says beside a button that cannot be used yet what is missing', async () => {
    const { page } = open;
    await show('/job-schedulers');
    await page.getByRole('button', { name: 'New schedule' }).click();
    const dialog = page.getByRole('dialog');
    const said = () =>
      page.evaluate<string>(
        `document.getElementById(document.querySelector('dialog footer :disabled')
          .getAttribute('aria-describedby')).textContent`,
      );
    await dialog.getByLabel('Key').waitFor();
    expect(await said()).toBe('A key is missing.');
    await dialog.getByLabel('Key').fill('hourly');
    await expect.poll(said).toBe('It is missing when it runs.');
  });
});
