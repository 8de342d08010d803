/** A job on the dashboard: its parts, edits, changes by others, and what is no longer there. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import { failingQueues } from './failing-queues.ts';
import type { FailingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('a job on the dashboard', (browser) => {
  let queues: FailingQueues;
  let open: OpenPage;
  const show = (id: string, query = '') =>
    open.page.goto(`${queues.board.url}/queue/mail/${id}${query}`);
  const data = async (id: string) => (await queues.mail.described(id))['data'];
  beforeAll(async () => {
    if (!cell) throw new Error('There is no cell.');
    queues = await failingQueues(cell);
    open = await openPage(browser(), `${queues.board.url}/`);
  });
  afterAll(async () => {
    await open?.close();
    await queues?.close();
  });

  it('shows its error, data, log and neighbours', async () => {
    const { page, complaints } = open;
    const [, id = ''] = queues.failed;
    await show(id, '?state=failed');
    await page.getByRole('region', { name: 'Error' }).getByText('No such mailbox').waitFor();
    await page.getByText('customer-1@example.com').waitFor();
    await page.getByRole('button', { name: 'Logs' }).click();
    await page.getByText('sending welcome').waitFor();
    await page.keyboard.press(']');
    await expect.poll(() => page.url()).not.toContain(`/mail/${id}?`);
    await page.getByRole('region', { name: 'Error' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/board/queue/mail');
    expect(complaints).toEqual([]);
  });

  it('goes back with Escape while the job is still loading', async () => {
    const { page, complaints } = open;
    const id = queues.failed[0] ?? '';
    let answer = (): void => undefined;
    const held = new Promise<void>((resolve) => (answer = resolve));
    await page.route(`**/api/queues/mail/${id}*`, async (route) => {
      await held;
      await route.continue().catch(() => undefined);
    });
    await show(id, '?state=failed');
    await page.getByRole('heading', { level: 1, name: id, exact: true }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => new URL(page.url()).pathname).toBe('/board/queue/mail');
    answer();
    await page.unroute(`**/api/queues/mail/${id}*`);
    expect(complaints).toEqual([]);
  });

  it('saves an edit after showing what changes', async () => {
    const { page, complaints } = open;
    const [id = ''] = queues.failed;
    await show(id);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    await dialog.getByRole('textbox', { name: 'Data' }).fill('{"to": "somebody@example.com"}');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByText('+ {"to": "somebody@example.com"}').waitFor();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved ${id}`).waitFor();
    expect(await data(id)).toEqual({ to: 'somebody@example.com' });
    expect(complaints).toEqual([]);
  });

  it('puts typed text in place of a selection without the browser', async () => {
    const { page, complaints } = open;
    const id = await queues.mail.add('coloured', 'a text');
    await show(id);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    const box = dialog.getByRole('textbox', { name: 'Data' });
    await box.getByText('"a text"').waitFor();
    // The browser would keep the colour of the text as a style attribute, which the policy refuses.
    const byBrowser = await page.evaluateHandle<string[]>(`(() => {
      const seen = [];
      document.addEventListener('beforeinput', (event) => {
        if (!event.defaultPrevented) seen.push(event.inputType + ' ' + event.data);
      });
      return seen;
    })()`);
    await box.fill('{"n": [1]}');
    await expect.poll(() => box.textContent()).toBe('{"n": [1]}');
    await page.keyboard.press('Control+A');
    await page.keyboard.type('{\n"n": 2');
    await expect.poll(() => box.locator('.cm-line').allTextContents()).toEqual(['{', '  "n": 2']);
    await page.keyboard.type('}');
    const inserted = (await byBrowser.jsonValue()).filter((each) =>
      each.startsWith('insertText {'),
    );
    expect(inserted).toEqual([]);
    await box.fill('{"n": 2}');
    await expect.poll(() => box.textContent()).toBe('{"n": 2}');
    await page.keyboard.press('Control+Z');
    await expect.poll(() => box.textContent()).not.toBe('{"n": 2}');
    await page.keyboard.press('Control+Y');
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved ${id}`).waitFor();
    expect(await data(id)).toEqual({ n: 2 });
    expect(complaints).toEqual([]);
  });

  it('does not overwrite what somebody else has saved meanwhile', async () => {
    const { page, complaints } = open;
    const id = queues.failed[2] ?? '';
    await show(id);
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'JSON' }).click();
    await dialog.getByRole('textbox', { name: 'Data' }).fill('{"mine": 1}');
    const theirs = { theirs: 2 };
    await queues.board.send('PATCH', `/api/queues/mail/${id}/update-data`, { jobData: theirs });
    // The page behind knows the new version, which is not the one that was edited.
    await page.locator('main').getByText('"theirs"').waitFor();
    await dialog.getByRole('button', { name: 'Review changes' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    const conflict = page.getByRole('dialog', { name: 'The job has changed meanwhile' });
    await conflict.getByText('"theirs": 2').waitFor();
    expect(await data(id)).toEqual(theirs);
    await conflict.getByRole('button', { name: 'Go on with mine' }).click();
    await dialog.getByRole('button', { name: 'Save' }).click();
    await page.getByText(`Saved ${id}`).waitFor();
    expect(await data(id)).toEqual({ mine: 1 });
    // The refusal, as the browser tells it.
    expect(complaints.splice(0)).toEqual([expect.stringContaining('409')]);
  });

  it('shows markup and marks of direction as text', async () => {
    const { page, complaints } = open;
    const text = '<img src=x onerror=alert(1)>\u202Eevil</script>';
    const id = await queues.mail.add(text, { [text]: text });
    await show(id);
    await expect.poll(() => page.getByRole('heading', { level: 1 }).textContent()).toContain(text);
    expect(await page.locator('main img').count()).toBe(0);
    await page.goto(`${queues.board.url}/queue/mail?state=waiting`);
    await page.getByRole('cell', { name: text }).first().waitFor();
    expect(complaints).toEqual([]);
  });

  it('keeps what was known of a job that is removed while it is shown', async () => {
    const { page } = open;
    const id = queues.failed[4] ?? '';
    await show(id);
    await page.getByText('customer-4@example.com').waitFor();
    await queues.board.send('PUT', `/api/queues/mail/${id}/clean`);
    await page.getByText('The job has been removed').waitFor();
    await page.getByText('customer-4@example.com').waitFor();
    expect(await page.getByRole('button', { name: 'Retry' }).count()).toBe(0);
  });
});
