/** The dashboard for people who may do little: what they may not do is absent on every screen, and refused to direct calls. */

import type { Page, Request } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { engineRoutes } from '../../src/board/contract/index.ts';
import type { Grant, Permissions } from '../../src/board/core/index.ts';

import { metricsHistoryProvider } from '../../src/metrics/index.ts';
import { cells } from '../board/kvq/cells.ts';
import { serveBoard } from '../board/kvq/http-board.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { redisWorld } from '../metrics/worlds.ts';
import { failingQueues } from './failing-queues.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

type Allowance = readonly Grant[] | Permissions;

/** A board with the queue `mail`, which has failed and delayed jobs and a schedule, and the queue `shop-parcels`. */
interface Restricted {
  readonly url: string;
  readonly failed: string;
  readonly delayed: string;
  readonly stateOf: (id: string) => Promise<string>;
  close(): Promise<void>;
}

const [cell] = cells;

async function onBullmq(permissions: () => Allowance): Promise<Restricted> {
  if (!cell) throw new Error('There is no cell.');
  const [queues, history] = [await failingQueues(cell), await redisWorld()];
  if (!history) throw new Error('There is no Redis.');
  const { mail, parcels, failed } = queues;
  await mail.schedule('nightly', { pattern: '0 3 * * *' });
  const board = await serveBoard([mail.boardQueue(), parcels.boardQueue()], {
    permissions,
    historyProvider: metricsHistoryProvider(history.store),
  });
  return {
    url: board.url,
    failed: failed[0] ?? '',
    delayed: await mail.add('reminder', {}, { delay: 3_600_000 }),
    stateOf: (id) => mail.state(id),
    async close() {
      await board.close();
      await history.close();
      await queues.close();
    },
  };
}

async function onPgBoss(permissions: () => Allowance): Promise<Restricted> {
  const world = await makeWorld(newestLibrary, 'dashboard_permissions');
  const { boss, admin } = world;
  await boss.createQueue('mail', { retryLimit: 0 });
  await boss.createQueue('shop-parcels');
  await boss.schedule('mail', '0 3 * * *', {}, { key: 'nightly' });
  const failed = (await boss.send('mail', { to: 'ada' })) ?? '';
  const [fetched] = await boss.fetch('mail');
  await boss.fail('mail', fetched?.id ?? '', { message: 'The ink ran out.' });
  const delayed = (await boss.send('mail', {}, { startAfter: 3_600 })) ?? '';
  await boss.send('shop-parcels', {});
  const board = await world.board({}, { permissions });
  return {
    url: board.origin,
    failed,
    delayed,
    stateOf: async (id) =>
      (await admin.query<{ state: string }>('select state from pgboss.job where id = $1', [id]))
        .rows[0]?.state ?? '',
    close: () => world.close(),
  };
}

/** Names of controls that change something. */
const changing =
  /^(?:pause|resume(?! updates)|add|retry|promote|remove|edit|cancel|release|duplicate|change|run now|clean|empty|obliterate|delete|purge|set|save|clear the|create|new|schedule)\b(?! or resume updates)/i;

/** Buttons of the content that show something: the states of a queue, one of which is `retry`. */
const showing = 'nav[aria-label="Jobs by state"] button';

/** Waits until the page has its answers, on which its commands depend. `unanswered` holds its requests. */
async function answered(page: Page, unanswered: ReadonlySet<unknown>): Promise<void> {
  let drawn = 0;
  await expect
    .poll(async () => {
      await page.evaluate('new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)))');
      // An answer may lead to a further request.
      drawn = unanswered.size === 0 ? drawn + 1 : 0;
      return drawn;
    })
    .toBeGreaterThan(2);
}

/** The names of all buttons, items of menus and commands of the palette on the screen that may change something. */
async function offered(page: Page): Promise<string[]> {
  const names = async (selector: string) =>
    page.locator(selector).evaluateAll((all) =>
      all.map((each) => {
        // Keys behind a name are not part of it.
        const copy = each.cloneNode(true) as typeof each;
        for (const hidden of copy.querySelectorAll('[aria-hidden=true]')) hidden.remove();
        return (each.getAttribute('aria-label') ?? copy.textContent ?? '').trim();
      }),
    );
  const found = await names(`main button:not(${showing}), main input[type=submit]`);
  for (const menu of await page.locator('main [aria-haspopup=menu]').all()) {
    await menu.click();
    await page.getByRole('menuitem').first().waitFor();
    found.push(...(await names('[role=menuitem]')));
    await page.keyboard.press('Escape');
    await page.getByRole('menuitem').first().waitFor({ state: 'detached' });
  }
  await page.keyboard.press('Control+k');
  const palette = page.getByRole('dialog').getByRole('combobox');
  const actions = () =>
    page
      .getByRole('option')
      .evaluateAll((options) =>
        options
          .filter((option) => option.firstElementChild?.textContent === 'Actions')
          .map((option) => option.children[1]?.children[1]?.textContent ?? ''),
      );
  for (const word of 'pause add retry promote remove edit clean empty'.split(' ')) {
    // The options follow the text later: all of them at first, then those that have the word.
    await palette.fill('');
    await expect
      .poll(async () => (await actions()).some((each) => !each.toLowerCase().includes(word)))
      .toBe(true);
    found.push(...(await actions()));
    await palette.fill(word);
    await expect
      .poll(async () => (await actions()).every((each) => each.toLowerCase().includes(word)))
      .toBe(true);
    found.push(...(await actions()));
  }
  await page.keyboard.press('Escape');
  return found;
}

