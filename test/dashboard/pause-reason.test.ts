/** A pause with a reason: asked for in the menu of one queue and of several, and told in the head of the queue and on the overview. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { hosts } from '../http/mounts/hosts.ts';
import { expectAccessible } from './axe.ts';
import { mountBoard, signIn } from './mounted-board.ts';
import type { MountedBoard } from './mounted-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** As long as a reason can be, in one word and in many. */
const reasons = ['bank is down', 'x'.repeat(200), 'down '.repeat(40).trim()];

describeInBrowser('a pause with a reason', (browser) => {
  let world: CellWorld;
  let board: MountedBoard;
  beforeAll(async () => {
    const found = await cell?.open();
    const host = hosts.find(({ name }) => name === 'Express 5');
    if (!found || 'missing' in found || !host) throw new Error('There is no cell.');
    world = found;
    const queues = [await world.queue('mail'), await world.queue('push')];
    board = await mountBoard(
      host,
      queues.map((queue) => queue.boardQueue()),
    );
  });
  afterAll(async () => {
    await board?.close();
    await world?.close();
  });

  it.each([390, 1_440])('is told with who has paused it, at %i px', async (width) => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`, {
      viewport: { width, height: 900 },
    });
    await signIn(page);
    for (const reason of reasons) {
      await page.getByRole('button', { name: 'Actions of mail' }).click();
      await page.getByRole('menuitem', { name: 'Pause with a reason…' }).click();
      const dialog = page.getByRole('dialog', { name: 'Pause mail' });
      await dialog.getByLabel('Reason').fill(reason);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Pause' }).click();
      // The head tells it, and a mark of the timeline.
      await page.getByText(`by ada: ${reason}`).first().waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Resume', exact: true }).click();
      await page.getByText('running', { exact: true }).waitFor();
      expect(await page.getByText('by ada').count()).toBe(0);
    }
    expect(complaints.filter((each) => !each.includes('401'))).toEqual([]);
    await close();
  });

  it('is given to several queues at once, and told on the overview', async () => {
    const { page, close } = await openPage(browser(), `${board.url}/`);
    await signIn(page);
    await page.getByRole('button', { name: 'Actions of the queues shown' }).click();
    await page.getByRole('menuitem', { name: 'Pause 2 queues' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Reason').fill('bank is down');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Pause 2 queues' }).click();
    const told = page.getByRole('main').getByTitle('ada: bank is down');
    await expect.poll(() => told.count()).toBe(2);
    await page.goto(`${board.url}/queue/push`);
    await page.getByText('by ada: bank is down').first().waitFor();
    await close();
  });
});
