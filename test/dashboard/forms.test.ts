/** Jobs by forms: fields from the shape of the last jobs, on both engines, and what is sent of what is not shown. */

import type { Locator, Page } from 'playwright-core';
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

const [cell] = cells;

const widths = [390, 1_440] as const;

/** A page of so many pixels, in which the form is accessible without a scroll sideways. */
const sized = (width: number) => ({ viewport: { width, height: 900 } });

const choose = (dialog: Locator, mode: 'Form' | 'JSON') =>
  dialog.getByRole('button', { name: mode, exact: true }).click();

async function opened(page: Page, button: string, title: RegExp | string): Promise<Locator> {
  await page.getByRole('button', { name: button }).click();
  const dialog = page.getByRole('dialog', { name: title });
  await dialog.waitFor();
  return dialog;
}

/** Members that no form has fields for, as they are stored. */
const odd = '"big":12345678901234567890,"exact":1.50,"none":null,"lines":[[1.0,{"a":null}]]';

describeInBrowser('a form of a job', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let queue: TestQueue;
    let board: ServedBoard;
    const store = async (name: string, data: string): Promise<string> => {
      const { body } = await board.send('POST', '/api/queues/mail/add?raw=1', { name, data });
      return String(body.job.id);
    };
    const stored = async (id: string) => (await board.get(`/api/queues/mail/${id}?raw=1`)).body.job;
    const newest = async () => {
      const { body } = await board.get('/api/queues/mail/jobs?limit=1');
      return stored(body.jobs[0].id);
    };
    beforeAll(async () => {
      const found = await cell?.open();
      if (!found || 'missing' in found) throw new Error('There is no cell.');
      world = found;
      queue = await world.queue('mail');
      board = await serveBoard([queue.boardQueue()]);
      await store('receipt', '{"file":"a.pdf"}');
      await store('letter', '{"to":"ada","amount":12,"at":{"zip":"10115"},"lines":[1]}');
      await store('letter', '{"to":"bob","amount":3.5,"at":{"zip":"80331"},"lines":[]}');
      await queue.pause();
    });
    afterAll(async () => {
      await board?.close();
      await world?.close();
    });

    it.each(widths)('adds one like the last ones, with options, at %i px', async (width) => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.url}/queue/mail`,
        sized(width),
      );
      const dialog = await opened(page, 'Add job', /^Add a job/);
      await dialog.getByLabel('Name').fill('letter');
      await dialog.getByLabel('at.zip').fill('01067');
      await dialog.getByLabel('amount').fill('12345678901234567890');
      await dialog.getByLabel('to', { exact: true }).fill('eve');
      expect(await dialog.getByLabel('file').count()).toBe(0);
      await dialog.getByLabel('Delay').fill('5');
      await dialog.getByText('Write a number and a unit').waitFor();
      const add = dialog.getByRole('button', { name: 'Add job' });
      expect(await add.isDisabled()).toBe(true);
      await dialog.getByLabel('Delay').fill('90m');
      await dialog.getByLabel('Priority').fill('3');
      await dialog.getByLabel('Attempts').fill('4');
      await expectAccessible(page);
      await choose(dialog, 'JSON');
      const options = dialog.getByLabel('Options (JSON)');
      expect(JSON.parse(await options.inputValue())).toEqual({
        delay: 5_400_000,
        priority: 3,
        attempts: 4,
      });
      await options.fill('{"delay": 5400000, "attempts": 4, "removeOnComplete": true}');
      await expectAccessible(page);
      await choose(dialog, 'Form');
      await dialog.getByText('Kept as it is, in the JSON: removeOnComplete').waitFor();
      expect(await dialog.getByLabel('Delay').inputValue()).toBe('90m');
      expect(await dialog.getByLabel('Priority').inputValue()).toBe('');
      await add.click();
      await dialog.waitFor({ state: 'detached' });
      const job = await newest();
      expect(job.raw.data).toBe('{"at":{"zip":"01067"},"amount":12345678901234567890,"to":"eve"}');
      expect(job.opts).toMatchObject({ delay: 5_400_000, attempts: 4, removeOnComplete: true });
      expect(complaints).toEqual([]);
      await close();
    });

    it.each(widths)(
      'edits one member, shows that, and keeps the others, at %i px',
      async (width) => {
        const id = await store('letter', `{${odd},"to":"ada","note":"one\\ntwo"}`);
        const before: string = (await stored(id)).raw.data;
        const { page, complaints, close } = await openPage(
          browser(),
          `${board.url}/queue/mail/${id}`,
          sized(width),
        );
        const dialog = await opened(page, 'Edit', /^Edit/);
        await dialog.getByText('Kept as it is, in the JSON: none, lines').waitFor();
        expect(await dialog.getByLabel('note').inputValue()).toBe('one\ntwo');
        expect(await dialog.getByLabel('big').inputValue()).toBe('12345678901234567890');
        await expectAccessible(page);
        await dialog.getByLabel('to', { exact: true }).fill('bob');
        await dialog.getByRole('button', { name: 'Review changes' }).click();
        await dialog.getByText('1 line added, 1 removed').waitFor();
        await expectAccessible(page);
        await dialog.getByRole('button', { name: 'Save' }).click();
        await dialog.waitFor({ state: 'detached' });
        expect(before).toContain('12345678901234567890');
        expect((await stored(id)).raw.data).toBe(before.replace('"ada"', '"bob"'));
        expect(complaints).toEqual([]);
        await close();
      },
    );

    it('makes a schedule of fields', async () => {
      const { page, complaints, close } = await openPage(browser(), `${board.url}/job-schedulers`);
      const dialog = await opened(page, 'New schedule', 'New schedule');
      await dialog.getByLabel('Key', { exact: true }).fill('weekly');
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('30 2 * * 0');
      await dialog.getByLabel('Time zone').fill('Europe/Berlin');
      await dialog.getByLabel('Name of its jobs').fill('letter');
      await dialog.getByLabel('to', { exact: true }).fill('all');
      await dialog.getByLabel('Attempts').fill('2');
      expect(await dialog.getByLabel('Delay').count()).toBe(0);
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Create schedule' }).click();
      await dialog.waitFor({ state: 'detached' });
      const { schedulers } = (await board.get('/api/job-schedulers')).body;
      expect(schedulers).toMatchObject([
        {
          name: 'letter',
          tz: 'Europe/Berlin',
          template: { data: { to: 'all' }, opts: { attempts: 2 } },
        },
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('sends nothing that a formatter shows instead of what is stored', async () => {
      const id = await store('letter', '{"to":"ada@example.com","card":4111111111111111,"n":1}');
      const hides = queue
        .boardQueue()
        .setFormatter('data', (data) => ({ ...(data as object), to: 'a mask', card: 'a mask' }));
      const hiding = await serveBoard([hides]);
      const { page, complaints, close } = await openPage(browser(), `${hiding.url}/queue/mail`);
      // The types of what is hidden are not known.
      const add = await opened(page, 'Add job', /^Add a job/);
      await expect.poll(() => add.locator('datalist option').count()).toBeGreaterThan(0);
      expect(await add.getByLabel('to', { exact: true }).count()).toBe(0);
      expect(await add.getByLabel('Data (JSON)').inputValue()).toBe('{}');
      await add.getByRole('button', { name: 'Cancel' }).click();
      await page.goto(`${hiding.url}/queue/mail/${id}`);
      await page.getByText('a mask').first().waitFor();
      await page.getByRole('button', { name: 'More actions' }).click();
      await page.getByRole('menuitem', { name: 'Duplicate…' }).click();
      const copy = page.getByRole('dialog', { name: /^Duplicate/ });
      await copy.getByText('The data of this job is not copied').waitFor();
      await choose(copy, 'JSON');
      expect(await copy.getByLabel('Data (JSON)').inputValue()).toBe('{}');
      await copy.getByRole('button', { name: 'Cancel' }).click();
      const edit = await opened(page, 'Edit', /^Edit/);
      await edit.getByText('Some of it may be hidden from you.').waitFor();
      await edit
        .getByRole('textbox', { name: 'Data' })
        .fill('{"to": "a mask", "card": "a mask", "n": 2}');
      await edit.getByRole('button', { name: 'Review changes' }).click();
      await edit.getByRole('button', { name: 'Save' }).click();
      await edit.waitFor({ state: 'detached' });
      expect((await stored(id)).raw.data).toBe(
        '{"to":"ada@example.com","card":4111111111111111,"n":2}',
      );
      expect(complaints).toEqual([]);
      await close();
      await hiding.close();
    });

    it('looks at no job for those who may only add', async () => {
      const only = await serveBoard([queue.boardQueue()], {
        permissions: () => ['queue.read', 'job.add'],
      });
      const { page, complaints, close } = await openPage(browser(), 'about:blank');
      const asked: string[] = [];
      page.on('request', (request) => asked.push(request.url()));
      await page.goto(`${only.url}/queue/mail`);
      const schema = page.waitForResponse('**/job-data-schema');
      const dialog = await opened(page, 'Add job', /^Add a job/);
      await schema;
      await dialog.getByLabel('Data (JSON)').fill('{"a": 1}');
      await dialog.getByLabel('Name').fill('only');
      await dialog.getByRole('button', { name: 'Add job' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect((await newest()).raw.data).toBe('{"a":1}');
      expect(asked.filter((url) => /limit=5(?!\d)|\/mail\/\d+/.test(url))).toEqual([]);
      expect(complaints.filter((each) => !/\b403\b|^request to /.test(each))).toEqual([]);
      await close();
      await only.close();
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    const rows = async (sql: string) =>
      (await world.admin.query<Record<string, unknown>>(sql)).rows;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_forms');
      board = await world.board();
      await world.boss.createQueue('letters');
      await world.boss.send('letters', { to: 'ada', amount: 12, at: { zip: '10115' }, lines: [1] });
      await world.boss.send('letters', { to: 'bob', amount: 3.5, at: { zip: '80331' } });
    });
    afterAll(async () => {
      await board?.close();
      await world?.close();
    });

    it.each(widths)('adds one like the last ones, with options, at %i px', async (width) => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.origin}/queue/letters`,
        sized(width),
      );
      const dialog = await opened(page, 'Add job', /^Add a job/);
      await dialog.getByLabel('to', { exact: true }).fill(`eve at ${width}`);
      await dialog.getByLabel('amount').fill('12345678901234567890.5');
      await dialog.getByLabel('at.zip').fill('01067');
      await dialog.getByLabel('Delay').fill('2h');
      await dialog.getByLabel('Priority').fill('-3');
      await dialog.getByLabel('Attempts').fill('0');
      await dialog.getByText('This is not a whole number of at least 1.').waitFor();
      await dialog.getByLabel('Attempts').fill('4');
      await expectAccessible(page);
      await choose(dialog, 'JSON');
      expect(JSON.parse(await dialog.getByLabel('Options (JSON)').inputValue())).toEqual({
        startAfter: 7_200,
        priority: -3,
        retryLimit: 3,
      });
      await dialog.getByRole('button', { name: 'Add job' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(
        await rows(`select data::text, priority, retry_limit,
            round(extract(epoch from start_after - created_on))::int as delay
          from pgboss.job where data->>'to' = 'eve at ${width}'`),
      ).toEqual([
        {
          data: `{"at": {"zip": "01067"}, "to": "eve at ${width}", "amount": 12345678901234567890.5}`,
          priority: -3,
          retry_limit: 3,
          delay: 7_200,
        },
      ]);
      expect(complaints).toEqual([]);
      await close();
    });

    it('makes a schedule of fields', async () => {
      const { page, complaints, close } = await openPage(browser(), `${board.origin}/schedules`);
      const dialog = await opened(page, 'New schedule', 'New schedule');
      await dialog.getByLabel('Key', { exact: true }).fill('weekly');
      await dialog.getByRole('textbox', { name: 'Cron expression' }).fill('30 2 * * 0');
      await dialog.getByLabel('Time zone').fill('Europe/Berlin');
      await dialog.getByLabel('to', { exact: true }).fill('all');
      await dialog.getByLabel('Attempts').fill('2');
      await expectAccessible(page);
      await dialog.getByRole('button', { name: 'Create schedule' }).click();
      await dialog.waitFor({ state: 'detached' });
      expect(await rows('select timezone, data, options from pgboss.schedule')).toMatchObject([
        { timezone: 'Europe/Berlin', data: { to: 'all' }, options: { retryLimit: 1 } },
      ]);
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
