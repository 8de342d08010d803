/** The guides to user interfaces, in a browser in front of an endpoint with their rules. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Express } from 'express';
import type { Browser, Page } from 'playwright-core';
import { chromiumRequired, findChromium, launch } from '../../demo/chromium.ts';
import { type Running, listen } from '../../listening.ts';
import { type Blocks, blocksIn } from './blocks.ts';

/** Serves the rules of a guide over 45 cities, and tells the requests. */
const server = `
  import Database from 'better-sqlite3';
  import express from 'express';
  import { listEndpoint, queryErrorHandler } from 'sluice/express';
  import { sqlSource } from 'sluice/sql';
  import { registry, rules, tables } from './rules.ts';

  const connection = new Database(':memory:');
  connection.exec('create table cities (id integer primary key, name text not null, people integer not null, country text not null)');
  const insert = connection.prepare('insert into cities values (?, ?, ?, ?)');
  for (let id = 1; id <= 45; id += 1) {
    insert.run(id, 'City ' + String(id).padStart(2, '0'), 100 * (46 - id), id % 2 ? 'Peru' : 'Chile');
  }
  const source = sqlSource({ connection, registry, tables, model: 'city' });
  export const requests = [];
  export const app = express()
    .get('/api/cities', (request, _response, next) => {
      requests.push(decodeURIComponent(request.url.split('?')[1] ?? ''));
      next();
    }, listEndpoint({ source, rules }))
    .use(queryErrorHandler());
`;
const page = (file: string, name: string): string => `
  import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
  import { createElement } from 'react';
  import { createRoot } from 'react-dom/client';
  import { ${name} } from './${file}';

  const provider = createElement(QueryClientProvider, { client: new QueryClient() }, createElement(${name}));
  createRoot(document.querySelector('main')).render(provider);
`;

const executable = findChromium();
if (!executable && chromiumRequired) throw new Error('Install Chromium or name it in CHROMIUM.');
let browser: Browser | undefined;
const open: (() => unknown)[] = [];
beforeAll(async () => {
  if (executable) browser = await launch(executable);
});
afterAll(async () => {
  await browser?.close();
  for (const close of open) await close();
});

interface Opened {
  readonly page: Page;
  readonly running: Running;
  readonly requests: string[];
  readonly blocks: Blocks;
}

const origin = ({ port }: Running): string => `http://127.0.0.1:${port}`;

/** Opens a component of a guide. */
async function opened(guide: string, file: string, name: string): Promise<Opened> {
  if (!browser) throw new Error('There is no browser.');
  const files = { 'server.ts': server, 'page.tsx': page(file, name) };
  const blocks = blocksIn(`docs/guides/${guide}.md`, files);
  const { app, requests } = await blocks.load<{ app: Express; requests: string[] }>('server.ts');
  const script = await blocks.script('page.tsx');
  app.get('/page.js', (_request, response) => void response.type('js').send(script));
  app.get('/', (_request, response) => {
    response.send('<!doctype html><main></main><script type="module" src="/page.js"></script>');
  });
  const running = await listen(app);
  const tab = await browser.newPage();
  await tab.goto(origin(running));
  open.push(() => running.close(), blocks.remove);
  return { page: tab, running, requests, blocks };
}

const texts = (tab: Page, selector: string): Promise<string[]> =>
  tab.locator(selector).allInnerTexts();

describe.skipIf(!executable)('the guide to pagination', () => {
  it('shows pages by number', async () => {
    const { page: tab, requests } = await opened('pagination', 'numbers.tsx', 'Numbers');
    await tab.getByText('Page 1 of 3, 45 cities').waitFor();
    expect(await tab.getByText('Previous').isDisabled()).toBe(true);
    await tab.getByText('Next').click();
    await tab.getByText('Page 2 of 3, 45 cities').waitFor();
    await tab.getByText('Next').click();
    await tab.getByText('Page 3 of 3, 45 cities').waitFor();
    expect(await texts(tab, 'li')).toEqual(['City 41', 'City 42', 'City 43', 'City 44', 'City 45']);
    expect(await tab.getByText('Next').isDisabled()).toBe(true);
    expect(requests).toEqual([1, 2, 3].map((at) => `sort=name&page=${at}&perPage=20`));
  });

  it('loads more by cursor, each row once', async () => {
    const { page: tab, requests } = await opened('pagination', 'scroll.tsx', 'Scroll');
    const more = tab.getByText('Load more');
    for (const rows of [20, 40]) {
      await expect.poll(() => tab.locator('li').count()).toBe(rows);
      await more.click();
    }
    await expect.poll(() => tab.locator('li').count()).toBe(45);
    await expect.poll(() => more.count()).toBe(0);
    expect(new Set(await texts(tab, 'li')).size).toBe(45);
    expect(requests.every((request) => request.includes('cursor='))).toBe(true);
  });
});

