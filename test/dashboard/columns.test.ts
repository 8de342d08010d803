/** Columns that a person chooses for a list of jobs: fields, order and width, in the address and in saved views. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { fieldText, readColumns, writeColumns } from '../../src/dashboard/columns/columns.ts';
import { cells } from '../board/kvq/cells.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { axeViolations } from './axe.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';

it('reads the columns of an address, and leaves out those that cannot be shown', () => {
  const text = 'added,data.customer.id~30,result.status';
  const read = readColumns(text) ?? [];
  expect(read.map(({ key, width }) => [key, width])).toEqual([
    ['added', undefined],
    ['data.customer.id', 30],
    ['result.status', undefined],
  ]);
  expect(writeColumns(read)).toBe(text);
  const keys = (columns: string) => readColumns(columns)?.map(({ key }) => key);
  expect(keys('name,name,data..x,a b,id,,.x,x.')).toEqual(['name']);
  expect(keys(',,')).toBeUndefined();
  expect(readColumns('name~0,data~999,why~x')?.map(({ width }) => width)).toEqual([
    4,
    120,
    undefined,
  ]);
  const many = Array.from({ length: 30 }, (_, at) => `data.f${at}`).join();
  expect(keys(`${many},name`)).toEqual([...many.split(',').slice(0, 8), 'name']);
  expect(['"a\\"b"', '"cut \\', '42', '{"a":1'].map(fieldText)).toEqual([
    'a"b',
    'cut \\',
    '42',
    '{"a":1',
  ]);
});

describeInBrowser('columns of jobs', (browser) => {
  let queues: FailingQueues;
  let world: World;
  let board: BoardUnderTest;
  beforeAll(async () => {
    const [cell] = cells;
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
    world = await makeWorld(newestLibrary, 'dashboard_columns');
    await world.boss.createQueue('letters');
    for (const id of [41, 42])
      await world.boss.send('letters', { customer: { id } }, { priority: id });
    board = await world.board();
  });
  afterAll(async () => {
    await queues?.close();
    await board?.close();
    await world?.close();
  });
  const heads = (page: Page) => page.locator('thead th').allInnerTexts();
  const column = (page: Page, name: string) =>
    page.evaluate<string[]>(`(() => {
      const at = [...document.querySelectorAll('thead th')].findIndex((th) => th.innerText.trim() === ${JSON.stringify(name)});
      return [...document.querySelectorAll('tbody tr')].map((tr) => tr.children[at].innerText.trim());
    })()`);

  /** Jobs that end in the same millisecond have no order of their own. */
  const orders = async (page: Page) => (await column(page, 'data.order')).toSorted();

  it('are added, ordered, widened and hidden, and kept with the address and the view', async () => {
    const { page, complaints, close } = await openPage(
      browser(),
      `${queues.board.url}/queue/mail?state=completed`,
    );
    await page.locator('tbody tr').first().waitFor();
    await page.getByRole('button', { name: 'Columns' }).click();
    const dialog = page.getByRole('dialog', { name: 'Columns' });
    const add = async (path: string) => {
      await dialog.getByLabel('Column or path of a field').fill(path);
      await page.keyboard.press('Enter');
      await dialog.getByRole('button', { name: `Hide ${path}` }).waitFor();
    };
    await add('data.order');
    await add('result.accepted');
    expect(await axeViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: 'Move result.accepted to the front' }).click();
    await dialog.getByLabel('Width of data.order in characters').fill('12');
    await dialog.getByRole('button', { name: 'Hide data', exact: true }).click();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
    const shown = (await heads(page)).slice(-2).map((head) => head.trim());
    expect(shown).toEqual(['result.accepted', 'data.order']);
    await expect.poll(() => orders(page)).toEqual(['100', '101', '102', '103']);
    expect(await column(page, 'result.accepted')).toEqual(['true', 'true', 'true', 'true']);
    expect(new URL(page.url()).searchParams.get('columns')).toMatch(
      /^name,.*result\.accepted,data\.order~12$/,
    );
    await page.reload();
    await expect.poll(() => orders(page)).toEqual(['100', '101', '102', '103']);
    await page.keyboard.press('v');
    await page.getByLabel('Name of what is shown now').fill('orders');
    await page.keyboard.press('Enter');
    await page.getByRole('link', { name: 'orders' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Columns' }).click();
    await dialog.getByRole('button', { name: 'Show the usual columns' }).click();
    await page.keyboard.press('Escape');
    await expect.poll(() => heads(page)).not.toContain('data.order');
    await page.keyboard.press('v');
    await page.getByRole('link', { name: 'orders' }).click();
    await expect.poll(() => orders(page)).toEqual(['100', '101', '102', '103']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('are those of pg-boss too, which sorts by the time of addition', async () => {
    const { page, complaints, close } = await openPage(
      browser(),
      `${board.origin}/queue/letters?columns=data.customer.id,priority,policy,added`,
    );
    await expect.poll(() => column(page, 'data.customer.id')).toEqual(['42', '41']);
    expect(await column(page, 'policy')).toEqual(['standard', 'standard']);
    await page.getByRole('button', { name: 'added' }).click();
    await expect.poll(() => column(page, 'data.customer.id')).toEqual(['41', '42']);
    expect(page.url()).toContain('order=asc');
    expect(await page.locator('thead th[aria-sort=ascending]').innerText()).toContain('added');
    expect(complaints).toEqual([]);
    await close();
  });

  it.each([390, 768, 1_024, 1_440])(
    'stay beside the names of the jobs at %s pixels',
    async (width) => {
      const { page, close } = await openPage(
        browser(),
        `${queues.board.url}/queue/mail?state=failed&columns=data.order,data.to~60,why,added,took~40`,
        { viewport: { width, height: 800 }, colorScheme: width < 800 ? 'dark' : 'light' },
      );
      await expect.poll(() => orders(page)).toEqual(['0', '1', '2', '3', '4', '5']);
      expect(
        await page.evaluate<number>('document.documentElement.scrollWidth'),
      ).toBeLessThanOrEqual(width);
      await page.evaluate("document.querySelector('main table').parentElement.scrollLeft = 400");
      const names = await page
        .locator('tbody th a')
        .evaluateAll((links) =>
          links.map((link) => link.getBoundingClientRect().left >= 0 && link.clientHeight >= 0),
        );
      expect(names).toEqual(names.map(() => true));
      expect(await axeViolations(page)).toEqual([]);
      await close();
    },
  );
});
