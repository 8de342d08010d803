/** Answers of commands that arrive when the person does something else by then: it is not taken away. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { World } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** Holds the answers of commands back until it is called. */
async function holdCommands(page: Page): Promise<() => void> {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/api/**', async (route) => {
    if (route.request().method() === 'GET') return route.continue();
    const response = await route.fetch();
    await released;
    return route.fulfill({ response });
  });
  return release;
}

const form = (page: Page) => page.getByRole('dialog', { name: /^Add a job/ });

/** Sends a job, closes the form, and writes in a new one, which stays when the answer arrives. */
async function writesAnother(page: Page, options: string, tone: 'info' | 'danger'): Promise<void> {
  const release = await holdCommands(page);
  await page.getByRole('button', { name: 'Add job' }).click();
  await form(page).getByRole('button', { name: 'JSON' }).click();
  await form(page).getByLabel('Data (JSON)').fill('{"letter": 1}');
  await form(page).getByLabel('Options (JSON)').fill(options);
  await form(page).getByRole('button', { name: 'Add job' }).click();
  await page.keyboard.press('Escape');
  await form(page).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Add job' }).click();
  await form(page).getByRole('button', { name: 'JSON' }).click();
  await form(page).getByLabel('Data (JSON)').fill('{"letter": 2}');
  release();
  await page.getByRole('status').locator(`[data-tone=${tone}]`).waitFor();
  expect(await form(page).getByLabel('Data (JSON)').inputValue()).toBe('{"letter": 2}');
  expect(await form(page).getByRole('alert').count()).toBe(0);
}

/** Removes the job that is shown and goes elsewhere before the answer, which does not lead away from there. */
async function removesAndLeaves(page: Page): Promise<void> {
  const release = await holdCommands(page);
  await page.getByRole('button', { name: /^Remove/ }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove the job' }).click();
  await page.getByRole('link', { name: 'Workers' }).click();
  await page.getByRole('heading', { level: 1, name: 'Workers' }).waitFor();
  release();
  await page.getByText(/removed$/).waitFor();
  expect(new URL(page.url()).pathname).toMatch(/\/workers$/);
}

describeInBrowser('a late answer', (browser) => {
  describe('of BullMQ', () => {
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
      board = await serveBoard([queue.boardQueue()], {
        ui: { pollingInterval: { forceInterval: 1 } },
      });
      return () => board.close();
    });
    afterAll(() => world?.close());

    const listOf = () => `${board.url}/queue/${queue.name}?state=waiting`;

    it.each([
      ['that it was added', '{}', 'info'],
      ['that it was refused', '{"delay": -1}', 'danger'],
    ] as const)('says of a form %s, and leaves another form open', async (_, options, tone) => {
      const { page, close } = await openPage(browser(), listOf());
      await writesAnother(page, options, tone);
      await close();
    });

    it('does not lead away from another screen', async () => {
      const { page, close } = await openPage(browser(), listOf());
      await page.getByRole('row').nth(1).getByRole('link').click();
      await removesAndLeaves(page);
      await close();
    });

    it('does not ask about other jobs than those that were selected', async () => {
      const { page, close } = await openPage(browser(), `${board.url}/queue/${queue.name}`);
      const rows = page.locator('tbody tr[data-id]');
      await page.getByRole('button', { name: 'waiting 3' }).click();
      // Rows of the state before are shown until those of this one are there.
      await page.getByRole('table', { name: /: waiting$/ }).waitFor();
      await page.locator('[data-stale]').waitFor({ state: 'detached' });
      await page.keyboard.press('Shift+A');
      await page.keyboard.press('d');
      await page.getByRole('button', { name: 'Remove 3 jobs' }).waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await rows.first().getByRole('checkbox').check();
      await page.getByText('1 selected').waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      await close();
    });

    it('does not let a delay overwrite one that another tab has set', async () => {
      const id = await queue.add('later', {}, { delay: 3_600_000 });
      const { page, close } = await openPage(browser(), `${board.url}/queue/${queue.name}/${id}`);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: /^Change priority/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('spinbutton').fill('5');
      const { body } = await board.get(`/api/queues/${queue.name}/${id}`);
      const path = `/api/queues/${queue.name}/${id}/priority`;
      const { status } = await board.send('PATCH', path, {
        priority: 7,
        ifUnchanged: body.version,
      });
      expect(status).toBeLessThan(300);
      // The page behind knows it.
      await page.getByRole('main').getByText('7', { exact: true }).waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText(/changed/).waitFor();
      expect((await board.get(`/api/queues/${queue.name}/${id}`)).body.job.priority).toBe(7);
      await close();
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_late');
      await world.boss.createQueue('letters');
    });
    afterAll(() => world?.close());

    it('leaves another form open, and does not lead away from another screen', async () => {
      const id = await world.boss.send('letters', { to: 'ada' });
      const { origin } = await world.board();
      const { page, close } = await openPage(browser(), `${origin}/queue/letters`);
      await writesAnother(page, '{}', 'info');
      await page.goto(`${origin}/queue/letters/${id}`);
      await page.unroute('**/api/**');
      await removesAndLeaves(page);
      await close();
    });
  });
});
