/** A visit of a dashboard in Chromium: what it loads, when it can be used, and what a poll and a scroll cost. */

import { setTimeout as pause } from 'node:timers/promises';
import type { Browser, Page } from 'playwright-core';
import { readTrace } from './trace.ts';
import type { Work } from './trace.ts';

/** A page to visit. */
export interface Place {
  readonly path: string;
  /** Selector of what a person waits for: a link to a queue or a job. */
  readonly link: string;
  /** Settings of the page in the browser, by name. */
  readonly storage?: Readonly<Record<string, string>>;
}

export interface Visit {
  /** Compressed bytes of scripts, and of all that the first page loads. */
  readonly scriptBytes: number;
  readonly allBytes: number;
  /** Milliseconds from the navigation until a queue or a job can be opened. */
  readonly usable: number;
  /** Links to queues or jobs that are in the document. */
  readonly lines: number;
  readonly polls: Work;
  /** Layout shift during the polls; 0 is none. */
  readonly shift: number;
  /** Changed nodes per second of polling. */
  readonly mutations: number;
  readonly scroll: Work;
}

interface Counted {
  mutations: number;
  shift: number;
  usable: number;
}

/** Counts in the page from its first line on. */
const counting = (selector: string): string => `
  const counted = { mutations: 0, shift: 0, usable: 0 };
  window.counted = counted;
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

/** Milliseconds after which a page is usable on a processor that is so many times slower. */
export async function usableAfter(
  browser: Browser,
  origin: string,
  { path, link }: Place,
  times: number,
): Promise<number> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(counting(link));
  const client = await context.newCDPSession(page);
  await client.send('Emulation.setCPUThrottlingRate', { rate: times });
  await page.goto(`${origin}${path}`);
  await page.locator(link).first().waitFor({ timeout: 120_000 });
  const { usable } = await counted(page);
  await context.close();
  return usable;
}

export async function visit(
  browser: Browser,
  origin: string,
  { path, link, storage = {} }: Place,
  seconds: number,
): Promise<Visit> {
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  const page = await context.newPage();
  await page.addInitScript(counting(link));
  for (const entry of Object.entries(storage)) {
    await page.addInitScript(`localStorage.setItem(...${JSON.stringify(entry)})`);
  }
  const network = await context.newCDPSession(page);
  await network.send('Network.enable');
  const kinds = new Map<string, string>();
  const bytes = { script: 0, all: 0 };
  network.on('Network.responseReceived', ({ requestId, type }) => kinds.set(requestId, type));
  network.on('Network.loadingFinished', ({ requestId, encodedDataLength }) => {
    bytes.all += encodedDataLength;
    if (kinds.get(requestId) === 'Script') bytes.script += encodedDataLength;
  });
  await page.goto(`${origin}${path}`);
  await page.locator(link).first().waitFor({ timeout: 120_000 });
  await pause(3_000);
  const loaded = { ...bytes };
  const before = await counted(page);
  const polls = await traced(browser, page, () => pause(seconds * 1_000));
  const after = await counted(page);
  const lines = await page.locator(link).count();
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
    lines,
    polls,
    shift: after.shift - before.shift,
    mutations: (after.mutations - before.mutations) / seconds,
    scroll,
  };
}
