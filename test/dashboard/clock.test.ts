/** The dashboard in a browser whose clock is wrong: ages, and times told from now, are those of the server. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const minuteMs = 60_000;

const [cell] = cells;

describeInBrowser('a clock that is wrong', (browser) => {
  /** Screens of a queue with a job of a minute ago and one of an hour and a half ago, and their ids. */
  const screens: { readonly engine: string; readonly url: string; readonly ids: string[] }[] = [];
  const closing: { close(): Promise<unknown> }[] = [];
  beforeAll(async () => {
    const world = await cell?.open();
    if (!world || 'missing' in world) throw new Error('There is no cell.');
    const queue = await world.queue('aged');
    const added: string[] = [];
    for (const minutes of [1.5, 90.5])
      added.push(await queue.add('letter', {}, { timestamp: Date.now() - minutes * minuteMs }));
    const board = await serveBoard([queue.boardQueue()]);
    screens.push({ engine: 'kvq', url: `${board.url}/queue/aged`, ids: added });

    const pgBoss = await makeWorld(newestLibrary, 'clock');
    await pgBoss.boss.createQueue('aged');
    const ids: string[] = [];
    for (const seconds of [1.5 * 60, 90.5 * 60]) {
      const id = (await pgBoss.boss.send('aged', {})) ?? '';
      await pgBoss.admin.query(
        `update pgboss.job set created_on = now() - $2 * interval '1 second' where id = $1`,
        [id, seconds],
      );
      ids.push(id);
    }
    const other = await pgBoss.board();
    screens.push({ engine: 'pgq', url: `${other.origin}/queue/aged`, ids });
    closing.push(board, world, other, pgBoss);
  });
  afterAll(async () => {
    for (const each of closing) await each.close();
  });

  it.each([
    { engine: 'kvq', hours: 1 },
    { engine: 'kvq', hours: -1 },
    { engine: 'pgq', hours: 1 },
    { engine: 'pgq', hours: -1 },
  ])('changes no age and no filter of $engine when it is $hours h ahead', async (given) => {
    const { url = '', ids = [] } = screens.find(({ engine }) => engine === given.engine) ?? {};
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.clock.install({ time: Date.now() + given.hours * 60 * minuteMs });
    await page.goto(url);
    const row = (at: number) => page.locator(`tbody tr[data-id='${ids[at]}']`);
    await row(0)
      .getByText(/^[12] min ago$/)
      .first()
      .waitFor();
    await row(1).getByText('1 hr ago').first().waitFor();
    await page.getByRole('combobox', { name: 'Filter jobs' }).fill('added < 1h');
    await page.keyboard.press('Enter');
    await expect.poll(() => row(1).count()).toBe(0);
    expect(await row(0).count()).toBe(1);
    await close();
  });
});
