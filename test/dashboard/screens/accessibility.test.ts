/**
 * No violation that axe finds, on every screen, dialog and menu, in each theme and on a phone. `bench/dashboard.md` has
 * the report as a table; `SLUICE_AXE=write` writes it again.
 */

import { readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { table } from '../../../bench/markdown.ts';
import { cells } from '../../board/kvq/cells.ts';
import { axeViolations } from '../axe.ts';
import { describeInBrowser, openPage } from '../open-page.ts';
import { shownBoards } from './boards.ts';
import type { ShownBoards } from './boards.ts';
import { screens } from './screens.ts';

const [cell] = cells;
const desktop = { width: 1_280, height: 900 };
const phone = { width: 390, height: 844 };

/** The rules that concern colours: no other differs between themes. */
const ofColours = ['color-contrast', 'link-in-text-block'];

/** Themes and sizes, brought about in this order on the same page. */
const looks: readonly {
  readonly look: string;
  readonly rules?: readonly string[];
  readonly show: (page: Page) => Promise<void>;
}[] = [
  { look: 'light', show: (page) => page.emulateMedia({ colorScheme: 'light' }) },
  { look: 'dark', rules: ofColours, show: (page) => page.emulateMedia({ colorScheme: 'dark' }) },
  {
    look: 'more contrast',
    rules: ofColours,
    show: (page) => page.emulateMedia({ colorScheme: 'light', contrast: 'more' }),
  },
  {
    look: 'phone',
    async show(page) {
      await page.emulateMedia({ contrast: 'no-preference' });
      await page.setViewportSize(phone);
    },
  },
  {
    look: 'phone, dark',
    rules: ofColours,
    show: (page) => page.emulateMedia({ colorScheme: 'dark' }),
  },
];

const report = fileURLToPath(new URL('../../../bench/dashboard.md', import.meta.url));
const heading = '| screen |';

describeInBrowser('axe', (browser) => {
  let boards: ShownBoards;
  const counts = new Map<string, readonly string[]>();
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    boards = await shownBoards(cell);
  });
  afterAll(() => boards?.close());

  it.each(screens)('finds nothing on $name', async ({ name, engine, path, ready }) => {
    const { page, complaints, close } = await openPage(
      browser(),
      `${boards.urls[engine]}${path(boards)}`,
      { viewport: desktop, reducedMotion: 'reduce' },
    );
    await ready(page);
    const found: unknown[] = [];
    const numbers: string[] = [];
    for (const { look, rules, show } of looks) {
      await show(page);
      const violations = await axeViolations(page, rules ?? 'all');
      numbers.push(String(violations.length));
      // Nothing is reached by scrolling sideways alone.
      const fits = await page.evaluate('document.documentElement.scrollWidth <= innerWidth');
      if (violations.length > 0 || !fits) found.push({ look, fits, violations });
    }
    counts.set(name, numbers);
    expect(found).toEqual([]);
    expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
    await close();
  });

  it('has its report in the documents', async () => {
    const cellsOf = [...counts].map(([name, numbers]) => [name, ...numbers]);
    const made = table(['screen', ...looks.map(({ look }) => look)], cellsOf);
    const text = await readFile(report, 'utf8');
    const start = text.indexOf(heading);
    const end = text.indexOf('\n\n', start);
    const before = text.slice(0, start);
    const after = end < 0 ? '\n' : text.slice(end);
    const wanted = `${before}${made.trim()}${after}`;
    if (process.env['SLUICE_AXE'] === 'write') await writeFile(report, wanted);
    expect(await readFile(report, 'utf8')).toBe(wanted);
  });
});
