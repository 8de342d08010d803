/** Lists, the head of a queue and the page of a job say of jobs why, how far, who, since when and which attempt. */

import { randomBytes } from 'node:crypto';
import { Queue, Worker } from 'bullmq';
import { Redis } from 'ioredis';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { bullmqQueue } from '../../src/board/index.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import type { World } from '../board/pgq/world.ts';
import { findRedis } from '../services/index.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

describeInBrowser('what is said of jobs', (browser) => {
  let open: OpenPage;
  const row = () => open.page.locator('tbody tr').first();
  const heads = () => open.page.locator('thead th').allInnerTexts();

  describe('of BullMQ', () => {
    let connection: Redis;
    let [press, empty]: Queue[] = [];
    let worker: Worker;
    let board: ServedBoard;
    let release = (): void => undefined;
    const show = async (path: string) => {
      await open.page.goto(`${board.url}/queue/${path}`);
      await row().waitFor();
    };
    beforeAll(async () => {
      const redis = await findRedis();
      if ('missing' in redis) throw new Error('There is no Redis.');
      connection = new Redis(redis.url, { maxRetriesPerRequest: null });
      const at = { connection, prefix: `lists-${randomBytes(4).toString('hex')}` };
      [press, empty] = [new Queue('press', at), new Queue('empty', at)];
      const held = new Promise<void>((resolve) => (release = resolve));
      worker = new Worker(
        'press',
        async (job): Promise<void> => {
          if (job.name === 'page') {
            await job.updateProgress({ step: 'render', page: 3 });
            await held;
          } else if (job.attemptsMade === 0) throw new Error('The paper is torn.');
        },
        { ...at, name: 'press-1' },
      );
      await press.add('poster', {}, { attempts: 2 });
      await vi.waitUntil(async () => (await press?.getCompletedCount()) === 1, { timeout: 60_000 });
      await press.add('page', { sheet: 7 });
      await vi.waitUntil(
        async () => Object.keys((await press?.getActive())?.[0]?.progress ?? {}).length > 0,
        { timeout: 60_000 },
      );
      await empty.addBulk(['a', 'b', 'c'].map((name) => ({ name, data: {} })));
      board = await serveBoard([bullmqQueue(press), bullmqQueue(empty)]);
      open = await openPage(browser(), `${board.url}/`);
    });
    afterAll(async () => {
      release();
      await open?.close();
      await board?.close();
      await worker?.close();
      for (const queue of [press, empty]) {
        await queue?.obliterate({ force: true });
        await queue?.close();
      }
      connection?.disconnect();
    });

    it('says how far an active job is, who runs it, since when, and in which attempt', async () => {
      await show('press?state=active');
      expect(await heads()).toEqual(
        expect.arrayContaining(['progress', 'worker', 'running for', 'attempts']),
      );
      await row().getByText('{"step":"render","page":3}').waitFor();
      await row().getByRole('cell', { name: 'press-1', exact: true }).waitFor();
      expect(await row().locator('[class*=c-attempts]').innerText()).toBe('1');
      await expect.poll(() => row().locator('[class*=c-running]').innerText()).toMatch(/^\d/);
      await row().getByRole('link').click();
      await open.page.getByText('attempt 1 of 1', { exact: true }).waitFor();
      // Its worker has it.
      expect(await open.page.getByRole('button', { name: /^Release/ }).count()).toBe(0);
      expect(open.complaints).toEqual([]);
    });

    it('tells the error of an earlier attempt from one of a job that has failed', async () => {
      const { page } = open;
      await show('press?state=completed');
      expect(await heads()).not.toContain('why');
      await show('press');
      const poster = page.locator('tbody tr').filter({ hasText: 'poster' });
      const before = poster.getByText('before: The paper is torn.');
      await before.waitFor();
      expect(await before.getAttribute('class')).not.toContain('why');
      await poster.getByRole('link').click();
      await page.getByRole('region', { name: 'Error of an earlier attempt' }).waitFor();
      const course = page.getByRole('region', { name: 'Course of the job' });
      await course.getByText('1 earlier attempt').waitFor();
      expect(await course.getByText('waited').count()).toBe(0);
    });

    it('does not say of a queue that nobody works on that it runs', async () => {
      const { page } = open;
      await show('empty');
      await page.getByText('no worker, 3 waiting').waitFor();
      expect(await page.getByText('running', { exact: true }).count()).toBe(0);
      await show('press');
      await page.getByText('running', { exact: true }).waitFor();
      await empty?.pause();
      await page.goto(`${board.url}/`);
      await page
        .getByRole('region', { name: /^Needs attention/ })
        .getByText('paused, 3 jobs wait')
        .waitFor();
    });
  });

  describe('of pg-boss', () => {
    let world: World;
    beforeAll(async () => {
      world = await makeWorld(newestLibrary, 'dashboard_lists');
      await world.boss.createQueue('letters', { retryLimit: 0 });
      for (const to of ['ada', 'bob']) await world.boss.send('letters', { to });
      for (const { id } of await world.boss.fetch('letters', { batchSize: 2 })) {
        await world.boss.fail('letters', id, { message: `No ink in pen ${id.slice(0, 2)}1.` });
      }
    });
    afterAll(async () => {
      await open?.close();
      await world?.close();
    });

    it('says what failed and why, and groups the same errors', async () => {
      const board = await world.board();
      open = await openPage(browser(), `${board.origin}/queue/letters?state=failed`);
      const { page, complaints } = open;
      await row()
        .getByText(/^\{"to":/)
        .waitFor();
      await row()
        .getByText(/^No ink in pen/)
        .waitFor();
      await page.getByRole('button', { name: /^2 of 2/ }).click();
      await expect.poll(() => new URL(page.url()).searchParams.get('q')).toMatch(/No ink in pen/);
      await expect.poll(() => page.locator('tbody tr').count()).toBe(2);
      await row()
        .getByText(/^No ink in pen/)
        .waitFor();
      expect(complaints).toEqual([]);
    });
  });
});
