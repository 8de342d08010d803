/** The filter line of a queue: conditions that can be taken away, and a search that goes on by itself until it is stopped. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { describeInBrowser, openPage, searchInNoTime } from './open-page.ts';

const [cell] = cells;

const row = (page: Page, text: string) => page.getByRole('row').filter({ hasText: text });
const line = (page: Page) => page.getByRole('combobox', { name: 'Filter jobs' });

/** Lets the time of a poll come, and waits for its answer. */
async function poll(page: Page): Promise<void> {
  const polled = page.waitForResponse((answer) => /\/api\/queues(?:\?|$)/.test(answer.url()));
  await page.clock.fastForward(6_000);
  await polled;
}

describeInBrowser('the filter of a queue', (browser) => {
  let world: CellWorld;
  let queue: TestQueue;
  let board: ServedBoard;
  let round = 0;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
  });
  beforeEach(async () => {
    round += 1;
    queue = await world.queue(`filtered-${round}`);
    board = await serveBoard([queue.boardQueue()]);
    return () => board.close();
  });
  afterAll(() => world?.close());

  const at = (path = '') => `${board.url}/queue/${queue.name}${path}`;
  const apply = async (page: Page, text: string) => {
    await line(page).fill(text);
    await page.keyboard.press('Enter');
  };

  it('takes one condition away, and leaves the others as they are written', async () => {
    for (const [name, n] of [
      ['ada', 1],
      ['bea', 2],
      ['cy', 3],
    ] as const) {
      await queue.add(name, { n });
    }
    const { page, complaints, close } = await openPage(browser(), board.url);
    await searchInNoTime(page);
    await page.goto(at('?state=waiting'));
    await apply(page, 'added < 1h and (name = ada or name = bea) and not data.n between 2 and 3');
    await expect.poll(() => row(page, 'bea').count()).toBe(0);
    await row(page, 'ada').waitFor();
    const chips = page.getByRole('list', { name: 'Conditions' });
    await expect
      .poll(() => chips.getByRole('listitem').allTextContents())
      .toEqual(['added < 1h 3', '(name = ada or name = bea) 2', 'not data.n between 2 and 3 1']);
    await chips.getByRole('button', { name: 'Take away: not data.n between 2 and 3' }).click();
    await row(page, 'bea').waitFor();
    expect(await row(page, 'cy').count()).toBe(0);
    expect(await line(page).inputValue()).toBe('added < 1h and (name = ada or name = bea)');
    await apply(page, 'name = ada or name = cy');
    await row(page, 'cy').waitFor();
    expect(await chips.getByRole('listitem').count()).toBe(1);
    await chips.getByRole('button').click();
    await row(page, 'bea').waitFor();
    expect(await chips.count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('counts the jobs of a condition as far as one answer tells', async () => {
    await queue.add('first', { customer: { id: 'ada' } });
    await queue.addBulk(
      Array.from({ length: 5_100 }, () => ({ name: 'other', data: { customer: {} } })),
    );
    const { page, close } = await openPage(browser(), 'about:blank');
    await searchInNoTime(page);
    await page.goto(at('?state=waiting'));
    await apply(page, 'data.customer.id = ada and (name = first or name = other)');
    await row(page, 'first').waitFor();
    await expect
      .poll(() => page.getByRole('list', { name: 'Conditions' }).locator('li').allTextContents())
      .toEqual(['data.customer.id = ada', '(name = first or name = other) 100+']);
    await close();
  });

  it('keeps the moment of a filter in its link, and tells times anew by Enter', async () => {
    const ago = (milliseconds: number) => ({ timestamp: Date.now() - milliseconds });
    await queue.add('old', {}, ago(7_200_000));
    await queue.add('new', {}, ago(60_000));
    const { page, close } = await openPage(browser(), at('?state=waiting'));
    await apply(page, 'added < 1h');
    await expect.poll(() => row(page, 'old').count()).toBe(0);
    await row(page, 'new').waitFor();
    const link = new URL(page.url());
    const asOf = Number(link.searchParams.get('asOf'));
    expect(Math.abs(Date.now() - asOf)).toBeLessThan(3_600_000);
    link.searchParams.set('asOf', String(asOf - 7_000_000));
    const other = await openPage(browser(), link.href);
    await row(other.page, 'old').waitFor();
    await line(other.page).focus();
    await other.page.keyboard.press('Enter');
    await expect.poll(() => row(other.page, 'old').count()).toBe(0);
    await apply(other.page, 'name = old');
    await row(other.page, 'old').waitFor();
    expect(new URL(other.page.url()).searchParams.has('asOf')).toBe(false);
    await other.close();
    await close();
  });

  it('finds the only job of a customer among many by one Enter', async () => {
    await queue.add('first', { customer: { id: 'ada' } });
    const others = Array.from({ length: 12_000 }, () => ({
      name: 'other',
      data: { customer: {} },
    }));
    await queue.addBulk(others);
    const { page, complaints, close } = await openPage(browser(), at('?state=waiting'));
    await apply(page, 'data.customer.id = ada');
    await row(page, 'first').waitFor();
    await page
      .getByRole('progressbar', { name: 'Search under way' })
      .waitFor({ state: 'detached' });
    expect(await page.getByRole('button', { name: 'Search on' }).count()).toBe(0);
    expect(complaints).toEqual([]);
    await close();
  });

  it('does not repeat a long search with every poll, but by Enter', async () => {
    await queue.add('first', { customer: { id: 'ada' } });
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.clock.install();
    await page.route('**/api/live', (route) => route.fulfill({ status: 404 }));
    await page.goto(at('?state=waiting'));
    await row(page, 'first').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    const searches: string[] = [];
    await page.route('**/search?*', async (route) => {
      searches.push(route.request().url());
      await released;
      await route.continue().catch(() => undefined);
    });
    await apply(page, 'data.customer.id = ada');
    await expect.poll(() => searches.length).toBe(1);
    await page.clock.fastForward(3_000);
    release();
    await page.getByRole('list', { name: 'Conditions' }).waitFor();
    await row(page, 'first').waitFor();
    for (let polls = 0; polls < 2; polls += 1) await poll(page);
    expect(searches.length).toBe(1);
    await line(page).focus();
    await page.keyboard.press('Enter');
    await expect.poll(() => searches.length).toBe(2);
    await close();
  });

  it('shows how far a search is, leaves it alone in polls, and stops it', async () => {
    await queue.add('first', { customer: { id: 'ada' } });
    const others = Array.from({ length: 11_000 }, () => ({
      name: 'other',
      data: { customer: {} },
    }));
    await queue.addBulk(others);
    const { page, close } = await openPage(browser(), 'about:blank');
    await page.clock.install();
    await page.route('**/api/live', (route) => route.fulfill({ status: 404 }));
    await page.goto(at('?state=waiting'));
    await row(page, 'other').first().waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => (release = resolve));
    let begun = 0;
    await page.route('**/search?*', async (route) => {
      if (route.request().url().includes('cursor=')) await released;
      else begun += 1;
      await route.continue().catch(() => undefined);
    });
    await apply(page, 'data.customer.id = ada');
    const bar = page.getByRole('progressbar', { name: 'Search under way' });
    await bar.waitFor();
    await page.getByText('5,000 of 11,001').waitFor();
    await poll(page);
    expect(begun).toBe(1);
    await page.getByRole('button', { name: 'Stop' }).click();
    release();
    await bar.waitFor({ state: 'detached' });
    await page.getByText(/^10,?000 jobs examined so far/).waitFor();
    await page.getByRole('button', { name: 'Search on' }).click();
    await row(page, 'first').waitFor();
    await close();
  });
});
