/** Names of queues and ids of jobs with characters that mean something in an address. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;

/** A name for people, and the name. */
const titled = (names: readonly string[]) =>
  names.map((name) => [name.length > 20 ? `of ${name.length} characters` : name, name] as const);

/** Goes from the overview to the job of a queue, with a reload of each screen. */
async function reachJob({ page }: OpenPage, url: string, name: string): Promise<void> {
  await page.goto(`${url}/?group=no`);
  await page.locator('tbody').getByRole('link', { name, exact: true }).first().click();
  await page.getByRole('heading', { level: 1, name, exact: true }).waitFor();
  await page.reload();
  await page.locator('tbody tr').first().getByRole('link').first().click();
  await page.getByText(`"only of ${name}"`).waitFor();
  await page.reload();
  await page.getByText(`"only of ${name}"`).waitFor();
}

describeInBrowser('names in addresses', (browser) => {
  describe('of BullMQ', () => {
    const names = [
      'a%2Fb',
      'a/b?c=d#e&f',
      'two words',
      '100%',
      '$queueName',
      'x'.repeat(200),
      '.',
      '..',
      '%2E',
    ];
    const queues = new Map<string, TestQueue>();
    let world: CellWorld;
    let board: ServedBoard;
    let open: OpenPage;
    beforeAll(async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no Redis.');
      world = opened;
      for (const name of names) {
        const queue = await world.queue(name);
        queues.set(name, queue);
        const jobId = `${name.slice(0, 20)} 1`;
        await queue.add('write', { text: `only of ${name}` }, { jobId, delay: 3_600_000 });
      }
      board = await serveBoard([...queues.values()].map((queue) => queue.boardQueue()));
      open = await openPage(browser(), `${board.url}/`);
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it.each(titled(names))('leads to the job of the queue %s, and promotes it', async (_, name) => {
      const { page, complaints } = open;
      await reachJob(open, board.url, name);
      await page.getByRole('button', { name: 'Promote' }).click();
      await expect.poll(async () => (await queues.get(name)?.counts())?.['delayed']).toBe(0);
      expect(complaints).toEqual([]);
    });

    it('pauses a queue named like a step of a path, and no other', async () => {
      const { page, complaints } = open;
      await page.goto(`${board.url}/?group=no`);
      await page.getByRole('button', { name: 'Actions of .', exact: true }).click();
      await page.getByRole('menuitem', { name: 'Pause' }).click();
      const paused = async () => {
        const { body } = await board.get('/api/queues?jobs=false');
        return body.queues
          .filter(({ isPaused }: { isPaused: boolean }) => isPaused)
          .map(({ name }: { name: string }) => name);
      };
      await expect.poll(paused).toEqual(['.']);
      expect(complaints).toEqual([]);
    });
  });

  describe('of pg-boss', () => {
    const names = ['a/b', 'a/../b', 'a//b', '/', 'x'.repeat(200), '.', '..'];
    let world: World;
    let board: BoardUnderTest;
    let open: OpenPage;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_paths');
      for (const name of names) {
        await world.boss.createQueue(name);
        await world.boss.send(name, { text: `only of ${name}` });
      }
      board = await world.board();
      open = await openPage(browser(), `${board.origin}/`);
    });
    afterAll(async () => {
      await open?.close();
      await world?.close();
    });

    it.each(titled(names))('leads to the job of the queue %s, and cancels it', async (_, name) => {
      const { page, complaints } = open;
      await reachJob(open, board.origin, name);
      await page.getByRole('button', { name: 'Cancel' }).click();
      const { admin } = world;
      const state = async () =>
        (await admin.query('select state from pgboss.job where name = $1', [name])).rows[0]?.state;
      await expect.poll(state).toBe('cancelled');
      expect(complaints).toEqual([]);
    });
  });
});
