/** The parts that a poll draws again: the rows whose queue or job has changed, and no others. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

/** Notes each row, by the text of its link, whose nodes have changed, and the layout shifts. */
const noting = `
  window.touched = new Set();
  const seen = [];
  const see = (entries) => {
    for (const { value, sources } of entries) {
      seen.push(value + ' ' + sources.map(({ node }) => node?.textContent));
    }
  };
  const observer = new PerformanceObserver((list) => see(list.getEntries()));
  observer.observe({ type: 'layout-shift' });
  window.shifts = () => (see(observer.takeRecords()), seen.splice(0));
  const nameOf = (row) => row.querySelector('[data-row-link]')?.textContent ?? 'unnamed';
  new MutationObserver((records) => {
    for (const { target } of records) {
      const row = (target.nodeType === 1 ? target : target.parentElement)?.closest('tbody tr');
      if (row) window.touched.add(nameOf(row));
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
`;

/** Counts the runs of the function that draws the cells of a row, which alone writes both of these attributes. */
async function countRows(page: Page): Promise<() => Promise<number>> {
  const client = await page.context().newCDPSession(page);
  const texts = new Map<string, Promise<string>>();
  client.on('Debugger.scriptParsed', ({ scriptId, url }) => {
    if (!url.endsWith('.js')) return;
    const text = client.send('Debugger.getScriptSource', { scriptId }).then(
      ({ scriptSource }) => scriptSource,
      // Its page has been left.
      () => '',
    );
    texts.set(scriptId, text);
  });
  await client.send('Debugger.enable');
  await client.send('Profiler.enable');
  await client.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  return async () => {
    const known = new Map<string, string>();
    for (const [scriptId, text] of texts) known.set(scriptId, await text);
    // It begins to count anew.
    const { result } = await client.send('Profiler.takePreciseCoverage');
    const drawing = result.flatMap(({ scriptId, functions }) =>
      functions.flatMap(({ ranges: [range] }) => {
        const text = known.get(scriptId)?.slice(range?.startOffset, range?.endOffset) ?? '';
        return range && text.includes('data-label') && text.includes('colSpan')
          ? [{ count: range.count, length: text.length }]
          : [];
      }),
    );
    return drawing.toSorted((left, right) => left.length - right.length)[0]?.count ?? 0;
  };
}

/** An event of a trace; of layouts, the number of objects that were laid out. */
interface Traced {
  readonly name: string;
  readonly args?: {
    readonly beginData?: { readonly partialLayout: boolean; readonly totalObjects: number };
  };
}

const touched = (page: Page): Promise<string[]> => page.evaluate('[...window.touched].sort()');

/** The layout shifts since they were last forgotten or asked for. */
const shifts = (page: Page): Promise<string[]> =>
  page.evaluate(`(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    return window.shifts();
  })()`);

const forget = (page: Page): Promise<unknown> =>
  page.evaluate('window.touched.clear(), window.shifts()');

/** Has everything that is shown read again, and waits until it is on the page. */
async function poll(page: Page, ...paths: readonly string[]): Promise<void> {
  const answers = paths.map((path) =>
    page.waitForResponse((response) => new URL(response.url()).pathname.endsWith(path)),
  );
  // Updates are paused, and begin again with a read.
  await page.keyboard.press('Space');
  await page.keyboard.press('Space');
  await Promise.all(answers);
  // An answer that is asked for afterwards arrives afterwards.
  await page.evaluate(`(async () => {
    await (await fetch(location.href)).text();
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  })()`);
}

const day = 86_400_000;

