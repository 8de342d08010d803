/** The timeline of a queue and the jobs that run now, on both engines, on a phone and a wide screen. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { until } from '../board/kvq/suite.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { BoardUnderTest, World } from '../board/pgq/world.ts';
import { expectAccessible } from './axe.ts';
import { describeInBrowser, openPage } from './open-page.ts';

const minute = 60_000;
const [cell] = cells;

/** Opens the timeline where the list comes first. */
async function showTimeline(page: Page, width: number) {
  const timeline = page.getByRole('region', { name: 'Timeline' });
  const button = page.getByRole('button', { name: 'Timeline', exact: true });
  await button.waitFor();
  if (width < 900) {
    expect(await timeline.count()).toBe(0);
    await button.click();
  }
  await timeline.waitFor();
  return timeline;
}

/** Drags over the last part of the bars. */
async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = await page.getByRole('slider').boundingBox();
  if (!box) throw new Error('There are no bars.');
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + box.width * from, y);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * ((from + to) / 2), y);
  await page.mouse.move(box.x + box.width * to, y);
  await page.mouse.up();
}

const rows = (page: Page) => page.locator('tbody tr[data-id]');

describeInBrowser('a timeline', (browser) => {
  describe('of BullMQ', () => {
    let world: CellWorld;
    let mail: TestQueue;
    let board: ServedBoard;
    let stop: (() => Promise<void>) | undefined;
    let finish = (): void => undefined;
    beforeAll(async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no cell.');
      world = opened;
      mail = await world.queue('mail');
      for (let at = 0; at < 4; at += 1) await mail.add('done', { at });
      const work = mail.work(({ name }) =>
        name === 'long'
          ? new Promise<void>((resolve) => {
              finish = resolve;
            })
          : Promise.resolve(),
      );
      stop = await work;
      await until(async () => (await mail.counts())['completed'] === 4);
      await mail.add('long', {});
      await until(async () => (await mail.counts())['active'] === 1);
      const timestamp = Date.now() - 40 * minute;
      await mail.add('old', {}, { timestamp, delay: 1e9 });
      board = await serveBoard([mail.boardQueue()]);
    });
    afterAll(async () => {
      finish();
      await stop?.();
      await board?.close();
      await world?.close();
    });

    it.each([390, 1_440])('counts, and chooses the range of the list (%i)', async (width) => {
      const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`, {
        viewport: { width, height: 900 },
      });
      const timeline = await showTimeline(page, width);
      await timeline.getByText('completed 4').waitFor();
      await timeline.getByText('failed 0').waitFor();
      await timeline.getByText('added 6').waitFor();
      await timeline.getByText('Counted among the jobs that are stored').waitFor();
      await expectAccessible(page);
      await expect.poll(() => rows(page).count()).toBe(6);
      await drag(page, 0.2, 0.5);
      await expect.poll(() => rows(page).count()).toBe(1);
      await page.getByText('old').first().waitFor();
      expect(new URL(page.url()).searchParams.get('from')).toMatch(/^\d+$/);
      await page.reload();
      await expect.poll(() => rows(page).count()).toBe(1);
      // Of completed jobs, the range is that of their end.
      await page.goto(`${page.url()}&state=completed`);
      await page.getByText('No job matches.').waitFor();
      await page.getByRole('button', { name: 'All times' }).click();
      await expect.poll(() => rows(page).count()).toBe(4);
      await page.getByRole('slider').focus();
      for (let step = 0; step < 4; step += 1) await page.keyboard.press('Shift+ArrowLeft');
      await page.keyboard.press('Enter');
      await expect.poll(() => new URL(page.url()).searchParams.get('from')).toMatch(/^\d+$/);
      await expect.poll(() => rows(page).count()).toBe(4);
      await page.getByRole('slider').focus();
      await page.keyboard.press('Escape');
      await expect.poll(() => new URL(page.url()).searchParams.get('from')).toBeNull();
      expect(complaints).toEqual([]);
      await close();
    });

    it.each([390, 1_440])('marks the present pause with its reason (%i)', async (width) => {
      const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`, {
        viewport: { width, height: 900 },
      });
      const timeline = await showTimeline(page, width);
      await timeline.getByText('added 6').waitFor();
      const mark = timeline.locator('[class*=pause]');
      expect(await mark.count()).toBe(0);
      await board.send('PUT', '/api/queues/mail/pause', { reason: 'bank is down' });
      await timeline.getByText(/paused since .*: bank is down/).waitFor();
      const [bars, box] = [await page.getByRole('slider').boundingBox(), await mark.boundingBox()];
      // It has begun in one of the last minutes of the hour, and lasts.
      expect((box?.x ?? 0) - (bars?.x ?? 0)).toBeGreaterThan((bars?.width ?? 0) * 0.8);
      expect((box?.x ?? 0) + (box?.width ?? 0)).toBeCloseTo((bars?.x ?? 0) + (bars?.width ?? 0), 0);
      expect(await page.getByRole('slider').getAttribute('aria-valuetext')).toContain(
        'bank is down',
      );
      await expectAccessible(page);
      // A range that was over before it has no mark.
      const at = Date.now() - 30 * 24 * 60 * minute;
      await page.goto(`${board.url}/queue/mail?from=${at}&to=${at + minute}`);
      await timeline.waitFor();
      await page
        .getByText(/: bank is down/)
        .first()
        .waitFor();
      expect(await mark.count()).toBe(0);
      await board.send('PUT', '/api/queues/mail/resume');
      await page.goto(`${board.url}/queue/mail`);
      await showTimeline(page, width);
      await timeline.getByText('added 6').waitFor();
      expect(await timeline.getByText(/paused since/).count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    });

    it.each([390, 1_440])('is beside the jobs that run now (%i)', async (width) => {
      const { page, complaints, close } = await openPage(browser(), `${board.url}/workers`, {
        viewport: { width, height: 900 },
      });
      const running = page.getByRole('region', { name: 'Running now' });
      await running.getByRole('link', { name: /^long/ }).waitFor();
      await running.getByText(/usually/).waitFor();
      await expectAccessible(page);
      await page.goto(`${board.url}/queue/mail?tab=workers`);
      await running.getByRole('link', { name: /^long/ }).click();
      await page.getByRole('heading', { level: 1 }).getByText('long').waitFor();
      expect(complaints).toEqual([]);
      await close();
    });

    it('marks commands over many jobs', async () => {
      const body = { queueName: 'mail', action: 'remove', filter: { status: 'completed' } };
      const { run } = (await board.send('POST', '/api/bulk', body)).body;
      await board.send('POST', '/api/bulk', { ...body, dryRun: true });
      await until(
        async () => (await board.get(`/api/bulk/${run.id}`)).body.run.state === 'completed',
      );
      const { page, complaints, close } = await openPage(browser(), `${board.url}/queue/mail`);
      const timeline = await showTimeline(page, 1_440);
      await timeline.getByText(/: removed 4$/).waitFor();
      const marks = timeline.locator('[class*=mark]');
      expect(await marks.count()).toBe(1);
      const [bars, box] = [await page.getByRole('slider').boundingBox(), await marks.boundingBox()];
      expect((box?.x ?? 0) - (bars?.x ?? 0)).toBeGreaterThan((bars?.width ?? 0) * 0.8);
      const at = Date.now() - 30 * 24 * 60 * minute;
      await page.goto(`${board.url}/queue/mail?from=${at}&to=${at + minute}`);
      await showTimeline(page, 1_440);
      await timeline.getByText('Counted among the jobs that are stored').waitFor();
      expect(await marks.count()).toBe(0);
      expect(complaints).toEqual([]);
      await close();
    });

    it('marks the deployments of the host', async () => {
      const now = Date.now();
      const deployed = await serveBoard([mail.boardQueue()], {
        deployments: () => [
          { at: now - 30 * minute, release: 'v2' },
          { at: now - 45 * minute, release: 'v1' },
          { at: now - 90 * minute, release: 'v0' },
        ],
      });
      const { page, complaints, close } = await openPage(browser(), `${deployed.url}/queue/mail`);
      const timeline = await showTimeline(page, 1_440);
      await timeline.getByText(/: v2 deployed$/).waitFor();
      const marks = timeline.locator('[class*=mark][data-series=deployment]');
      expect(await marks.count()).toBe(2);
      const slider = page.getByRole('slider');
      await slider.focus();
      await expect
        .poll(async () => {
          await page.keyboard.press('ArrowLeft');
          return slider.getAttribute('aria-valuetext');
        })
        .toContain('v1 deployed');
      await expectAccessible(page);
      expect(complaints).toEqual([]);
      await close();
      await deployed.close();
    });

    it('marks a deployment within a minute where it shows hours', async () => {
      const told: { at: number; release: string }[] = [];
      const deployed = await serveBoard([mail.boardQueue()], { deployments: () => told });
      const { page, close } = await openPage(browser(), 'about:blank');
      await page.clock.install();
      await page.goto(`${deployed.url}/queue/mail?range=24h`);
      const timeline = await showTimeline(page, 1_440);
      await timeline.getByText(/^completed/).waitFor();
      told.push({ at: Date.now(), release: 'v4' });
      expect(await timeline.getByText(/deployed/).count()).toBe(0);
      await page.clock.fastForward(65_000);
      await timeline.getByText(/: v4 deployed$/).waitFor();
      await close();
      await deployed.close();
    });
  });

  describe('a job of BullMQ', () => {
    it('says what holds it back, and with which it was deduplicated', async () => {
      const opened = await cell?.open();
      if (!opened || 'missing' in opened) throw new Error('There is no cell.');
      const queue = await opened.queue('held');
      const board = await serveBoard([queue.boardQueue()]);
      await board.send('PUT', '/api/queues/held/concurrency', { concurrency: 1 });
      await queue.add('long', {});
      let finish = (): void => undefined;
      const stop = await queue.work(
        () =>
          new Promise<void>((resolve) => {
            finish = resolve;
          }),
      );
      await until(async () => (await queue.counts())['active'] === 1);
      const waits = await queue.add('next', {}, { deduplication: { id: 'one' } });
      const behind = await queue.add('behind', {}, { priority: 5 });
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.url}/queue/held/${waits}`,
      );
      await page.getByText('Held by the limit of the queue: 1 of 1 jobs run.').waitFor();
      await page.goto(`${board.url}/queue/held/${behind}`);
      await page.getByText('Jobs that run first: 1.').waitFor();
      await page.goto(`${board.url}/queue/held`);
      await page.getByRole('button', { name: /^Add job/ }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'JSON' }).click();
      await dialog.getByLabel('Options (JSON)').fill('{"deduplication":{"id":"one"}}');
      await dialog.getByRole('button', { name: /^Add job/ }).click();
      await page.getByText(`Deduplicated with ${waits}: no job was added`).waitFor();
      expect(complaints).toEqual([]);
      await close();
      // The jobs that wait must not begin when the first one ends.
      await queue.pause();
      finish();
      await stop();
      await board.close();
      await opened.close();
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    let board: BoardUnderTest;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_timeline');
      await world.boss.createQueue('letters');
      await world.admin.query(
        `insert into pgboss.job (name, state, created_on, started_on, completed_on, data)
        select 'letters', 'completed', now() - (n + 1) * interval '5 minutes',
          now() - n * interval '5 minutes' - interval '3 seconds', now() - n * interval '5 minutes', '{}'
        from generate_series(0, 8) n`,
      );
      await world.boss.send('letters', {}, { heartbeatSeconds: 30 });
      const [job] = await world.boss.fetch('letters');
      await world.admin.query(
        `update pgboss.job set started_on = now() - interval '14 minutes',
          heartbeat_on = now() - interval '2 minutes' where id = $1`,
        [job?.id],
      );
      await world.admin.query(`insert into pgboss.instance (id, host, pid, version, node_version,
          heartbeat_seconds, supervise, schedule, migrate, persist_queue_stats, persist_warnings,
          started_on, heartbeat_on, workers)
        values (gen_random_uuid(), 'web-3', 7, '12.38.0', '24', 60, true, true, true, false, false,
          now() - interval '1 hour', now(), jsonb_build_array(jsonb_build_object(
            'id', 'w1', 'queue', 'letters', 'active', 7, 'batchSize', 5, 'localConcurrency', 2)))`);
      board = await world.board();
    });
    afterAll(() => world?.close());

    it.each([390, 1_440])('counts, and chooses the range of the list (%i)', async (width) => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.origin}/queue/letters?state=completed`,
        { viewport: { width, height: 900 } },
      );
      const timeline = await showTimeline(page, width);
      await timeline.getByText('completed 9').waitFor();
      // Its queues have no pause.
      expect(await timeline.locator('[class*=pause]').count()).toBe(0);
      await expectAccessible(page);
      await drag(page, 0.9, 0.999);
      // Those that ended in the last six minutes, of which the youngest parts are chosen.
      await expect.poll(() => rows(page).count()).toBeLessThan(9);
      await page.getByRole('button', { name: 'All times' }).click();
      await expect.poll(() => rows(page).count()).toBe(9);
      expect(complaints).toEqual([]);
      await close();
    });

    it.each([390, 1_440])('is beside the processes and their jobs (%i)', async (width) => {
      const { page, complaints, close } = await openPage(
        browser(),
        `${board.origin}/queue/letters?tab=workers`,
        { viewport: { width, height: 900 } },
      );
      await page.getByText('7 of 10').waitFor();
      await page.getByText('web-3').first().waitFor();
      const running = page.getByRole('region', { name: 'Running now' });
      await running.getByText(/no heartbeat for 2\s?m/).waitFor();
      await running.getByText(/14\s?m.*usually 3/).waitFor();
      await expectAccessible(page);
      await page.goto(`${board.origin}/workers`);
      await running.getByRole('link', { name: 'letters' }).waitFor();
      expect(complaints).toEqual([]);
      await close();
    });
  });
});
