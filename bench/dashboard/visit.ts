/** A visit of a dashboard in Chromium: what it loads, when it can be used, and what a poll and a scroll cost. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readTrace } from './trace.ts';
import type { Work } from './trace.ts';

export interface Visit {
  /** Compressed bytes of scripts, and of all that the first page loads. */
  readonly scriptBytes: number;
  readonly allBytes: number;
  /** Milliseconds from the navigation until a queue can be opened. */
  readonly usable: number;
  readonly polls: Work;
  /** Layout shift during the polls; 0 is none. */
  readonly shift: number;
  /** Commits of React, and changed nodes, per second of polling. */
  readonly commits: number;
  readonly mutations: number;
  readonly scroll: Work;
}

interface Counted {
  commits: number;
  mutations: number;
  shift: number;
  usable: number;
}

/** Counts in the page from its first line on. */
const counting = (selector: string): string => `
  const counted = { commits: 0, mutations: 0, shift: 0, usable: 0 };
  window.counted = counted;
  window.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
    supportsFiber: true,
    renderers: new Map(),
    inject: () => 1,
    onCommitFiberRoot: () => { counted.commits += 1; },
    onCommitFiberUnmount() {},
    onPostCommitFiberRoot() {},
    checkDCE() {},
  };
  new PerformanceObserver((list) => {
    for (const { value, hadRecentInput } of list.getEntries()) if (!hadRecentInput) counted.shift += value;
  }).observe({ type: 'layout-shift', buffered: true });
  new MutationObserver((records) => {
    counted.mutations += records.length;
    if (counted.usable === 0 && document.querySelector(${JSON.stringify(selector)})) {
      counted.usable = performance.now();
    }
  }).observe(document, { childList: true, subtree: true, attributes: true, characterData: true });
`;

const categories = ['devtools.timeline', 'toplevel', 'disabled-by-default-devtools.timeline'];

async function traced(browser: Browser, page: Page, run: () => Promise<unknown>): Promise<Work> {
  await browser.startTracing(page, { categories });
  await run();
  return readTrace(await browser.stopTracing());
}

const counted = (page: Page): Promise<Counted> => page.evaluate('({ ...window.counted })');

/** @param link the selector of what leads to a queue */
export async function visit(
  browser: Browser,
  url: string,
  link: string,
  seconds: number,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(counting(link));
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const kinds = new Map<string, string>();
  const bytes = { script: 0, all: 0 };
  network.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength;
    if (kinds.get(requestId) === 'Script') bytes.script += encodedDataLength;
  });
  await page.goto(url);
  await page.locator(link).first().waitFor({ timeout: 120_000 });
  await pause(3_000);
  const loaded = { ...bytes };
  const before = await counted(page);
  const polls = await traced(browser, page, () => pause(seconds * 1_000));
  const after = await counted(page);
  await page.mouse.move(640, 450);
  const scroll = await traced(browser, page, async () => {
    for (let step = 0; step < 60; step += 1) {
      await page.mouse.wheel(0, 200);
      await pause(30);
    }
  });
  await context.close();
  return {
    scriptBytes: loaded.script,
    allBytes: loaded.all,
    usable: before.usable,
    polls,
    shift: after.shift - before.shift,
    commits: (after.commits - before.commits) / seconds,
    mutations: (after.mutations - before.mutations) / seconds,
    scroll,
  };
}
