/** The attempts of a job on one axis, two jobs side by side, and what holds jobs back, in lists and over all queues. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { cells } from '../board/kvq/cells.ts';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { until } from '../board/kvq/suite.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const [cell] = cells;

/** Sizes of a window, with the scheme of colours that is tried in it. */
const views = [
  [390, 'dark'],
  [1_440, 'light'],
] as const;

describeInBrowser('the course of a job', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let mail: TestQueue;
    let full: TestQueue;
    let ranked: TestQueue;
    let board: ServedBoard;
    let retried = '';
    let parent = '';
    let finish = (): void => undefined;
    let release = (): void => undefined;
    const stops: (() => Promise<void>)[] = [];
    beforeAll(async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no cell.');
      world = opened;
      mail = await world.queue('mail');
      full = await world.queue('full');
      const key = { deduplication: { id: 'mail:7', ttl: 3_600_000 } };
      retried = await mail.add(
        'retried',
        { to: 'ada', at: 1 },
        { attempts: 3, backoff: 30, ...key },
      );
      await mail.add('again', {}, { ...key, jobId: 'left-out' });
      await mail.add('other', { to: 'bob', at: 1 }, { jobId: 'other' });
      const flow = { name: 'parent', queue: mail, children: [{ name: 'child', queue: mail }] };
      parent = (await world.flow?.(flow)) ?? '';
      let failures = 0;
      stops.push(
        await mail.work(async ({ name, log }) => {
          await log(`${new Date().toISOString()} begins <b>${name}</b>`);
          if (name === 'retried' && (failures += 1) < 3) throw new Error('not yet');
        }),
      );
      await until(async () => (await mail.counts())['completed'] === 4);
      ranked = await world.queue('ranked');
      await ranked.addBulk(Array.from({ length: 10 }, () => ({ name: 'long', data: {} })));
      const released = new Promise<void>((resolve) => (release = resolve));
      stops.push(await ranked.work(() => released));
      await until(async () => (await ranked.counts())['active'] === 10);
      for (const priority of [1, 5]) await ranked.add(`priority ${priority}`, {}, { priority });
      const shown = [mail, full, ranked];
      board = await serveBoard(shown.map((queue) => queue.boardQueue()));
      await board.send('PUT', '/api/queues/full/concurrency', { concurrency: 1 });
      await full.add('long', {});
      stops.push(await full.work(() => new Promise<void>((resolve) => (finish = resolve))));
      await until(async () => (await full.counts())['active'] === 1);
      await full.add('held', {});
    });
    afterAll(async () => {
      await full?.pause();
      finish();
      release();
      for (const stop of stops) await stop();
      await board?.close();
      await world?.close();
    });

    it.each(views)(
      'is one axis with every attempt, the log and its children (%i, %s)',
      async (width, colorScheme) => {
        const { page, complaints, close } = await openPage(
          browser(),
          `${board.url}/queue/mail/${retried}`,
          { viewport: { width, height: 900 }, colorScheme },
        );
        const course = page.getByRole('region', { name: 'Attempts' });
        const row = (name: RegExp) => course.getByRole('listitem').filter({ hasText: name });
        await row(/^Attempt 1.*ran .*, to run again/).waitFor();
        await row(/^Attempt 2.*backed off .*ran .*, to run again/).waitFor();
        await row(/^Attempt 3.*ran .*, completed/).waitFor();
        await row(/^Logs.*3 lines with a time/).waitFor();
        await row(/^Deduplicated.*1 later job was not added/).waitFor();
        await page.getByText('Further jobs with the key “mail:7”').waitFor();
        expect(await course.getByText('are not stored').count()).toBe(0);
        await expectAccessible(page);
        await page.goto(`${board.url}/queue/mail/${parent}`);
        await row(/^child.*mail · completed/).waitFor();
        await row(/waited for its jobs/).waitFor();
        await expectAccessible(page);
        await course.getByRole('link', { name: 'child' }).click();
        await page.getByRole('heading', { level: 1 }).getByText('child').waitFor();
        expect(complaints).toEqual([]);
        await close();
      },
    );

    it('is read once for each state of the job', async () => {
      const asked: string[] = [];
      const { page, close } = await openPage(browser(), `${board.url}/`);
      page.on('request', (request) => {
        const [, part = ''] =
          /\/api\/.*\/(course|holds|logs|flow)$/.exec(new URL(request.url()).pathname) ?? [];
        if (part) asked.push(part);
      });
      const polls = async (count: number) => {
        for (let at = 0; at < count; at += 1) {
          await page.waitForResponse((response) => response.url().includes(`/mail/${retried}?`));
        }
      };
      await page.goto(`${board.url}/queue/mail/${retried}`);
      await page.getByRole('region', { name: 'Attempts' }).waitFor();
      await polls(2);
      expect(asked.toSorted()).toEqual(['course', 'holds', 'logs']);
      await close();
    });

    it.each(views)(
      'stands beside that of another job, and what differs is marked (%i, %s)',
      async (width, colorScheme) => {
        const { page, complaints, close } = await openPage(
          browser(),
          `${board.url}/queue/mail/${retried}`,
          { viewport: { width, height: 900 }, colorScheme },
        );
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByRole('button', { name: 'More actions' }).click();
        await page.getByRole('menuitem', { name: /^Compare with another job/ }).click();
        const dialog = page.getByRole('dialog');
        await dialog.getByLabel('Id of the other job').fill(retried);
        await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
        await dialog.getByText('Give the id of another job.').waitFor();
        await dialog.getByLabel('Id of the other job').fill('other');
        await dialog.getByRole('button', { name: 'Compare', exact: true }).click();
        const table = page.getByRole('table');
        await table.getByRole('row', { name: /differs data\.to "ada" "bob"/ }).waitFor();
        await table.getByRole('row', { name: /^data\.at 1 1/ }).waitFor();
        expect(new URL(page.url()).searchParams.get('with')).toBe('other');
        await expectAccessible(page);
        await page.reload();
        await table.getByRole('row', { name: /data\.to/ }).waitFor();
        await page.getByRole('button', { name: 'End the comparison' }).click();
        await expect.poll(() => page.getByRole('table').count()).toBe(0);
        await page.goto(`${board.url}/queue/mail/${retried}?with=absent`);
        const beside = page.getByRole('region', { name: 'Two jobs side by side' });
        await beside.getByRole('alert').waitFor();
        await close();
        expect(complaints.filter((text) => !text.includes('404'))).toEqual([]);
      },
    );

    it('begins with two selected jobs', async () => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.url}/queue/mail?state=completed`,
      );
      await page.getByLabel(`Select job ${retried}`, { exact: true }).check();
      await page.getByLabel('Select job other').check();
      await page.getByRole('button', { name: 'Compare' }).click();
      await page.getByRole('row', { name: /differs data\.to/ }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it.each(views)(
      'tells what holds jobs back in the list and over all queues (%i, %s)',
      async (width, colorScheme) => {
        const { page, complaints, close } = await openPage(browser(), `${board.url}/`, {
          viewport: { width, height: 900 },
          colorScheme,
        });
        await page.getByText('1 of 1 run').first().waitFor();
        await expectAccessible(page);
        await page.goto(`${board.url}/queue/full?state=waiting`);
        await page.getByText('held: 1 of 1 run').waitFor();
        await expectAccessible(page);
        await full.pause();
        await page.getByText('held: paused').waitFor();
        await board.send('PUT', '/api/queues/full/resume');
        await page.getByText('held: 1 of 1 run').waitFor();
        await page.goto(`${board.url}/queue/ranked?state=prioritized`);
        const ofOrder = page.getByText('others run first by their priority');
        await page
          .getByRole('row')
          .filter({ hasText: 'priority 5' })
          .and(page.getByRole('row').filter({ has: ofOrder }))
          .waitFor();
        expect(await ofOrder.count()).toBe(1);
        expect(complaints).toEqual([]);
        await close();
      },
    );
  });

  describe('of pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    let failed = '';
    let held = '';
    let holder = '';
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_course');
      const { boss } = world;
      await boss.createQueue('letters');
      failed = String(await boss.send('letters', {}, { retryLimit: 2, retryDelay: 0 }));
      for (let attempt = 0; attempt < 3; attempt += 1) {
        await boss.fetch('letters');
        await boss.fail('letters', failed, { message: 'no' });
      }
      await boss.createQueue('keyed', { policy: 'singleton' });
      holder = String(await boss.send('keyed', {}, { singletonKey: 'a' }));
      await boss.fetch('keyed');
      held = String(await boss.send('keyed', {}, { singletonKey: 'a' }));
      await boss.createQueue('grouped');
      for (const priority of [0, 0, 0, 9])
        await boss.send(
          'grouped',
          { priority },
          priority === 9 ? { priority } : { group: { id: 'g' } },
        );
      await boss.fetch('grouped');
      await boss.fetch('grouped');
      await boss.send('grouped', { last: true });
      await boss.send('grouped', { first: true }, { priority: 3 });
      await boss.supervise('keyed');
      board = await world.board();
    });
    afterAll(() => world?.close());

    it.each(views)(
      'says which times are not stored, and what holds a job back (%i, %s)',
      async (width, colorScheme) => {
        const { page, complaints, close } = await openPage(
          browser(),
          `${board.origin}/queue/letters/${failed}`,
          { viewport: { width, height: 900 }, colorScheme },
        );
        const course = page.getByRole('region', { name: 'Attempts' });
        await course.getByText('The times of 2 earlier attempts are not stored.').waitFor();
        await course.getByText(/^Attempt 3/).waitFor();
        await course.getByText(/not kept/).waitFor();
        await expectAccessible(page);
        await page.goto(`${board.origin}/queue/keyed/${held}`);
        await page.getByText('Held by the job with the same key:').waitFor();
        await page.getByRole('link', { name: holder }).waitFor();
        await expectAccessible(page);
        expect(complaints).toEqual([]);
        await close();
      },
    );

    it.each(views)(
      'tells what holds jobs back in the list and over all queues (%i, %s)',
      async (width, colorScheme) => {
        const { page, complaints, close } = await openPage(browser(), `${board.origin}/`, {
          viewport: { width, height: 900 },
          colorScheme,
        });
        await page.getByText('keys with an active job: 1').waitFor();
        await expectAccessible(page);
        await page.goto(`${board.origin}/queue/keyed?state=created`);
        await page.getByText('held by the active job of its key').waitFor();
        await page.goto(`${board.origin}/queue/grouped?state=created`);
        await page.getByText('its group has 1 active job').first().waitFor();
        expect(await page.getByText('its group has 1 active job').count()).toBe(2);
        const last = page.getByRole('row').filter({ hasText: '"last"' });
        await last.getByText('others run first by their priority').waitFor();
        expect(await page.getByText('others run first by their priority').count()).toBe(1);
        await expectAccessible(page);
        expect(complaints).toEqual([]);
        await close();
      },
    );
  });
});