describeInBrowser('a poll', (browser) => {
  const cell = cells.find(({ datastore, library }) => datastore === 'kv' && library === 'current');
  let world: CellWorld;
  let queues: TestQueue[];
  let board: ServedBoard;
  let open: OpenPage;
  /** Rows that were drawn since it was last asked. */
  let drawn: () => Promise<number>;

  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('These tests need Redis.');
    world = opened;
    queues = [];
    for (let index = 0; index < 300; index += 1) queues.push(await world.queue(`queue-${index}`));
    board = await serveBoard(queues.map((queue) => queue.boardQueue()));
    // Wide enough for all columns beside the queues at the side.
    open = await openPage(browser(), `${board.url}/`, { viewport: { width: 1_440, height: 900 } });
    await open.page.addInitScript(noting);
    drawn = await countRows(open.page);
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await world?.close();
  });

  it('draws one row again if one of 300 queues has changed', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/?sort=name`);
    const row = page
      .locator('tbody tr')
      .filter({ has: page.getByText('queue-12', { exact: true }) });
    await row.getByText('0/min').waitFor();
    await page.getByRole('button', { name: 'live' }).waitFor();
    await poll(page, '/api/queues', '/api/activity');
    expect(await drawn()).toBeGreaterThan(10);
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);

    await forget(page);
    await queues[12]?.add('later', {}, { delay: day });
    await row.getByRole('img', { name: 'delayed 1' }).waitFor();
    await poll(page, '/api/queues', '/api/activity');
    expect(await touched(page)).toEqual(['queue-12']);
    // With its counts, and with its activity.
    expect(await drawn()).toBeLessThanOrEqual(2);
    expect(complaints).toEqual([]);
  });

  it('lays out the ages alone when they grow, and draws no row again', async () => {
    const { page, complaints } = open;
    for (let index = 20; index < 23; index += 1) await queues[index]?.add('now', {});
    await page.goto(`${board.url}/?sort=waiting`);
    const ages = page.locator('tbody td > time');
    await expect.poll(() => ages.count()).toBe(3);
    await page.getByRole('button', { name: 'live' }).waitFor();
    // Updates are paused; the clock is not.
    await page.keyboard.press('Space');
    await page.getByRole('button', { name: 'paused' }).waitFor();
    const grown = async (): Promise<void> => {
      const before = await ages.allTextContents();
      await expect
        .poll(async () => (await ages.allTextContents()).every((age, at) => age !== before[at]))
        .toBe(true);
    };
    await grown();
    await forget(page);
    await drawn();
    await browser().startTracing(page, { categories: ['devtools.timeline'] });
    await grown();
    const { traceEvents } = JSON.parse((await browser().stopTracing()).toString()) as {
      traceEvents: readonly Traced[];
    };
    expect(await touched(page)).toEqual(['queue-20', 'queue-21', 'queue-22']);
    expect(await drawn()).toBe(0);
    const layouts = traceEvents.flatMap(({ name, args }) =>
      name === 'Layout' && args?.beginData ? [args.beginData] : [],
    );
    expect(layouts.length).toBeGreaterThan(0);
    for (const { partialLayout, totalObjects } of layouts) {
      expect(partialLayout).toBe(true);
      // An age, and its text.
      expect(totalObjects).toBeLessThanOrEqual(6);
    }
    expect(complaints).toEqual([]);
  });

  it('keeps the order by trouble when one of equal queues is read again', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.url}/`);
    const row = (name: string) =>
      page.locator('tbody tr').filter({ has: page.getByText(name, { exact: true }) });
    const order = page.locator('tbody [data-row-link]');
    const first = async () => (await order.allTextContents()).slice(0, 3);
    await row('queue-22').locator('td > time').waitFor();
    await expect.poll(first).toEqual(['queue-20', 'queue-21', 'queue-22']);
    await page.getByRole('button', { name: 'live' }).waitFor();
    await forget(page);
    await queues[22]?.add('later', {}, { delay: day });
    await row('queue-22')
      .getByRole('img', { name: /delayed 1/ })
      .waitFor();
    expect(await shifts(page)).toEqual([]);
    await poll(page, '/api/queues', '/api/activity');
    expect(await first()).toEqual(['queue-20', 'queue-21', 'queue-22']);
    expect(complaints).toEqual([]);
  });

  it('draws one row again if one of 1,000 jobs is new', async () => {
    const { page, complaints } = open;
    const queue = queues[0] as TestQueue;
    // Times of other days are shown as such, and do not change from second to second.
    const timestamp = Date.now() - 2 * day;
    const later = { timestamp, delay: 40 * day };
    await queue.addBulk(
      Array.from({ length: 1_000 }, (_, index) => ({
        name: 'later',
        data: { index },
        opts: { ...later, jobId: `job-${index}` },
      })),
    );
    await page.goto(`${board.url}/queue/queue-0?state=delayed&size=1000`);
    await page.getByText('1,000 of 1,000').waitFor();
    expect(await page.locator('tbody tr').count()).toBeLessThan(100);
    await page.getByRole('button', { name: 'live' }).waitFor();
    await poll(page, '/api/queues/queue-0/jobs');
    expect(await drawn()).toBeGreaterThan(10);

    await forget(page);
    for (const delay of [30 * day, 50 * day]) {
      await queue.add('new', {}, { timestamp, delay, jobId: `new-${delay / day}` });
    }
    const added = page.getByRole('link', { name: /^new-\d+$/ });
    await added.first().waitFor();
    expect(await shifts(page)).toEqual([]);
    await poll(page, '/api/queues/queue-0/jobs');
    expect(await drawn()).toBe(1);
    expect(complaints).toEqual([]);
  });

  it('shifts nothing when a job comes before the others of a short list', async () => {
    const { page, complaints } = open;
    const queue = queues[1] as TestQueue;
    const timestamp = Date.now() - 2 * day;
    const add = (delay: number) =>
      queue.add('later', {}, { timestamp, delay: delay * day, jobId: `in-${delay}` });
    for (const delay of [40, 50, 60]) await add(delay);
    await page.goto(`${board.url}/queue/queue-1?state=delayed`);
    await page.getByRole('link', { name: 'in-60' }).waitFor();
    await page.getByRole('button', { name: 'live' }).waitFor();
    await poll(page, '/api/queues/queue-1/jobs');
    await forget(page);
    const order = page.locator('tbody tr[data-id] th');
    for (const delay of [70, 45]) {
      await add(delay);
      await page.getByRole('link', { name: `in-${delay}` }).waitFor();
      expect(await shifts(page)).toEqual([]);
    }
    expect(await order.allTextContents()).toEqual(['in-70', 'in-60', 'in-50', 'in-45', 'in-40']);
    expect(complaints).toEqual([]);
  });

  it('selects all of 1,000 rows, and takes them all', async () => {
    const { page, complaints } = open;
    const queue = queues[0] as TestQueue;
    await page.goto(`${board.url}/queue/queue-0?state=delayed&size=1000`);
    await page.getByText('1,000 of 1,002').waitFor();
    await page.keyboard.press('Shift+A');
    await page.getByText(/^1,?000 selected$/).waitFor();
    await page.keyboard.press('d');
    await page.getByRole('button', { name: 'Remove 1,000 jobs' }).click();
    await page.getByText('requested 1,000 · removed 1,000').waitFor();
    await expect.poll(async () => (await queue.counts())['delayed']).toBe(2);
    expect(complaints).toEqual([]);
  });
});
