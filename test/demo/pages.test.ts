/** The pages of one demo in a real browser: its index page, and the dashboards of its boards. */

import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe } from 'vitest';
import { boardPages } from './board-page.ts';
import { chromiumRequired, findChromium, launch } from './chromium.ts';
import { firstVisit } from './first-visit.ts';
import { indexLook } from './index-look.ts';
import { indexPage, screenshot } from './index-page.ts';
import type { RunningDemo } from './start-demo.ts';
import { scratchFolder, startDemo } from './start-demo.ts';

const executable = findChromium();
if (!executable && !chromiumRequired) {
  console.log('Skipped: the tests of the pages. Install Chromium or set CHROMIUM to its path.');
}

describe.runIf(executable || chromiumRequired)('in a browser', () => {
  let folder: Awaited<ReturnType<typeof scratchFolder>>;
  let demo: RunningDemo;
  let browser: Browser;

  beforeAll(async () => {
    if (!executable)
      throw new Error('CI requires Chromium: install it or set CHROMIUM to its path.');
    folder = await scratchFolder();
    demo = await startDemo(folder.path, screenshot ? { cities: Infinity } : {});
    browser = await launch(executable);
  });
  afterAll(async () => {
    await browser?.close();
    await demo?.end();
    await folder?.remove();
  });

  describe('the index page', () => {
    indexPage(
      () => demo,
      () => browser,
    );
    indexLook(
      () => demo,
      () => browser,
    );
  });
  describe('a first visit', () => {
    firstVisit(
      () => demo,
      () => folder.path,
      () => browser,
    );
  });
  describe('the page', () => {
    boardPages(
      () => demo,
      () => browser,
    );
  });
});
