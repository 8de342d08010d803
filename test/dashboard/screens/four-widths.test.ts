/** Every screen, dialog and menu of both engines can be brought about at four widths, and fits them in both themes. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../../board/kvq/cells.ts';
import { describeInBrowser, openPage } from '../open-page.ts';
import { shownBoards } from './boards.ts';
import type { ShownBoards } from './boards.ts';
import { screens } from './screens.ts';

const [cell] = cells;

describeInBrowser('four widths', (browser) => {
  let boards: ShownBoards;
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    boards = await shownBoards(cell);
  });
  afterAll(() => boards?.close());

  describe.each([390, 768, 1_024, 1_440])('%i', (width) => {
    it.each(screens)('shows $name', async ({ engine, path, ready }) => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${boards.urls[engine]}${path(boards)}`,
        { viewport: { width, height: 900 }, reducedMotion: 'reduce' },
      );
      await ready(page);
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        // Nothing is reached by scrolling sideways alone.
        const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
        expect([colorScheme, fits]).toEqual([colorScheme, true]);
      }
      expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
      await close();
    });
  });
});
