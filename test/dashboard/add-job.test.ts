/** Adding a job to a queue with a schema: fields and JSON show the same data, and no digit is rounded. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

const jobDataSchema = {
  type: 'object',
  properties: {
    order: { type: 'number', description: 'Number of the order' },
    to: { type: 'string' },
    kind: { enum: ['letter', 'parcel'] },
    urgent: { type: 'boolean' },
    lines: { type: 'array', items: { type: 'object' } },
  },
  required: ['order', 'to'],
};

describeInBrowser('adding a job by its schema', (browser) => {
  let world: CellWorld;
  let queue: TestQueue;
  let board: ServedBoard;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    queue = await world.queue('mail');
    board = await serveBoard([queue.boardQueue({ jobDataSchema })]);
  });
  afterAll(async () => {
    await board?.close();
    await world?.close();
  });

  it('has fields for plain members, and text for everything', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`);
    await page.getByRole('button', { name: 'Add job' }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.getByRole('textbox', { name: 'Data (JSON)' });
    await dialog.getByLabel('order *').fill('12345678901234567890');
    await dialog.getByLabel('to *').fill('ada');
    await dialog.getByLabel('kind').selectOption('"parcel"');
    await dialog.getByLabel('urgent').selectOption('true');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    expect(await text.inputValue()).toContain('"order": 12345678901234567890');
    await expectAccessible(page);
    await dialog.getByRole('button', { name: 'Form' }).click();
    await expectAccessible(page);
    await dialog.getByLabel('order *').fill('many');
    await dialog.getByText('This is not a number.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Add job' }).isDisabled()).toBe(true);
    // The text changes the fields as well.
    await dialog.getByRole('button', { name: 'JSON' }).click();
    await text.fill('{"lines": [{"n": 1.5}], "order": 7, "to": "ada", "kind": "letter"}');
    await dialog.getByRole('button', { name: 'Form' }).click();
    await dialog.getByText('Kept as it is, in the JSON: lines').waitFor();
    expect(await dialog.getByLabel('kind').inputValue()).toBe('"letter"');
    await dialog.getByLabel('order *').fill('12345678901234567890');
    await dialog.getByRole('button', { name: 'Add job' }).click();
    const stored = async () =>
      (await board.get('/api/queues/mail/jobs?status=waiting')).body.jobs.map(
        (job: { data?: string }) => job.data,
      );
    await expect
      .poll(stored)
      .toEqual(['{"lines":[{"n":1.5}],"order":12345678901234567890,"to":"ada","kind":"letter"}']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('keeps data that were typed before the schema has arrived', async () => {
    const { page, close } = await openPage(browser(), 'about:blank');
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/job-data-schema', async (route) => {
      await held;
      await route.continue();
    });
    await page.goto(`${board.url}/queue/mail`);
    await page.getByRole('button', { name: 'Add job' }).click();
    const dialog = page.getByRole('dialog');
    const text = dialog.getByRole('textbox', { name: 'Data (JSON)' });
    await text.fill('{"order": 1}');
    const arrived = page.waitForResponse('**/job-data-schema');
    answer();
    await arrived;
    await expect.poll(() => page.evaluate('document.activeElement.value')).toBe('{"order": 1}');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    await dialog.getByRole('button', { name: 'Form' }).click();
    await dialog.getByLabel('kind').waitFor();
    expect(await dialog.getByLabel('order *').inputValue()).toBe('1');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    expect(await text.inputValue()).toBe('{"order": 1}');
    await close();
  });

  it('begins in the first field, and a question that would lose something at Cancel', async () => {
    const { page, close } = await openPage(browser(), `${board.url}/queue/mail`);
    const focused = () =>
      page.evaluate(
        '(({ labels, innerText }) => labels?.[0]?.innerText || innerText)(document.activeElement)',
      );
    await page.getByRole('button', { name: 'Add job' }).click();
    await expect.poll(focused).toBe('Name');
    await page.keyboard.press('Escape');
    await expect.poll(focused).toBe('Add job');
    await page.getByRole('button', { name: 'Actions of mail' }).click();
    await page.getByRole('menuitem', { name: 'Empty' }).click();
    await page.getByLabel('Type mail to go on').waitFor();
    await expect.poll(focused).toBe('Cancel');
    await close();
  });
});
