/** Tasks that bull-board can do as well, on the same queues: here they take no more steps. */

import { createBullBoard } from '@bull-board/api';
import { BullMQAdapter } from '@bull-board/api/bullMQAdapter';
import { ExpressAdapter } from '@bull-board/express';
import { Queue } from 'bullmq';
import express from 'express';
import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import type { ServedBoard } from '../board/kvq/http-board.ts';
import { until } from '../board/kvq/suite.ts';
import { listen, type Running } from '../listening.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import { Operator } from './operator.ts';

const refusal = 'The gateway does not answer';

/** The link of a number of failed jobs in the row of a queue. */
const failedOf = (page: Page, queue: string) =>
  page
    .getByRole('row')
    .filter({ has: page.getByRole('link', { name: queue, exact: true }) })
    .getByRole('link', { name: '1', exact: true });

interface Queues {
  /** Whether so many jobs have failed. */
  readonly failed: (count: number) => () => Promise<boolean>;
  readonly paused: () => Promise<boolean>;
}

interface Task {
  /** As the documentation names it. */
  readonly name: string;
  readonly here: (operator: Operator) => Promise<void>;
  readonly there: (operator: Operator) => Promise<void>;
  /** Waits until it is done. */
  readonly done: (page: Page, queues: Queues) => Promise<void>;
}

const tasks: readonly Task[] = [
  {
    name: 'the errors of the failed jobs of a queue',
    here: (operator) => operator.clickOn(failedOf(operator.page, 'mail')),
    there: (operator) => operator.click('link', /^Failed ?1$/),
    done: (page) => page.getByText(refusal).first().waitFor(),
  },
  {
    name: 'the jobs that run now',
    here: (operator) => operator.click('link', 'Workers'),
    there: (operator) => operator.click('link', /^Active ?1$/),
    done: (page) =>
      page
        .getByRole('link', { name: /import/ })
        .last()
        .waitFor(),
  },
  {
    name: 'retry the failed jobs of a queue',
    async here(operator) {
      await operator.clickOn(failedOf(operator.page, 'mail'));
      await operator.click('button', 'Retry the failed job');
    },
    async there(operator) {
      await operator.click('link', /^Failed ?1$/);
      await operator.click('button', 'Retry all');
      await operator.click('button', 'Confirm');
    },
    done: (_, { failed }) => until(failed(0)),
  },
  {
    name: 'pause every queue',
    async here(operator) {
      await operator.click('button', 'Actions of the queues shown');
      await operator.click('menuitem', 'Pause 2 queues');
      await operator.click('button', 'Pause 2 queues');
    },
    async there(operator) {
      await operator.clickOn(operator.page.locator('main button[aria-haspopup=menu]').first());
      await operator.click('menuitem', 'Pause all');
      await operator.click('button', 'Confirm');
    },
    done: (_, { paused }) => until(paused),
  },
];

describeInBrowser('beside bull-board', (browser) => {
  let world: CellWorld;
  let [mail, imports] = [] as unknown as [TestQueue, TestQueue];
  let board: ServedBoard;
  let bullBoard: Running;
  let otherUrl: string;
  let own: Queue[];
  const ends: (() => Promise<void>)[] = [];

  beforeAll(async () => {
    const opened = await cells[0]?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no cell.');
    world = opened;
    [mail, imports] = [await world.queue('mail'), await world.queue('imports')];
    board = await serveBoard([mail.boardQueue(), imports.boardQueue()]);
    own = [mail, imports].map(({ name, redis }) => {
      if (!redis) throw new Error('The cell has no Redis.');
      const prefix = redis.key('').slice(0, -`:${name}:`.length);
      return new Queue(name, { connection: redis.client, prefix });
    });
    const serverAdapter = new ExpressAdapter();
    // The types of bull-board accept one version of the library only.
    createBullBoard({
      queues: own.map((queue) => new BullMQAdapter(queue as never)),
      serverAdapter: serverAdapter as never,
    });
    bullBoard = await listen(express().use(serverAdapter.getRouter()));
    otherUrl = `http://127.0.0.1:${bullBoard.port}/`;
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    await imports.add('import', {});
    ends.push(await imports.work(() => finished));
    ends.unshift(async () => finish());
    await until(async () => (await imports.counts())['active'] === 1);
  });
  afterAll(async () => {
    for (const end of ends) await end();
    await bullBoard?.close();
    for (const queue of own ?? []) await queue.close();
    await board?.close();
    await world?.close();
  });

  const failed = (count: number) => async () => (await mail.counts())['failed'] === count;
  const paused = async () =>
    (await Promise.all(own.map((queue) => queue.isPaused()))).every(Boolean);

  /** A queue of the incident anew: one job that has failed. */
  const fail = async (): Promise<void> => {
    await own[0]?.obliterate({ force: true });
    await mail.add('letter', {});
    const stop = await mail.work(async () => {
      throw new Error(refusal);
    });
    await until(failed(1));
    await stop();
  };

  /** Does a task, and returns its steps. */
  async function stepsOf(url: string, act: Task['here'], done: Task['done']): Promise<number> {
    await fail();
    const viewport = { width: 1_440, height: 900 };
    const { page, close } = await openPage(browser(), url, { viewport });
    const operator = new Operator(page);
    await act(operator);
    await done(page, { failed, paused });
    for (const queue of own) await queue.resume();
    await close();
    return operator.steps;
  }

  it.each(tasks)('$name', async ({ name, here, there, done }) => {
    const steps = await stepsOf(`${board.url}/`, here, done);
    const others = await stepsOf(otherUrl, there, done);
    expect(steps).toBeLessThanOrEqual(others);
    const text = await readFile(new URL('../../docs/dashboard.md', import.meta.url), 'utf8');
    expect(text).toContain(`| ${name} | ${steps} | ${others} |`);
  });
});
