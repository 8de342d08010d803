/** Visits of the overviews of the demo, on its embedded databases: when a queue can be opened, and where the time goes. */

import { loadavg } from 'node:os';
import type { Browser } from 'playwright-core';
import { scratchFolder, startDemo } from '../../test/demo/start-demo.ts';
import { table } from '../markdown.ts';

const boards = ['/bullmq', '/pg-boss'] as const;

/** Visits of each board, of which the middle one counts; the first one, which finds a server that has just begun, does not. */
const visits = 7;

/** Milliseconds since the navigation began. */
interface Moments {
  /** The document has arrived, and the last of the scripts that it names. */
  readonly document: number;
  readonly scripts: number;
  /** The listing of queues was asked for, and has arrived. */
  readonly asked: number;
  readonly listed: number;
  /** A queue can be opened. */
  readonly usable: number;
}

/** The ways to a queue. */
const link = 'tbody a[href*="/queue/"]';

const watching = `
  new MutationObserver((_, observer) => {
    if (!document.querySelector(${JSON.stringify(link)})) return;
    performance.mark('usable');
    observer.disconnect();
  }).observe(document, { childList: true, subtree: true });
`;

const reading = `(() => {
  const [page] = performance.getEntriesByType('navigation');
  const named = [...document.querySelectorAll('link[rel=modulepreload], script[src]')].map((tag) => tag.href || tag.src);
  const loaded = performance.getEntriesByType('resource');
  const scripts = loaded.filter(({ name }) => named.includes(name)).map((entry) => entry.responseEnd);
  const listing = loaded.find(({ name }) => /\\/api\\/(?:pgq\\/)?queues(?:\\?|$)/.test(name));
  return {
    document: page.responseEnd,
    scripts: Math.max(...scripts),
    asked: listing?.startTime ?? NaN,
    listed: listing?.responseEnd ?? NaN,
    usable: performance.getEntriesByName('usable')[0]?.startTime ?? NaN,
  };
})()`;

async function visitOnce(browser: Browser, url: string): Promise<Moments> {
  // A context of its own: nothing is cached.
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 } });
  try {
    const page = await context.newPage();
    await page.addInitScript(watching);
    await page.goto(url);
    // No function made from text: the page forbids them.
    await page.locator(link).first().waitFor();
    return await page.evaluate<Moments>(reading);
  } finally {
    await context.close();
  }
}

const middle = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)] ?? Number.NaN;

const moments: readonly (readonly [string, keyof Moments])[] = [
  ['document received', 'document'],
  ['scripts received', 'scripts'],
  ['queues asked for', 'asked'],
  ['queues received', 'listed'],
  ['usable after (at most 1 s)', 'usable'],
];

export async function visitDemo(browser: Browser): Promise<void> {
  const folder = await scratchFolder();
  const demo = await startDemo(folder.path);
  try {
    const found: Moments[][] = [];
    for (const board of boards) {
      const made: Moments[] = [];
      for (let visit = 0; visit <= visits; visit += 1) {
        made.push(await visitOnce(browser, `${demo.origin}${board}/`));
      }
      found.push(made.slice(1));
    }
    const cells = moments.map(([label, name]) => [
      label,
      ...found.map((made) => `${middle(made.map((each) => each[name])).toFixed(0)} ms`),
    ]);
    console.log(`${table([`demo, load ${loadavg()[0]?.toFixed(1)}`, ...boards], cells)}\n`);
  } finally {
    await demo.end();
    await folder.remove();
  }
}
