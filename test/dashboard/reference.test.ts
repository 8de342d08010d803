/** The way from the dashboard to the routes of the board: its own OpenAPI document, and the documents. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

interface Document {
  readonly openapi: string;
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

describeInBrowser('the API in the dashboard', (browser) => {
  let board: ServedBoard;
  beforeAll(async () => {
    board = await serveBoard([]);
  });
  afterAll(() => board?.close());

  it('is a link of the help, and not of the header, to the document of the board', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/schedules`);
    await page.getByRole('link', { name: 'Schedules' }).waitFor();
    expect(await page.getByRole('link', { name: 'API' }).count()).toBe(0);
    await page.keyboard.press('?');
    const [answer] = await Promise.all([
      page.waitForResponse(`${board.url}/api/openapi.json`),
      page.getByRole('link', { name: 'API' }).click(),
    ]);
    const { openapi, paths } = (await answer.json()) as Document;
    expect(openapi).toMatch(/^3\.1/);
    expect(Object.keys(paths['/api/queues/{queueName}/add'] ?? {})).toContain('post');
    expect(complaints).toEqual([]);
    await close();
  });

  it('is reached by keyboard alone', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('g');
    await page.keyboard.press('r');
    await page.waitForURL(`${board.url}/api/openapi.json`);
    expect(complaints).toEqual([]);
    await close();
  });

  it('has the routes that the board mounts, and no others', async () => {
    const readOnly = await serveBoard([], { readOnly: true });
    const { page, close } = await openPage(browser(), `${readOnly.url}/`);
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.keyboard.press('?');
    const address = await page.getByRole('link', { name: 'API' }).getAttribute('href');
    const answer = await page.request.get(new URL(address ?? '', readOnly.url).href);
    const { paths } = (await answer.json()) as Document;
    expect(paths['/api/queues']).toBeDefined();
    expect(paths['/api/queues/{queueName}/add']).toBeUndefined();
    await close();
    await readOnly.close();
  });

  it.each([
    { look: 'dark', width: 1_280 },
    { look: 'light', width: 390 },
  ] as const)(
    'is found with its documentation, without a violation that axe finds ($look, $width)',
    async ({ look, width }) => {
      const { page, close } = await openPage(browser(), `${board.url}/`, {
        colorScheme: look,
        viewport: { width, height: 900 },
        reducedMotion: 'reduce',
      });
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.keyboard.press('/');
      const find = page.getByRole('dialog');
      await find.getByRole('combobox').fill('API');
      await find.getByRole('option', { name: 'Documentation of the API' }).waitFor();
      expect(await find.getByRole('option', { name: /API/ }).count()).toBe(2);
      await expectAccessible(page);
      await close();
    },
  );
});
