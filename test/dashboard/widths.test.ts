/** A window of each width shows names always, columns in their order, the chosen state, and the first row. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { cells } from '../board/kvq/cells.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** Widths between a phone and a desktop; 720 is a window of 1,440 at 200 %. */
const widths = [641, 683, 720, 768, 820, 850, 960, 1_100, 1_280];

/** Columns of the overview that each step of the width takes away, the first to leave first. */
const leaving = ['last hour', 'failed %', 'active', 'jobs by state'];

describeInBrowser('a window of any width', (browser) => {
  let queues: FailingQueues;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
    await queues.mail.schedule('heartbeat', { every: 3_600_000 });
  });
  afterAll(() => queues?.close());

  const open = (width: number, locale = 'en-GB') =>
    openPage(browser(), 'about:blank', { viewport: { width, height: 800 }, locale });
  const show = async (page: Page, path: string) => {
    await page.goto(`${queues.board.url}${path}`);
    await page.locator('tbody th').first().waitFor();
  };
  const resize = (page: Page, width: number) => page.setViewportSize({ width, height: 800 });
  /** Texts of names that are cut, or of which nothing is shown. */
  const cutNames = (page: Page) =>
    page.locator('tbody :is(th, [class*=c-name])').evaluateAll((names) =>
      names
        .filter(
          (name) =>
            name.clientWidth < 40 ||
            [name, ...name.querySelectorAll('a')].some(
              // Of an inline element, nothing is measured.
              (each) => each.clientWidth > 0 && each.scrollWidth > each.clientWidth + 1,
            ),
        )
        .map((name) => name.textContent),
    );

  it('cuts no name, and takes columns away in their order', async () => {
    const { page, complaints, close } = await open(1_280);
    await show(page, '/');
    for (const width of widths) {
      await resize(page, width);
      // The sidebar comes and goes a moment after the window has changed.
      await expect.poll(async () => [width, await cutNames(page)]).toEqual([width, []]);
      const heads = await page.locator('thead th:visible').allInnerTexts();
      const gone = leaving.filter((head) => !heads.includes(head));
      expect([width, gone]).toEqual([width, leaving.slice(0, gone.length)]);
      expect(heads).toEqual(expect.arrayContaining(['queue', 'waiting', 'failed', 'workers']));
    }
    for (const path of ['/queue/mail', '/queue/mail?state=failed', '/job-schedulers']) {
      await show(page, path);
      for (const width of widths) {
        await resize(page, width);
        const cut = async () => [path, width, await cutNames(page)];
        await expect.poll(cut).toEqual([path, width, []]);
        const wide = await page.evaluate<number>(
          `Math.max(...[...document.querySelectorAll('main table, html')].map((at) => at.scrollWidth))`,
        );
        expect(wide).toBeLessThanOrEqual(width);
      }
    }
    expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
    await close();
  });

  it('has the chosen state and screen in sight', async () => {
    const { page, close } = await open(390, 'de-DE');
    const inSight = async (selector: string) =>
      await expect
        .poll(() =>
          page.locator(selector).evaluate((chosen) => {
            const around = chosen.parentElement?.getBoundingClientRect();
            const { left, right } = chosen.getBoundingClientRect();
            return around !== undefined && left >= around.left - 1 && right <= around.right + 1;
          }),
        )
        .toBe(true);
    await show(page, '/queue/mail?state=failed');
    for (const width of [390, 700, 320]) {
      await resize(page, width);
      await inSight('main nav [aria-current]');
    }
    await page.goto(`${queues.board.url}/workers`);
    await page.locator('header nav [data-status=active]').waitFor();
    await inSight('header nav [data-status=active]');
    await close();
  });

  it('begins with the first row above 320 pixels on a phone', async () => {
    const { page, close } = await open(390);
    const tops: [string, boolean][] = [];
    const paths = ['/', '/queue/mail?state=failed', '/queue/shop-parcels', '/job-schedulers'];
    for (const path of paths) {
      await show(page, path);
      const box = await page.locator('tbody tr').first().boundingBox();
      tops.push([path, (box?.y ?? 999) < 320]);
    }
    expect(tops).toEqual(paths.map((path) => [path, true]));
    // A name that is not drawn as text is still a name.
    await page.goto(`${queues.board.url}/queue/mail`);
    await page.getByRole('button', { name: 'Add job' }).waitFor();
    await page.getByRole('button', { name: 'Workers' }).waitFor();
    await close();
  });
});
