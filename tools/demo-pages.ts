/** Pages of a demo in a browser, for the tools that take pictures of it. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { findChromium, launch } from '../test/demo/chromium.ts';
import { scratchFolder, startDemo } from '../test/demo/start-demo.ts';

/** Failures, flows and durations come with the time. */
const historyMs = 60_000;

/** Starts the demo, unless one runs at `given`, waits until its queues have some history, and a browser. */
export async function withDemo(
  given: string | undefined,
  work: (browser: Browser, origin: string) => Promise<void>,
): Promise<void> {
  const executable = findChromium();
  if (!executable) throw new Error('Install Chromium or name it in CHROMIUM.');
  const folder = given === undefined ? await scratchFolder() : undefined;
  const demo = folder && (await startDemo(folder.path));
  const browser = await launch(executable);
  try {
    if (demo) await pause(historyMs);
    await work(browser, given ?? demo?.origin ?? '');
  } finally {
    await browser.close();
    await demo?.end();
    await folder?.remove();
  }
}

/** A page as every picture has it. */
export async function picturedPage(
  browser: Browser,
  options: BrowserContextOptions = {},
): Promise<Page> {
  const context = await browser.newContext({
    viewport: { width: 1_280, height: 800 },
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
    ...options,
  });
  return context.newPage();
}

/** Has stacks name the folder of the demo as it would be elsewhere, and leaves no place for a scrollbar that is not shown. */
export async function prepare(page: Page): Promise<void> {
  await page.evaluate(`{
    document.documentElement.style.scrollbarGutter = 'auto';
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const { data } = texts.currentNode;
      const moved = data.replaceAll(${JSON.stringify(process.cwd())}, '/app');
      if (moved !== data) texts.currentNode.data = moved;
    }
  }`);
}
