/** The first visit of the overview: what it asks for, and when. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import type { CellWorld } from '../board/kvq/cell.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('the first load', (browser) => {
  let world: CellWorld;
  let board: ServedBoard;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    const queues = [(await world.queue('mail')).boardQueue()];
    // No poll comes before the first rows, however slow the machine is.
    board = await serveBoard(queues, { ui: { pollingInterval: { forceInterval: 600 } } });
  });
  afterAll(async () => {
    await board?.close();
    await world?.close();
  });

  /** Opens the page; no script arrives before the queues have been asked for. */
  async function asksFirst(url: string, listing: RegExp, queue: string): Promise<string[]> {
    const { page, complaints, close } = await openPage(browser(), 'about:blank');
    const asked: string[] = [];
    const first = page.waitForRequest((request) => listing.test(request.url()));
    await page.route('**/assets/*.js', async (route) => {
      await first;
      await route.continue();
    });
    page.on('request', (request) => {
      if (listing.test(request.url())) asked.push(request.url());
    });
    await page.goto(url);
    await page.getByRole('rowheader').getByRole('link', { name: queue }).waitFor();
    // Polls follow.
    const until = asked.length;
    await page.getByRole('button', { name: 'live' }).waitFor();
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await close();
    return asked.slice(0, until);
  }

  it('asks for the queues of BullMQ while the scripts load, and once', async () => {
    const asked = await asksFirst(`${board.url}/`, /\/api\/queues\?/, 'mail');
    expect(asked).toEqual([`${board.url}/api/queues?jobs=false`]);
  });

  it('asks for the queues of pg-boss while the scripts load, and once', async () => {
    const boss = await makeWorld(newestLibrary, 'dashboard_first_load');
    await boss.boss.createQueue('letters');
    const { origin } = await boss.board();
    const asked = await asksFirst(`${origin}/`, /\/api\/pgq\/queues$/, 'letters');
    expect(asked).toEqual([`${origin}/api/pgq/queues`]);
    await boss.close();
  });

  it('asks for no listing of queues on another screen', async () => {
    // In a wider window the sidebar lists the queues.
    const viewport = { width: 1_100, height: 800 };
    const { page, close } = await openPage(browser(), 'about:blank', { viewport });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (/\/api\/queues\?/.test(request.url())) asked.push(request.url());
    });
    await page.goto(`${board.url}/warnings`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(asked).toEqual([]);
    await close();
  });
});
