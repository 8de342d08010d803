/** The schedules of both engines in a browser: what is listed, and what running, editing and removing does in the store. */

import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const rowOf = (page: Page, key: string) =>
  page.getByRole('row').filter({ has: page.getByRole('rowheader', { name: key }) });

describeInBrowser('schedules', (browser) => {
  describe.each(cells.filter(({ datastore }) => datastore === 'kv'))('over $name', (cell) => {
    let world: CellWorld;
    let queue: TestQueue;
    let board: ServedBoard;
    let open: OpenPage;
    const canEdit = cell.library === 'current';
    const stored = async (id: string) =>
      (await board.get('/api/job-schedulers')).body.schedulers.find((each: { id: string }) =>
        each.id.includes(id),
      );
    beforeAll(async () => {
      const opened = await cell.open();
      if ('missing' in opened) throw new Error(opened.advice);
      world = opened;
      queue = await world.queue('reports');
      await queue.schedule('nightly', { pattern: '0 3 * * *' }, { scope: 'daily' });
      await queue.schedule('heartbeat', { every: 3_600_000 });
      board = await serveBoard([queue.boardQueue()]);
      open = await openPage(browser(), `${board.url}/`);
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it('says when schedules fire, and filters them by those words', async () => {
      const { page, complaints } = open;
      await page.getByRole('link', { name: 'Schedules' }).click();
      const nightly = rowOf(page, 'nightly');
      await nightly.getByText('At 03:00').waitFor();
      await rowOf(page, 'heartbeat')
        .getByText(/every 1/)
        .waitFor();
      const next = await nightly.locator('time').first().getAttribute('datetime');
      expect(next).toBe(new Date((await stored('nightly')).next).toISOString());
      await page.getByRole('searchbox', { name: 'Filter schedules' }).fill('at 03');
      await expect.poll(() => page.locator('tbody tr').count()).toBe(1);
      await page.reload();
      await nightly.waitFor();
      expect(await page.locator('tbody tr').count()).toBe(1);
      await page.getByRole('searchbox', { name: 'Filter schedules' }).fill('absent');
      await page.getByText('No schedule matches.').waitFor();
      await page.getByRole('main').getByRole('button', { name: 'Clear filters' }).last().click();
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
      await expectAccessible(page);
      expect(complaints).toEqual([]);
    });

    it.runIf(canEdit)('runs a schedule now and leaves it alone', async () => {
      const { page, complaints } = open;
      const before = await stored('nightly');
      await page.getByRole('button', { name: 'Run now: nightly' }).click();
      await page.getByText(/nightly was run: job/).waitFor();
      await expect.poll(async () => (await queue.counts())['waiting']).toBeGreaterThan(0);
      expect((await stored('nightly')).next).toBe(before.next);
      expect(complaints).toEqual([]);
    });

    it('shows what became of the last runs, with links to their jobs', async () => {
      const { page, complaints } = open;
      await queue.schedule('often', { every: 200 });
      let runs = 0;
      const stop = await queue.work(async ({ name }) => {
        if (name !== 'often') return;
        runs += 1;
        if (runs % 2 === 0) throw new Error('The tide is out.');
      });
      await expect.poll(() => runs, { timeout: 60_000 }).toBeGreaterThan(5);
      await stop();
      await page.goto(`${board.url}/job-schedulers`);
      const often = rowOf(page, 'often');
      const failed = often.getByRole('link', { name: /^failed, / }).first();
      await failed.waitFor();
      expect(await often.getByRole('link', { name: /^completed/ }).count()).toBeGreaterThan(1);
      await expectAccessible(page);
      await failed.click();
      await page.getByRole('region', { name: 'Error' }).getByText('The tide is out.').waitFor();
      await page.goBack();
      await often.getByRole('button', { name: /^Remove/ }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove schedule' }).click();
      await often.waitFor({ state: 'detached' });
      expect(complaints).toEqual([]);
    });

    it.runIf(canEdit)('edits the expression and the zone, and refuses what cannot be', async () => {
      const { page } = open;
      await page.getByRole('button', { name: 'Edit nightly' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
      await dialog.getByLabel('Time zone').fill('Mars/Olympus');
      await dialog.getByText('There is no such time zone.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await dialog.getByLabel('Time zone').fill('Europe/Berlin');
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('61 * * * *');
      await dialog.getByText('The cron pattern is not valid, or never fires.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('30 4 * * 1-5');
      await dialog.getByText('At 04:30, Monday through Friday').waitFor();
      await dialog.getByRole('columnheader', { name: 'Europe/Berlin' }).waitFor();
      await expect.poll(() => dialog.getByRole('cell', { name: /04:30/ }).count()).toBe(5);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored('nightly')).toMatchObject({
        pattern: '30 4 * * 1-5',
        tz: 'Europe/Berlin',
        template: { data: { scope: 'daily' } },
      });
      const endDate = Date.parse('2099-01-01T00:00:00Z');
      const ends = { every: 3_600_000, limit: 900, endDate };
      await board.send('PATCH', '/api/queues/reports/job-schedulers/heartbeat', ends);
      await page.reload();
      await page.getByRole('button', { name: 'Edit heartbeat' }).click();
      const other = page.getByRole('dialog', { name: 'Edit heartbeat' });
      await other.getByLabel('Milliseconds between two runs').fill('7200000');
      await other.getByRole('button', { name: 'Save' }).click();
      await expect.poll(async () => (await stored('heartbeat')).every).toBe(7_200_000);
      expect(await stored('heartbeat')).toMatchObject({ limit: 900, endDate });
    });

    it.runIf(canEdit)(
      'edits the data as fields or JSON, and shows what changes first',
      async () => {
        const { page } = open;
        await page.goto(`${board.url}/job-schedulers`);
        await page.getByRole('button', { name: 'Edit nightly' }).click();
        const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
        await dialog.getByLabel('scope').fill('weekly');
        await dialog.getByRole('button', { name: 'JSON' }).click();
        const json = dialog.getByRole('textbox', { name: /^Data/ });
        expect(await json.inputValue()).toContain('"scope": "weekly"');
        await json.fill('{"scope": "weekly", "big": 9007199254740993}');
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Review changes' }).click();
        const changes = dialog.getByLabel('Changes');
        await changes.getByText(/− .*daily/).waitFor();
        await changes.getByText(/\+ .*9007199254740993/).waitFor();
        await expectAccessible(page);
        expect((await stored('nightly')).template.data).toEqual({ scope: 'daily' });
        // Somebody else changes it meanwhile.
        const { pattern, tz } = await stored('nightly');
        const path = '/api/queues/reports/job-schedulers/nightly';
        await board.send('PATCH', path, { pattern, tz, data: { scope: 'hourly' } });
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.getByText('The schedule has changed since you opened it.').waitFor();
        expect((await stored('nightly')).template.data).toEqual({ scope: 'hourly' });
        await board.send('PATCH', path, { pattern, tz, data: { scope: 'daily' } });
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        const raw = async () =>
          (await board.get('/api/job-schedulers?raw=1')).body.schedulers.find(
            ({ id }: { id: string }) => id === 'nightly',
          );
        expect((await raw()).raw.data).toContain('9007199254740993');
        expect(await raw()).toMatchObject({ pattern, tz, template: { data: { scope: 'weekly' } } });
      },
    );

    it('creates a schedule, and replaces none', async () => {
      const { page } = open;
      await page.goto(`${board.url}/job-schedulers`);
      await page.getByRole('button', { name: 'New schedule' }).click();
      const dialog = page.getByRole('dialog', { name: 'New schedule' });
      const create = dialog.getByRole('button', { name: 'Create schedule' });
      expect(await create.isDisabled()).toBe(true);
      await dialog.getByLabel('Key', { exact: true }).fill('weekly');
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('30 2 * * 0');
      await dialog.getByLabel('Time zone').fill('Europe/Berlin');
      await expect
        .poll(() => dialog.getByRole('cell', { name: /02:30/ }).count())
        .toBeGreaterThan(4);
      // In March the clocks go from 02:00 to 03:00, in October from 03:00 to 02:00.
      await dialog.getByText('there is no 02:30 that day').waitFor();
      await dialog.getByText('02:30 comes twice that day').waitFor();
      await dialog.getByRole('button', { name: 'JSON' }).click();
      await dialog.getByRole('textbox', { name: /^Data/ }).fill('{"big": 9007199254740993}');
      await expectAccessible(page);
      await create.click();
      await dialog.waitFor({ state: 'detached' });
      await expect.poll(async () => (await stored('weekly'))?.tz).toBe('Europe/Berlin');
      // Its next job has the data as it was written.
      const next = async () =>
        (await board.get('/api/queues/reports/jobs?status=delayed')).body.jobs;
      await expect
        .poll(async () => (await next()).map((job: { data?: string }) => job.data))
        .toContainEqual(expect.stringContaining('9007199254740993'));
    });

    it.runIf(!canEdit)('offers no edit and no run where the library has none', async () => {
      const { page } = open;
      await page
        .getByRole('button', { name: /^Remove/ })
        .first()
        .waitFor();
      expect(await page.getByRole('button', { name: /^(?:Edit|Run) / }).count()).toBe(0);
    });

    it('removes a schedule after asking', async () => {
      const { page } = open;
      await rowOf(page, 'heartbeat')
        .getByRole('button', { name: /^Remove/ })
        .click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await stored('heartbeat')).toBeDefined();
      await rowOf(page, 'heartbeat')
        .getByRole('button', { name: /^Remove/ })
        .click();
      await dialog.getByRole('button', { name: 'Remove schedule' }).click();
      await expect.poll(() => stored('heartbeat')).toBeUndefined();
      await expect.poll(() => rowOf(page, 'heartbeat').count()).toBe(0);
    });

    it('offers only what the person may do', async () => {
      const limited = await serveBoard([queue.boardQueue()], {
        permissions: () => ['queue.read', 'schedule.read', 'schedule.remove'],
      });
      const { page, close } = await openPage(browser(), `${limited.url}/schedules`);
      await rowOf(page, 'nightly').getByRole('button').waitFor();
      expect(await rowOf(page, 'nightly').getByRole('button').count()).toBe(1);
      expect(await page.getByRole('button', { name: 'New schedule' }).count()).toBe(0);
      await close();
      await limited.close();
      // Rights for one queue, which the board as a whole does not have, and the other way round.
      const ofQueue = await serveBoard([queue.boardQueue()], {
        permissions: () => ({
          allowed: ['*'],
          queues: { reports: ['queue.read', 'schedule.read', 'schedule.remove'] },
        }),
      });
      const shown = await openPage(browser(), `${ofQueue.url}/schedules`);
      await rowOf(shown.page, 'nightly').getByRole('button').waitFor();
      expect(await rowOf(shown.page, 'nightly').getByRole('button').count()).toBe(1);
      await shown.close();
      await ofQueue.close();
    });

    it('offers nothing on a queue that is read only', async () => {
      const readOnly = await serveBoard([queue.boardQueue({ readOnlyMode: true })]);
      const { page, close } = await openPage(browser(), `${readOnly.url}/job-schedulers`);
      await rowOf(page, 'nightly').waitFor();
      expect(await page.locator('tbody button').count()).toBe(0);
      await close();
      await readOnly.close();
    });
  });

  describe('over pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    let open: OpenPage;
    const data = { order: 7, to: 'ada' };
    const stored = async () =>
      (
        await world.admin.query<{ cron: string; timezone: string; data: unknown }>(
          'select cron, timezone, data from pgboss.schedule',
        )
      ).rows;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_schedules');
      await world.boss.createQueue('letters');
      await world.boss.schedule('letters', '0 3 * * *', data, { key: 'nightly', priority: 3 });
      board = await world.board();
      open = await openPage(browser(), `${board.origin}/schedules`);
    });
    afterAll(async () => {
      await open?.close();
      await board?.close();
      await world?.close();
    });

    it('runs a schedule now with its data and options', async () => {
      const { page, complaints } = open;
      await rowOf(page, 'nightly').getByText('At 03:00').waitFor();
      await expectAccessible(page);
      await page.getByRole('button', { name: 'Run now: nightly' }).click();
      const jobs = async () =>
        (await world.admin.query('select data, priority from pgboss.job')).rows;
      await expect.poll(jobs).toEqual([{ data, priority: 3 }]);
      // Digits that JavaScript would round.
      const big = '{"n": 12345678901234567890}';
      const set = (json: string) =>
        world.admin.query('update pgboss.schedule set data = $1', [json]);
      await set(big);
      await page.reload();
      await page.getByRole('button', { name: 'Run now: nightly' }).click();
      const stored = async () =>
        (
          await world.admin.query(
            'select data::text from pgboss.job order by created_on desc limit 1',
          )
        ).rows;
      await expect.poll(stored).toEqual([{ data: big }]);
      await set(JSON.stringify(data));
      await page.reload();
      expect(complaints).toEqual([]);
    });

    it('shows the next runs while an expression is typed, and keeps the data', async () => {
      const { page } = open;
      await page.getByRole('button', { name: 'Edit nightly' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
      const expression = dialog.getByRole('textbox', { name: 'Cron expression' });
      await expression.fill('never');
      await dialog.getByText('The schedule is not valid.').waitFor();
      expect(await dialog.getByRole('button', { name: 'Save' }).isDisabled()).toBe(true);
      await expression.fill('15 6 * * *');
      await dialog.getByLabel('Time zone').fill('Asia/Tokyo');
      await dialog.getByRole('columnheader', { name: 'Asia/Tokyo' }).waitFor();
      await expect.poll(() => dialog.getByRole('cell', { name: /06:15/ }).count()).toBe(5);
      await dialog.getByRole('button', { name: 'Save' }).click();
      await expect.poll(stored).toEqual([{ cron: '15 6 * * *', timezone: 'Asia/Tokyo', data }]);
      await dialog.waitFor({ state: 'detached' });
    });

    it('saves nothing over a change that somebody else has made', async () => {
      const { page } = open;
      await page.getByRole('button', { name: 'Edit nightly' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('0 5 * * *');
      await world.boss.schedule('letters', '0 4 * * *', data, { key: 'nightly', tz: 'UTC' });
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByText('The schedule has changed since you opened it.').waitFor();
      expect(await stored()).toMatchObject([{ cron: '0 4 * * *' }]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
    });

    it('edits the data, and keeps its options and what a formatter hides', async () => {
      const options = 'select data::text, options from pgboss.schedule';
      const rows = async () => (await world.admin.query(options)).rows;
      await world.admin
        .query(`update pgboss.schedule set data = '{"card": "4111", "n": 1, "big": 12345678901234567890}',
        options = options || '{"priority": 3}'`);
      const [before] = await rows();
      const format = (value: unknown): unknown =>
        typeof value === 'object' && value !== null ? { ...value, card: '****' } : value;
      const hiding = await world.board({ formatters: { data: format } });
      const { page, close } = await openPage(browser(), `${hiding.origin}/schedules`);
      await page.getByRole('button', { name: 'Edit nightly' }).click();
      const dialog = page.getByRole('dialog', { name: 'Edit nightly' });
      await dialog.getByText('Some of it may be hidden from you.').waitFor();
      await dialog.getByRole('button', { name: 'JSON' }).click();
      const json = dialog.getByRole('textbox', { name: /^Data/ });
      const shown = await json.inputValue();
      expect(shown).toContain('****');
      await json.fill(shown.replace('"n": 1', '"n": 2'));
      await dialog.getByRole('button', { name: 'Review changes' }).click();
      await dialog
        .getByLabel('Changes')
        .getByText(/\+ .*"n": 2/)
        .waitFor();
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.waitFor({ state: 'detached' });
      const [after] = await rows();
      expect(JSON.parse(after.data)).toMatchObject({ card: '4111', n: 2 });
      expect(after.data).toContain('12345678901234567890');
      expect(after.options).toEqual(before.options);
      await close();
      await world.admin.query('update pgboss.schedule set data = $1', [JSON.stringify(data)]);
      await open.page.reload();
    });

    it('creates a schedule, and refuses a key that is taken', async () => {
      const { page } = open;
      await page.getByRole('button', { name: 'New schedule' }).click();
      const dialog = page.getByRole('dialog', { name: 'New schedule' });
      const create = dialog.getByRole('button', { name: 'Create schedule' });
      await dialog.getByLabel('Key', { exact: true }).fill('nightly');
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('0 9 * * 1');
      await dialog.getByText('At 09:00, only on Monday').waitFor();
      await create.click();
      await dialog.getByText('There is a schedule with this key already.').waitFor();
      expect(await stored()).toHaveLength(1);
      await dialog.getByLabel('Key', { exact: true }).fill('monday');
      await dialog.getByRole('button', { name: 'JSON' }).click();
      await dialog.getByRole('textbox', { name: /^Data/ }).fill('{"of": "week"}');
      await create.click();
      await dialog.waitFor({ state: 'detached' });
      expect(await stored()).toContainEqual({
        cron: '0 9 * * 1',
        timezone: 'UTC',
        data: { of: 'week' },
      });
      await page.getByRole('button', { name: 'Remove monday' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove schedule' }).click();
      await expect.poll(stored).toHaveLength(1);
      await rowOf(page, 'monday').waitFor({ state: 'detached' });
    });

    it('removes a schedule after asking, and says that none is left', async () => {
      const { page } = open;
      await page.getByRole('button', { name: 'Remove nightly' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Remove schedule' }).click();
      await expect.poll(stored).toEqual([]);
      await page.getByText('There are no schedules.').waitFor();
    });
  });
});
