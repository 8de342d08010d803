/** Guards of the page: what it does not ask, show, offer or overwrite in moments that are over quickly. */

import { execFileSync } from 'node:child_process';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;
const day = 86_400_000;

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });

/** Holds the answers to a path back until it is called; `asked` resolves with the first of them. */
async function hold(page: Page, path: string) {
  let release = (): void => undefined;
  let note = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  const asked = new Promise<void>((resolve) => (note = resolve));
  await page.route(path, async (route) => {
    note();
    await released;
    await route.continue().catch(() => undefined);
  });
  return { asked, release };
}

describeInBrowser('guards of a page', (browser) => {
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
    board = await serveBoard([queue.boardQueue()]);
    return () => board.close();
  });
  afterAll(() => world?.close());

  const at = (path = '') => `${board.url}/queue/${queue.name}${path}`;

  describe('that asks by itself', () => {
    /** A page without a stream, whose clock the test moves. */
    const polling = async () => {
      await queue.add('write-ada', {});
      const { page, close } = await openPage(browser(), 'about:blank');
      await page.clock.install();
      await page.route('**/api/live', (route) => route.fulfill({ status: 404 }));
      await page.goto(at('?state=waiting'));
      await row(page, 'write-ada').waitFor();
      return { page, close };
    };
    const jobs = '**/api/queues/*/jobs?*';

    it('stays paused when the answer of a read comes that was under way', async () => {
      const { page, close } = await polling();
      const { asked, release } = await hold(page, jobs);
      await page.clock.fastForward(6_000);
      await asked;
      await page.keyboard.press('Space');
      const paused = page.getByRole('button', { name: 'paused', exact: true });
      await paused.waitFor();
      await queue.add('write-bea', {});
      release();
      await row(page, 'write-bea').waitFor();
      await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
      expect(await paused.count()).toBe(1);
      await close();
    });

    it('asks nothing more where it was hidden while a read was under way', async () => {
      const { page, close } = await polling();
      const { asked, release } = await hold(page, jobs);
      await page.clock.fastForward(6_000);
      await asked;
      await page.evaluate(`(() => {
        Object.defineProperty(document, 'hidden', { configurable: true, get: () => true });
        document.dispatchEvent(new Event('visibilitychange'));
      })()`);
      await queue.add('write-bea', {});
      release();
      await row(page, 'write-bea').waitFor();
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await page.clock.fastForward('05:00');
      // A request would be under way before the answer of this evaluation.
      await page.evaluate('document.hidden');
      expect(requests).toEqual([]);
      await close();
    });

    it('waits as long as a server asks it to', async () => {
      const { page, close } = await polling();
      let refused = 0;
      await page.route(jobs, (route) => {
        refused += 1;
        return route.fulfill({ status: 429, headers: { 'retry-after': '40' }, json: {} });
      });
      await page.clock.fastForward(6_000);
      await page.getByRole('button', { name: /^stale \d/ }).waitFor();
      const first = refused;
      await page.clock.fastForward(30_000);
      await page.evaluate('document.hidden');
      expect(refused).toBe(first);
      await page.unroute(jobs);
      await queue.add('write-bea', {});
      await page.clock.fastForward(15_000);
      await row(page, 'write-bea').waitFor();
      await close();
    });
  });

  /** Goes to the screen of a queue as a person does, without a reload. */
  const goTo = async (page: Page, name: string) => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Find or do' }).fill(name);
    await page.getByRole('option', { name }).first().click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
  };

  it('hides a command that one queue has refused from that queue alone', async () => {
    const next = await world.queue(`parcels-${round}`);
    const both = await serveBoard([queue.boardQueue(), next.boardQueue()]);
    const { page, close } = await openPage(browser(), `${both.url}/queue/${queue.name}`);
    await page.route('**/pause', (route) =>
      route.fulfill({ status: 403, json: { error: { key: 'ERRORS.ACTION_NOT_ALLOWED' } } }),
    );
    const pause = page.getByRole('button', { name: 'Pause', exact: true });
    await pause.click();
    await pause.waitFor({ state: 'detached' });
    await goTo(page, next.name);
    await pause.waitFor();
    await close();
    await both.close();
  });

  it('withdraws the commands that a stream says are not allowed any more', async () => {
    let grants: readonly ('*' | '*.read')[] = ['*'];
    const guarded = await serveBoard([queue.boardQueue()], {
      permissions: () => grants,
      live: { intervalMs: 100, recheckMs: 100 },
    });
    const { page, close } = await openPage(browser(), `${guarded.url}/queue/${queue.name}`);
    await page.getByRole('button', { name: 'live', exact: true }).waitFor();
    const add = page.getByRole('button', { name: 'Add job' });
    await add.waitFor();
    // Nothing but the stream tells it.
    await page.route(/\/api\/queues(?:\?|$)/, () => undefined);
    grants = ['*.read'];
    await queue.add('write-ada', {});
    await add.waitFor({ state: 'detached' });
    await close();
    await guarded.close();
  });

  it('polls as long as one of its boards has no stream', async () => {
    const boards = [
      { title: 'Own', basePath: '/board', engine: 'kvq' },
      { title: 'Other', basePath: '/other', engine: 'kvq' },
    ] as const;
    const listed = await serveBoard([queue.boardQueue()], { ui: { boards } });
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.route('**/other/**', (route) => route.fulfill({ status: 404, json: {} }));
    const streams = page.waitForResponse('**/board/api/live');
    await page.goto(`${listed.url}/queue/${queue.name}`);
    await streams;
    // Another stream of the page, which tells the queues later than its own.
    await page.evaluate(`new Promise((resolve) => {
      new EventSource('/board/api/live').addEventListener('snapshot', resolve);
    })`);
    await page.getByRole('button', { name: /^every \d/ }).waitFor();
    expect(await page.getByRole('button', { name: 'live', exact: true }).count()).toBe(0);
    await close();
    await listed.close();
  });

  it('stops a count that nobody waits for any more', async () => {
    for (const name of ['write-ada', 'write-bea']) await queue.add(name, {});
    const { page, close } = await openPage(browser(), at('?state=waiting&size=1&q=write'));
    const id = '00000000-0000-4000-8000-000000000000';
    const counts = { total: null, examined: 0, matched: 0, changed: 0, refused: [] };
    const run = { id, queueName: queue.name, action: 'remove', dryRun: true, state: 'running' };
    const json = { run: { ...run, ...counts, startedAt: 1, endedAt: null } };
    await page.route('**/api/bulk', (route) => route.fulfill({ json }));
    await page.route('**/api/bulk/*', (route) => route.fulfill({ json }));
    const cancelled = page.waitForRequest(`**/api/bulk/${id}/cancel`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.waitForRequest(`**/api/bulk/${id}`);
    await page.getByRole('checkbox', { name: 'Select all on this page' }).uncheck();
    expect((await cancelled).method()).toBe('POST');
    await close();
  });

  it('counts anew how many jobs a question is about', async () => {
    const opts = { timestamp: Date.now() - 60_000 };
    for (const name of ['write-ada', 'write-bea']) await queue.add(name, {}, opts);
    const { page, close } = await openPage(browser(), at('?state=waiting&size=1&q=write'));
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match' }).click();
    await page.getByText('All 2 jobs that match').waitFor();
    await queue.add('write-cy', {}, opts);
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page.getByRole('dialog', { name: 'Remove 3 jobs?' }).waitFor();
    await close();
  });

  it('shows recorded hours where a queue has not counted its minutes', async () => {
    const asked: unknown[] = [];
    const recorded = await serveBoard([queue.boardQueue()], {
      historyProvider: {
        async getHistory({ metric, granularity }) {
          asked.push([metric, granularity]);
          return [];
        },
      },
    });
    const { page, close } = await openPage(browser(), 'about:blank');
    const counted = Array.from({ length: 90 }, () => 1);
    const one = { workers: 0, oldestWaiting: 0, perMinute: null };
    const queues = [
      { ...one, queueName: 'one', minutes: { completed: counted, failed: counted } },
      { ...one, queueName: 'other', minutes: null },
    ];
    await page.route('**/api/activity?*', (route) =>
      route.fulfill({ json: { at: Date.now(), queues } }),
    );
    await page.goto(`${recorded.url}/metrics-history?range=1h`);
    await expect.poll(() => asked).toContainEqual(['completed', 'hour']);
    await close();
    await recorded.close();
  });

  it('offers a command again that a conflict has refused', async () => {
    const id = await queue.add('later', {}, { delay: day });
    const { page, close } = await openPage(browser(), at(`/${id}`));
    const path = '**/promote';
    await page.route(path, (route) =>
      route.fulfill({ status: 409, json: { error: { key: 'ERRORS.JOB_CHANGED' } } }),
    );
    const promote = page.getByRole('button', { name: /^Promote/ });
    await promote.click();
    await page.getByRole('status').locator('[data-tone=danger]').waitFor();
    await page.unroute(path);
    await promote.click();
    await expect.poll(() => queue.state(id)).toBe('waiting');
    await close();
  });

  it('begins no command by a key behind an open dialog', async () => {
    for (const name of ['write-ada', 'write-bea']) await queue.add(name, {});
    const { page, close } = await openPage(browser(), at('?state=waiting'));
    await row(page, 'write-ada').getByRole('checkbox').check();
    const all = () => page.keyboard.press('Shift+A');
    const chosen = (text: string) => page.getByText(text, { exact: true });
    await page.keyboard.press('d');
    await page.getByRole('dialog').waitFor();
    await all();
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(resolve))');
    expect(await chosen('1 selected').count()).toBe(1);
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await all();
    await chosen('2 selected').waitFor();
    await close();
  });

  it('removes no job that is in another state than the one that is shown', async () => {
    const id = await queue.add('write-ada', {});
    const { page, close } = await openPage(browser(), at(`/${id}`));
    const remove = page.getByRole('button', { name: /^Remove/ });
    await remove.waitFor();
    // It is not told what becomes of the job.
    await page.route(`**/api/queues/${queue.name}/${id}*`, async (route) => {
      if (route.request().method() !== 'GET') await route.continue();
    });
    const stop = await queue.work(async () => undefined);
    await expect.poll(() => queue.state(id)).toBe('completed');
    await stop();
    await remove.click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove the job' }).click();
    await page.getByRole('status').locator('[data-tone=danger]').waitFor();
    expect(await queue.state(id)).toBe('completed');
    await close();
  });

  it('edits data as they are stored, with digits that JavaScript would round', async () => {
    const id = await queue.add('write-ada', {});
    const { client, key } = queue.redis ?? {};
    await client?.hset(String(key?.(id)), 'data', '{"n":12345678901234567890}');
    const { page, close } = await openPage(browser(), at(`/${id}`));
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'JSON' }).click();
    const box = page.getByRole('dialog').getByRole('textbox', { name: 'Data' });
    await expect.poll(() => box.textContent()).toContain('12345678901234567890');
    await close();
  });

  it('searches for several paths of data together, and takes no condition in silence', async () => {
    const id = await queue.add('write-ada', { a: 1, b: 1 });
    const { page, close } = await openPage(browser(), at('?state=waiting'));
    const line = page.getByRole('combobox', { name: /filter/i });
    const apply = async (text: string) => {
      await line.fill(text);
      await page.keyboard.press('Enter');
    };
    await apply('data.a = 2 and data.b = 1');
    await page.getByText('No job matches.').waitFor();
    await apply('data.a = 1 and not (data.b = 2 or name = other)');
    await page.getByRole('row', { name: /write-ada/ }).waitFor();
    await apply(`id = ${id} and data.a = 2`);
    await page.getByText('No job matches.').waitFor();
    await apply(`id = ${id}`);
    await page.getByRole('row', { name: /write-ada/ }).waitFor();
    await close();
  });

  describe('outside of UTC', () => {
    const zoned: BrowserContextOptions = {
      timezoneId: 'Asia/Tokyo',
      permissions: ['clipboard-read', 'clipboard-write'],
    };

    it('shows in its dialog when a job runs, and leaves that as it was', async () => {
      const id = await queue.add('later', {}, { delay: 3 * day });
      const { client, key } = queue.redis ?? {};
      const runsAt = async () =>
        Number(await client?.zscore(String(key?.('delayed')), id)) / 0x1000;
      const before = await runsAt();
      const { page, close } = await openPage(browser(), at(`/${id}`), zoned);
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: /^Change when it runs/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
      await page.getByText(`Saved ${id}`).waitFor();
      // The dialog has minutes.
      expect(Math.round((await runsAt()) / 60_000)).toBe(Math.floor(before / 60_000));
      await close();
    });

    it('shows times in the zone that was switched to', async () => {
      const added = Date.parse('2026-01-05T20:30:00Z');
      await queue.add('old', {}, { timestamp: added });
      const { page, close } = await openPage(browser(), at('?state=waiting'), zoned);
      const time = row(page, 'old').locator('time').first();
      await expect.poll(() => time.textContent()).toContain('05:30');
      await page.getByRole('button', { name: 'Local time', exact: true }).click();
      await expect.poll(() => time.textContent()).toContain('20:30');
      await close();
    });

    it('copies a command for a shell, whatever the data of the job are', async () => {
      const data = { text: `it's $(id) \`id\` "x" \\` };
      const id = await queue.add('write', data);
      const { page, close } = await openPage(browser(), at(`/${id}`), zoned);
      await page.getByText("it's").first().waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Copy as curl' }).click();
      const copied = () => page.evaluate<string>('navigator.clipboard.readText()');
      await expect.poll(copied).toContain('curl');
      const command = `curl() { for last; do :; done; printf %s "$last"; }\n${await copied()}`;
      const sent = JSON.parse(execFileSync('sh', ['-c', command], { encoding: 'utf8' }));
      expect(sent).toEqual({ name: 'write', data });
      await close();
    });
  });
});