function restrictedSuite(
  engine: 'kvq' | 'pgq',
  open: (permissions: () => Allowance) => Promise<Restricted>,
  opened: (url: string) => Promise<OpenPage>,
): void {
  let board: Restricted;
  let shown: OpenPage;
  let may: Allowance = ['*.read'];
  beforeAll(async () => {
    board = await open(() => may);
    shown = await opened(`${board.url}/`);
  });
  afterAll(async () => {
    await shown?.close();
    await board?.close();
  });

  it('offers nothing that changes anything to those who may only read', async () => {
    const { page, complaints } = shown;
    may = ['*.read'];
    const written: string[] = [];
    const unanswered = new Set<Request>();
    page.on('request', (request) => {
      if (request.method() !== 'GET') written.push(`${request.method()} ${request.url()}`);
      if (request.resourceType() !== 'eventsource') unanswered.add(request);
    });
    page.on('requestfinished', (request) => unanswered.delete(request));
    page.on('requestfailed', (request) => unanswered.delete(request));
    const screens: readonly (readonly [string, string])[] = [
      ['/', 'tbody tr >> nth=1'],
      ['/queue/mail?state=failed', 'tbody tr >> nth=0'],
      ['/queue/mail?tab=settings', 'main dl, main section'],
      [`/queue/mail/${board.failed}`, '[aria-label="Error"]'],
      [`/queue/mail/${board.delayed}`, 'main h1 .mono'],
      [engine === 'kvq' ? '/job-schedulers' : '/schedules', 'tbody tr >> nth=0'],
      [engine === 'kvq' ? '/metrics-history' : '/warnings', 'main h1'],
      ['/workers', 'main h1'],
      ['/errors', 'tbody tr >> nth=0'],
    ];
    for (const [path, ready] of screens) {
      unanswered.clear();
      await page.goto(`${board.url}${path}`);
      await page.locator(ready).first().waitFor();
      await answered(page, unanswered);
      const names = await offered(page);
      expect([path, names.filter((name) => changing.test(name))]).toEqual([path, []]);
      // Keys of commands that are absent do nothing.
      for (const key of ['j', 'x', 'r', 'd', 'p', 'e', 'a']) await page.keyboard.press(key);
      expect([path, await page.getByRole('dialog').count()]).toEqual([path, 0]);
    }
    expect(written).toEqual([]);
    expect(complaints).toEqual([]);
  });

  it('names the missing right on screens that concern the whole board', async () => {
    may = ['queue.read', 'job.read'];
    for (const path of engine === 'kvq' ? ['/metrics-history'] : ['/warnings', '/workers']) {
      const { page, complaints, close } = await opened(`${board.url}${path}`);
      const refusal = page
        .getByRole('alert')
        .filter({ hasText: 'You are not allowed to do this.' });
      await refusal.first().waitFor();
      expect([path, complaints.filter((text) => !text.includes('403'))]).toEqual([path, []]);
      await close();
    }
  });

  it('refuses direct calls of every route that writes', async () => {
    const { page, complaints } = shown;
    may = ['*.read'];
    const routes = Object.values(engineRoutes[engine]).filter(
      // Without the right nobody has a run to stop.
      ({ access, path }) => access === 'write' && !path.includes('{runId}'),
    );
    const calls = routes.map(({ method, path }) => ({
      method,
      path: path
        .replace('{queueName}', 'mail')
        .replace('{jobId}', board.failed)
        .replaceAll(/\{\w+\}/g, 'failed'),
    }));
    expect(calls.length).toBeGreaterThan(10);
    const answers = await page.evaluate(
      ([base, each]) =>
        Promise.all(
          each.map(async ({ method, path }) => {
            const body = path.endsWith('/api/bulk')
              ? { queueName: 'mail', action: 'retry', ids: ['1'] }
              : {};
            const headers = { 'content-type': 'application/json' };
            const sent: RequestInit = { method, headers, body: JSON.stringify(body) };
            const response = await fetch(base + path, sent);
            return `${response.status} ${method} ${path}`;
          }),
        ),
      [board.url, calls] as const,
    );
    expect(answers).toEqual(calls.map(({ method, path }) => `403 ${method} ${path}`));
    expect(await board.stateOf(board.failed)).toBe('failed');
    // The refusals, as the browser tells them, beside those of the page's own polls under the rights of the test before.
    const refused = () =>
      complaints.filter((text) => calls.some(({ path }) => text.endsWith(path)));
    await expect.poll(() => refused().length).toBe(calls.length);
    expect(complaints.splice(0).filter((text) => !text.includes('403'))).toEqual([]);
  });

  it('shows one queue alone, with the one command that is allowed', async () => {
    const { page, complaints } = shown;
    may = { queues: { mail: ['*.read', 'job.retry'] } };
    await page.goto(`${board.url}/`);
    const rows = page.getByRole('table').locator('tbody tr');
    await rows.filter({ hasText: 'mail' }).waitFor();
    expect(await rows.count()).toBe(1);
    await page.goto(`${board.url}/queue/shop-parcels`);
    await page.getByText('There is no such queue.').waitFor();
    await page.goto(`${board.url}/queue/mail/${board.failed}`);
    const retry = page.getByRole('button', { name: 'Retry', exact: true });
    await retry.waitFor();
    const names = await offered(page);
    expect([...new Set(names.filter((name) => changing.test(name)))]).toEqual(['Retry']);
    await retry.click();
    const retried = engine === 'kvq' ? 'waiting' : 'retry';
    await expect.poll(() => board.stateOf(board.failed)).toBe(retried);
    expect(complaints).toEqual([]);
  });
}

describeInBrowser('the dashboard for those who may do little', (browser) => {
  const opened = (url: string) => openPage(browser(), url);
  describe('of BullMQ', () => {
    restrictedSuite('kvq', onBullmq, opened);
  });
  describe('of pg-boss', () => {
    restrictedSuite('pgq', onPgBoss, opened);
  });
});
