/** Records a board of the demo: the answers of its API to all that its pages ask for at first, and its pages. */

import type { Browser } from 'playwright-core';
import { pathStep } from '../../src/dashboard/api/path-name.ts';
import { picturedPage } from '../../tools/demo-pages.ts';

/** The configuration that the board writes into its page. */
export interface RecordedConfig extends Readonly<Record<string, unknown>> {
  readonly boardTitle: string;
}

/** A board at a moment. Paths are below its own. */
export interface Recorded {
  readonly at: number;
  readonly uiConfig: RecordedConfig;
  readonly pages: readonly string[];
  /** By path and query string. */
  readonly answers: Readonly<Record<string, unknown>>;
}

interface Listing {
  readonly jobs: readonly { readonly id: string }[];
}

/** The parts of a job that its page asks for, where it has them. */
const partsOfJob = [
  '?raw=1',
  '/course',
  '/holds',
  '/logs?window=true',
  '/flow?root=node&depth=2&maxChildren=20',
];

/** Asks the API of a board for what no link leads to: the jobs of each state, and all jobs of those lists. */
async function recordJobs(board: string, answers: Record<string, unknown>): Promise<string[]> {
  const read = async (path: string): Promise<unknown> => {
    const response = await fetch(`${board}${path}`, { headers: { accept: 'application/json' } });
    if (response.status !== 200) return undefined;
    answers[path] = await response.json();
    return answers[path];
  };
  const { queues } = answers['/api/queues?jobs=false'] as {
    queues: readonly { readonly name: string; readonly statuses: readonly string[] }[];
  };
  const pages: string[] = [];
  for (const { name, statuses } of queues) {
    const queue = `/api/queues/${pathStep(name)}`;
    for (const status of new Set(['latest', ...statuses])) {
      const listing = await read(`${queue}/jobs?status=${status}&limit=50`);
      for (const { id } of (listing as Listing | undefined)?.jobs ?? []) {
        const page = `/queue/${pathStep(name)}/${pathStep(id)}`;
        if (pages.includes(page)) continue;
        pages.push(page);
        await Promise.all(partsOfJob.map((part) => read(`${queue}/${pathStep(id)}${part}`)));
      }
    }
  }
  return pages;
}

/** Visits the pages of the board at `path`, as links lead from one to the next, apart from those of single jobs. */
export async function recordBoard(
  browser: Browser,
  origin: string,
  path: string,
): Promise<Recorded> {
  const page = await picturedPage(browser);
  const answers: Record<string, unknown> = {};
  const kept: Promise<void>[] = [];
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url());
    const isJson = response.headers()['content-type']?.includes('application/json');
    if (!pathname.startsWith(`${path}/api/`) || response.status() !== 200 || !isJson) return;
    const keep = async (): Promise<void> => {
      answers[pathname.slice(path.length) + search] = await response.json();
    };
    // The page went on before the answer was complete.
    kept.push(keep().catch(() => undefined));
  });
  const found = new Set([`${path}/`]);
  for (const link of found) {
    await page.goto(origin + link);
    await page.waitForLoadState('networkidle');
    const links = page.locator(`a[href^="${path}/"]`);
    const hrefs = await links.evaluateAll((all) => all.map((each) => each.getAttribute('href')));
    for (const href of hrefs) {
      if (href !== null && !/^\/queue\/[^/?]+\/[^/?]+/.test(href.slice(path.length))) {
        found.add(href);
      }
    }
  }
  await Promise.all(kept);
  const config = (await page.locator('#config').textContent()) ?? '';
  const { uiConfig } = JSON.parse(config) as { uiConfig: RecordedConfig };
  await page.close();
  const at = Date.now();
  const jobs = await recordJobs(origin + path, answers);
  const pages = [...found].map((link) => new URL(link, origin).pathname.slice(path.length));
  return { at, uiConfig, answers, pages: [...new Set([...pages, ...jobs])] };
}
