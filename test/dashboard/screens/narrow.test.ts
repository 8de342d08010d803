/** No screen is wider than its window, in any language: on a narrow phone, which is also a page enlarged four times. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../../board/kvq/cells.ts';
import { describeInBrowser, openPage } from '../open-page.ts';
import { shownBoards } from './boards.ts';
import type { ShownBoards } from './boards.ts';

const [cell] = cells;

/** Screens by engine and path, and an element that is there with their content. */
const screens: readonly (readonly [
  'kvq' | 'pgq',
  string | ((boards: ShownBoards) => string),
  string,
])[] = [
  ['kvq', '/', 'tbody tr >> nth=1'],
  ['kvq', '/queue/mail?state=failed', 'tbody tr >> nth=1'],
  ['kvq', '/queue/mail?tab=workers', 'main table tbody tr'],
  ['kvq', '/queue/mail?tab=settings', 'main input'],
  ['kvq', ({ failed }) => `/queue/mail/${failed}`, 'main pre >> nth=1'],
  ['kvq', ({ failed }) => `/queue/mail/${failed}?tab=logs`, 'main nav button'],
  ['kvq', '/job-schedulers', 'tbody tr >> nth=1'],
  ['kvq', '/metrics-history?range=24h', '.uplot >> nth=2'],
  ['kvq', '/workers', 'main table tbody tr'],
  ['pgq', '/queue/letters', 'tbody tr >> nth=1'],
  ['pgq', ({ pgqFailed }) => `/queue/letters/${pgqFailed}`, 'main pre'],
  ['pgq', '/schedules', 'tbody tr'],
  ['pgq', '/warnings', 'tbody tr >> nth=1'],
  ['pgq', '/workers', 'main table tbody tr'],
];

describeInBrowser('a narrow window', (browser) => {
  let boards: ShownBoards;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    boards = await shownBoards(cell);
  });
  afterAll(() => boards?.close());

  it.each(['en-GB', 'de-DE', 'pt-BR', 'ar'])(
    'shows every screen within it in %s',
    async (locale) => {
      const { page, complaints, close } = await openPage(browser(), 'about:blank', {
        viewport: { width: 320, height: 640 },
        locale,
      });
      const wider: string[] = [];
      for (const [engine, path, content] of screens) {
        const at = typeof path === 'string' ? path : path(boards);
        await page.goto(`${boards.urls[engine]}${at}`);
        await page.locator(content).first().waitFor();
        const width = await page.evaluate<number>('document.documentElement.scrollWidth');
        if (width > 320) wider.push(`${engine} ${at} ${width}`);
        // The name of a count may be cut, the count may not.
        const cut = await page
          .locator('[class*=bar-cell] ~ td[data-label]:visible')
          .evaluateAll((all) =>
            all
              .filter((each) => each.scrollWidth > each.clientWidth)
              .map((each) => each.textContent),
          );
        expect([at, cut]).toEqual([at, []]);
      }
      expect(wider).toEqual([]);
      expect(complaints.filter((text) => !text.startsWith('request to'))).toEqual([]);
      await close();
    },
  );
});