describe.skipIf(!executable)('the guide to debounced search', () => {
  it('asks once for letters without a pause', async () => {
    const { page: tab, requests } = await opened('debounced-search', 'search.tsx', 'Search');
    await expect.poll(() => tab.locator('li').count()).toBe(10);
    await tab.getByRole('searchbox').pressSequentially('cItY 4');
    await expect.poll(() => texts(tab, 'li')).toContain('City 45');
    expect(requests.at(0)).toBe('sort=name&perPage=10');
    expect(requests.at(-1)).toBe('search=cItY 4&sort=name&perPage=10');
    // A slow machine may pause between two letters.
    expect(requests.length).toBeLessThan(7);
  });

  it('ends the request that is out of date, and shows the answer of the last one', async () => {
    const { page: tab } = await opened('debounced-search', 'search.tsx', 'Search');
    await expect.poll(() => tab.locator('li').count()).toBe(10);
    const isFirst = /search=City%201&/;
    const failed: string[] = [];
    tab.on('requestfailed', (request) => failed.push(new URL(request.url()).search));
    let letGo: () => void = () => undefined;
    const held = new Promise<void>((resolve) => (letGo = resolve));
    await tab.route(isFirst, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    const asked = tab.waitForRequest(isFirst);
    await tab.getByRole('searchbox').fill('City 1');
    await asked;
    await tab.getByRole('searchbox').fill('City 45');
    await expect.poll(() => texts(tab, 'li')).toEqual(['City 45']);
    expect(failed).toEqual(['?search=City%201&sort=name&perPage=10']);
    letGo();
  });

  it('passes on hostile text, and stays empty where nothing is found', async () => {
    const { page: tab, requests } = await opened('debounced-search', 'search.tsx', 'Search');
    await tab.getByRole('searchbox').fill(`%_'"&sort=-id <b>`);
    await expect.poll(() => tab.locator('li').count()).toBe(0);
    expect(requests.at(-1)).toBe(`search=%_'"&sort=-id <b>&sort=name&perPage=10`);
  });
});

describe.skipIf(!executable)('the guide to an admin table', () => {
  it('sorts, filters and pages, and has its view in the address', async () => {
    const { page: tab, requests } = await opened('admin-table', 'table.tsx', 'Table');
    await tab.getByText('45 rows').waitFor();
    const first = () => tab.locator('tbody tr').first().innerText();
    await tab.getByRole('button', { name: 'people' }).click();
    await expect.poll(first).toBe('City 45\t100\tPeru');
    await tab.getByRole('button', { name: 'people' }).click();
    await expect.poll(first).toBe('City 01\t4500\tPeru');
    expect(await tab.locator('th').nth(1).getAttribute('aria-sort')).toBe('descending');
    await tab.getByRole('button', { name: 'Next' }).click();
    await expect.poll(first).toBe('City 21\t2500\tPeru');
    await tab.getByPlaceholder('Name contains').fill('city 3');
    await tab.getByText('10 rows').waitFor();
    expect(requests.at(-1)).toBe('filter[name][ilike]=city 3&sort=-people&page=1&perPage=20');

    const address = tab.url();
    await tab.goto('about:blank');
    await tab.goto(address);
    await tab.getByText('10 rows').waitFor();
    expect(await first()).toBe('City 30\t1600\tChile');
  });

  it('shows the code of a view that the rules refuse', async () => {
    const { page: tab, running } = await opened('admin-table', 'table.tsx', 'Table');
    const view = { sorting: [{ id: 'secret', desc: true }], columnFilters: [] };
    const state = JSON.stringify({ ...view, pagination: { pageIndex: 0, pageSize: 20 } });
    await tab.goto(`${origin(running)}/?${new URLSearchParams({ view: state })}`);
    await tab.getByRole('alert').getByText('FIELD_NOT_ALLOWED').waitFor();
  });

  it('writes the state of a TanStack Table as a request', async () => {
    const { blocks } = await opened('admin-table', 'table.tsx', 'Table');
    const { requestOf } = await blocks.load<{ requestOf: (state: object) => object }>('request.ts');
    const state = {
      sorting: [
        { id: 'people', desc: true },
        { id: 'name', desc: false },
      ],
      columnFilters: [
        { id: 'people', value: [undefined, 500] },
        { id: 'country', value: ['Peru'] },
        { id: 'unknown', value: 1 },
      ],
      pagination: { pageIndex: 2, pageSize: 50 },
    };
    expect(requestOf(state)).toEqual({
      sort: ['-people', 'name'],
      filter: { people: { lte: 500 }, country: { in: ['Peru'] } },
      page: 3,
      perPage: 50,
    });
  });
});
