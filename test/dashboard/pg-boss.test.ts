/** The dashboard over pg-boss: what it shows, and what its actions do in the database. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { describeInBrowser, openPage, searchInNoTime } from './open-page.ts';
import type { OpenPage } from './open-page.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';

describeInBrowser('the dashboard over pg-boss', (browser) => {
  let world: World;
  let board: BoardUnderTest;
  let open: OpenPage;
  const stateOf = async (id: string) =>
    (await world.admin.query<{ state: string }>('select state from pgboss.job where id = $1', [id]))
      .rows[0]?.state;
  beforeAll(async () => {
    world = await makeWorld(newestLibrary, 'dashboard');
    board = await world.board();
    await world.boss.createQueue('letters', { retryLimit: 0 });
    open = await openPage(browser(), `${board.origin}/`);
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await world?.close();
  });

  it('cancels a job, undoes it, and retries a failed one', async () => {
    const { page, complaints } = open;
    const waiting = (await world.boss.send('letters', { to: 'ada' })) ?? '';
    await page.goto(`${board.origin}/queue/letters/${waiting}`);
    await page.getByText('"ada"').waitFor();
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect.poll(() => stateOf(waiting)).toBe('cancelled');
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => stateOf(waiting)).toBe('created');
    const [fetched] = await world.boss.fetch('letters');
    await world.boss.fail('letters', fetched?.id ?? '', { message: 'The ink ran out.' });
    await page.getByText('The ink ran out.').first().waitFor();
    await page.getByRole('button', { name: /^Retry/ }).click();
    await expect.poll(() => stateOf(waiting)).toBe('retry');
    expect(complaints).toEqual([]);
  });

  it('finds jobs by what is in their data', async () => {
    const { page, complaints } = open;
    const wanted = (await world.boss.send('letters', { customer: { id: 42 } })) ?? '';
    await world.boss.send('letters', { customer: { id: 43 } });
    await page.goto(`${board.origin}/queue/letters`);
    await page.getByRole('combobox', { name: 'Filter jobs' }).fill('data.customer.id = 42');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    expect(await page.locator('tbody tr').getAttribute('data-id')).toBe(wanted);
    // The view is in the address: a colleague sees the same.
    await page.reload();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    for (const singletonKey of ['ada', 'adam'])
      await world.boss.send('letters', {}, { singletonKey });
    await page.getByRole('combobox', { name: 'Filter jobs' }).fill('key = ada');
    await page.keyboard.press('Enter');
    await page.locator('tbody tr').filter({ hasText: 'ada' }).first().waitFor();
    await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
    await page.getByRole('combobox', { name: 'Filter jobs' }).fill('key ~ ada');
    await page.keyboard.press('Enter');
    await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
    await page.getByRole('combobox', { name: 'Filter jobs' }).fill('priority = high');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    expect(complaints).toEqual([]);
  });

  it('finds jobs by times that are told from now', async () => {
    const { page, complaints } = open;
    const fresh = (await world.boss.send('letters', { told: 'now' })) ?? '';
    const old = (await world.boss.send('letters', { told: 'now' })) ?? '';
    await world.admin.query(
      `update pgboss.job set created_on = now() - interval '2 hours' where id = $1`,
      [old],
    );
    await page.goto(`${board.origin}/queue/letters`);
    const line = page.getByRole('combobox', { name: 'Filter jobs' });
    const found = () =>
      page.locator('tbody tr').evaluateAll((rows) => rows.map((row) => row.dataset['id']));
    for (const [text, ids] of [
      ['data.told = now and added < 1h', [fresh]],
      ['data.told = now and added >= 90m', [old]],
      ['data.told = now and added between 1h and 3h', [old]],
      ['data.told = now and added > now - 3h and added >= now - 1h', [fresh]],
      ['data.told = now and added <= now', [fresh, old]],
    ] as const) {
      await line.fill(text);
      await page.keyboard.press('Enter');
      await expect.poll(async () => [text, await found()]).toEqual([text, ids]);
    }
    expect(complaints).toEqual([]);
  });

  it('counts the jobs that fit each condition of a filter alone', async () => {
    const { page, complaints, close } = await openPage(browser(), `${board.origin}/`);
    await searchInNoTime(page);
    for (const parity of ['odd', 'even', 'odd'])
      await world.boss.send('letters', { counted: 'yes', parity });
    await page.goto(`${board.origin}/queue/letters?state=created`);
    await page
      .getByRole('combobox', { name: 'Filter jobs' })
      .fill('data.counted = yes and data.parity = odd');
    await page.keyboard.press('Enter');
    await expect
      .poll(() => page.getByRole('list', { name: 'Conditions' }).locator('li').allTextContents())
      .toEqual(['data.counted = yes 3', 'data.parity = odd 2']);
    expect(complaints).toEqual([]);
    await close();
  });

  it('shows the depth of a queue, and the jobs that finished at a time', async () => {
    const { page, complaints } = open;
    // The table has a partition for today, and none for yesterday.
    await world.admin.query(
      `insert into pgboss.queue_stats (name, deferred_count, queued_count, ready_count, active_count,
         failed_count, total_count, captured_on)
       select 'letters', 4, 9, 5, 3, 1, 20, greatest(now() - number * interval '10 minutes',
         date_trunc('day', now(), 'UTC') + number * interval '1 second')
       from generate_series(1, 5) number`,
    );
    const id = (await world.boss.send('letters', {})) ?? '';
    await world.admin.query(
      `update pgboss.job set state = 'completed', completed_on = now() where id = $1`,
      [id],
    );
    const at = `${Date.now() - 600_000}-${Date.now() + 600_000}`;
    await page.goto(`${board.origin}/metrics-history?queue=letters&range=1h&at=${at}`);
    const depth = page.getByRole('region', { name: 'Depth', exact: true });
    await depth.locator('.uplot').waitFor();
    await depth.getByText('Show as a table').click();
    await depth.getByRole('cell', { name: '5', exact: true }).first().waitFor();
    await page
      .getByRole('region', { name: /^Jobs finished from/ })
      .first()
      .getByRole('link', { name: id })
      .click();
    await expect.poll(() => new URL(page.url()).pathname).toBe(`/queue/letters/${id}`);
    expect(complaints).toEqual([]);
  });

  it('counts jobs that could run as waiting, and forgets a queue that is gone', async () => {
    const { page, complaints } = open;
    await world.boss.createQueue('drafts');
    await world.admin.query(
      `update pgboss.queue set queued_count = 9, deferred_count = 4, ready_count = 5, active_count = 0,
         failed_count = 0, total_count = 9, monitor_on = now() where name = 'drafts'`,
    );
    await page.goto(`${board.origin}/`);
    const drafts = page.locator('tbody tr').filter({ hasText: 'drafts' });
    await drafts.locator('td[data-label=waiting]').getByText('5', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'live', exact: true }).waitFor();
    // Nothing but the stream tells it.
    await page.route(/\/api\/pgq\/queues(?:\?|$)/, () => undefined);
    await world.boss.deleteQueue('drafts');
    await drafts.waitFor({ state: 'detached' });
    await page.unroute(/\/api\/pgq\/queues(?:\?|$)/);
    expect(complaints).toEqual([]);
  });

  it('deletes waiting jobs alone, and cancels a job that waits for others', async () => {
    const { page, complaints } = open;
    await world.boss.createQueue('notes');
    const [done = '', blocked = ''] = [
      await world.boss.send('notes', {}),
      await world.boss.send('notes', {}),
    ].map(String);
    await world.admin.query(
      `update pgboss.job set state = 'completed', completed_on = now() where id = $1`,
      [done],
    );
    await world.admin.query('update pgboss.job set blocked = true where id = $1', [blocked]);
    await page.goto(`${board.origin}/queue/notes/${blocked}`);
    await page.getByRole('button', { name: 'Cancel', exact: true }).click();
    await expect.poll(() => stateOf(blocked)).toBe('cancelled');
    const waiting = String(await world.boss.send('notes', {}));
    await page.goto(`${board.origin}/queue/notes`);
    await page.getByRole('button', { name: 'Actions of notes' }).click();
    await page.getByRole('menuitem', { name: 'Delete waiting jobs…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Delete all waiting jobs of notes?' });
    await dialog.getByLabel('Type notes to go on').fill('notes');
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await expect.poll(() => stateOf(waiting)).toBeUndefined();
    expect([await stateOf(done), await stateOf(blocked)]).toEqual(['completed', 'cancelled']);
    expect(complaints).toEqual([]);
  });

  it('removes selected jobs', async () => {
    const { page, complaints } = open;
    await page.goto(`${board.origin}/queue/letters?state=created`);
    await page.locator('tbody tr').first().waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await page.getByRole('button', { name: /^Remove/ }).click();
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Remove/ })
      .click();
    const count = async () =>
      (await world.admin.query(`select 1 from pgboss.job where state = 'created'`)).rowCount;
    await expect.poll(count).toBe(0);
    expect(complaints).toEqual([]);
  });
});
