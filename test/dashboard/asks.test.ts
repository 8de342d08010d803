/** No key and no click does something to many jobs, or again to a finished one: the dashboard asks, and says of what. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;
const many = 30;

describeInBrowser('commands over many or finished jobs', (browser) => {
  let queues: FailingQueues;
  let open: OpenPage;
  /** Requests that may change something. */
  const sent: string[] = [];
  const show = async (path: string) => {
    sent.length = 0;
    await open.page.goto(`${queues.board.url}${path}`);
    await open.page.locator('tbody tr').first().waitFor();
  };
  const commands = () => open.page.getByRole('button', { name: /^(Retry|Remove|Promote)/ }).count();
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
    const later = Array.from({ length: many }, (_, index) => ({
      name: 'invitation',
      data: { index },
      opts: { delay: 9_000_000 },
    }));
    await queues.mail.addBulk(later);
    open = await openPage(browser(), `${queues.board.url}/`);
    open.page.on('request', (request) => {
      const { dryRun } = (request.postDataJSON() ?? {}) as { dryRun?: boolean };
      if (request.method() !== 'GET' && !dryRun) sent.push(new URL(request.url()).pathname);
    });
  });
  afterAll(async () => {
    await open?.close();
    await queues?.close();
  });

  it('asks before a completed job runs again', async () => {
    const { page, complaints } = open;
    await show('/queue/mail?state=completed');
    for (const key of ['j', 'x', 'r']) await page.keyboard.press(key);
    const dialog = page.getByRole('dialog', { name: 'Retry 1 job?' });
    await dialog.getByText('run once more').waitFor();
    await page.keyboard.press('Escape');
    const id = await page.locator('tbody tr').first().getAttribute('data-id');
    await page.goto(`${queues.board.url}/queue/mail/${id}`);
    await page.getByRole('button', { name: /^Retry/ }).waitFor();
    await page.keyboard.press('r');
    await dialog.getByText('completed, in mail').waitFor();
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    expect(sent).toEqual([]);
    expect((await queues.mail.counts())['completed']).toBe(4);
    expect(complaints).toEqual([]);
  });

  it('says of many jobs how many they are, in which state, and what becomes of them', async () => {
    const { page, complaints } = open;
    const dialog = page.getByRole('dialog', { name: 'Promote 31 jobs?' });
    const asked = async () => {
      await dialog.getByText('delayed, in mail').waitFor();
      await dialog.getByText('They run as soon as a worker is free').waitFor();
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Cancel');
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'hidden' });
    };
    await show('/queue/mail?state=delayed');
    await page.getByRole('button', { name: /^Promote all 31/ }).click();
    await asked();
    await page.getByRole('button', { name: 'Actions of mail' }).click();
    await page.getByRole('menuitem', { name: /^Promote all 31/ }).click();
    await asked();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.keyboard.press('p');
    await asked();
    expect(sent).toEqual([]);
    // A few are done at once, as before.
    await page.getByRole('button', { name: 'Select none' }).click();
    for (const key of ['j', 'x', 'p']) await page.keyboard.press(key);
    await page.getByText('requested 1 · promoted 1').waitFor();
    await expect.poll(async () => (await queues.mail.counts())['delayed']).toBe(many);
    await page.getByRole('button', { name: /^Promote all 30/ }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Promote 30 jobs' }).click();
    await expect.poll(async () => (await queues.mail.counts())['delayed']).toBe(0);
    expect(complaints).toEqual([]);
  });

  it('says of what all are, and counts them for the command', async () => {
    const { page } = open;
    await show('/queue/mail?state=waiting&size=10&q=invitation');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all that match invitation' }).click();
    await page.getByText('All 30 jobs that match invitation').waitFor();
    await page.keyboard.press('d');
    const dialog = page.getByRole('dialog', { name: 'Remove 30 jobs?' });
    await dialog.getByText('waiting, in mail').waitFor();
    await dialog.getByText('Only those that match the filter: invitation').waitFor();
    await page.keyboard.press('Escape');
    await show('/queue/mail?state=waiting&size=10');
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: 'Select all jobs of the queue: waiting' }).click();
    await page.getByText('All 31 jobs of the queue: waiting').waitFor();
    expect(sent).toEqual([]);
  });

  it('offers no command under a filter that is refused, or not applied yet', async () => {
    const { page } = open;
    await show('/queue/mail?state=failed');
    const line = page.getByRole('combobox', { name: 'Filter jobs' });
    await expect.poll(commands).toBeGreaterThan(0);
    await line.fill('welcom');
    await page.getByText('The filter is not applied yet').waitFor();
    expect(await commands()).toBe(0);
    await line.fill('priority = high');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    await page.getByText('The filter is not understood').waitFor();
    expect(await page.locator('tbody tr').count()).toBe(0);
    expect(await commands()).toBe(0);
  });

  it('gives up editing with Escape, and never widens a filter that is applied', async () => {
    const { page, complaints } = open;
    await show('/queue/mail?state=failed&q=welcome');
    const line = page.getByRole('combobox', { name: 'Filter jobs' });
    await line.fill('receipt and mo');
    for (const _ of [1, 2, 3]) await page.keyboard.press('Escape');
    expect(await line.inputValue()).toBe('welcome');
    expect(new URL(page.url()).searchParams.get('q')).toBe('welcome');
    await show('/?q=ma');
    const filter = page.locator('main').getByRole('searchbox', { name: 'Filter queues' });
    await filter.focus();
    for (const _ of [1, 2]) await page.keyboard.press('Escape');
    expect(await filter.inputValue()).toBe('ma');
    expect(complaints).toEqual([]);
  });

  it('tells what there is and how long it takes, keeps a rate, and gives back what has not started', async () => {
    const { page, complaints } = open;
    const later = Array.from({ length: many }, () => ({
      name: 'party',
      data: {},
      opts: { delay: 9_000_000, timestamp: Date.now() - 6 * 3_600_000 },
    }));
    await queues.mail.addBulk(later);
    const delayed = async () => (await queues.mail.counts())['delayed'];
    await show('/queue/mail?state=delayed');
    await page.getByRole('button', { name: /^Promote all 30/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Promote 30 jobs?' });
    await dialog.getByText(/^30 jobs · oldest 6 ?h · no worker is running$/).waitFor();
    await dialog.getByText('Jobs that have not started by then can be given back').waitFor();
    await dialog.getByRole('button', { name: 'Count again' }).click();
    await dialog.getByRole('combobox', { name: 'Rate' }).selectOption('10 a second');
    await dialog.getByText('It takes 3 s').waitFor();
    expect(await delayed()).toBe(many);
    await dialog.getByRole('button', { name: 'Promote 30 jobs' }).click();
    const progress = page.getByRole('group', { name: 'Progress' });
    await progress.getByText('10 a second').waitFor();
    await page.getByText('requested 30 · promoted 30').waitFor();
    expect(await delayed()).toBe(0);
    // It is offered after a return as well.
    await page.goto(`${queues.board.url}/queue/mail?state=waiting`);
    await page.getByRole('button', { name: 'Undo what has not started' }).click();
    await page.getByText('requested 30 · given back 30').waitFor();
    expect(await delayed()).toBe(many);
    expect(complaints).toEqual([]);
  });
});
