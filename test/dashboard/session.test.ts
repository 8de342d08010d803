/** A session that ends while a form is open: the text is kept, and can be sent after signing in again. */

import type { Browser, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { pgqEngine } from '../../src/board/pgq/index.ts';
import { metricsHistoryProvider } from '../../src/metrics/index.ts';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { newestLibrary } from '../board/pgq/libraries.ts';
import { makeWorld } from '../board/pgq/world.ts';
import { hosts } from '../http/mounts/hosts.ts';
import { redisWorld } from '../metrics/worlds.ts';
import type { StoreWorld } from '../metrics/worlds.ts';
import { mountBoard, signIn } from './mounted-board.ts';
import type { MountedBoard } from './mounted-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;

const express = () => {
  const host = hosts.find(({ name }) => name === 'Express 5');
  if (!host) throw new Error('There is no Express.');
  return host;
};

/** The requests of each page. */
const requests = new Map<Page, Request[]>();

/** A page whose session can be ended. */
async function openSession(browser: Browser, url: string): Promise<OpenPage> {
  const open = await openPage(browser, url);
  const sent: Request[] = [];
  requests.set(open.page, sent);
  open.page.on('request', (request) => sent.push(request));
  return open;
}

/** Takes the cookie from the page. Answers that are on their way may bring it anew. */
async function endSession(page: Page): Promise<void> {
  await page.context().clearCookies();
  await Promise.all((requests.get(page) ?? []).map((request) => request.response()));
  await page.context().clearCookies();
}

/** Ends the session on an open screen: it is said, the screen stays, and goes on after signing in. */
async function endsOn(
  page: Page,
  url: string,
  ready: (page: Page) => Promise<void>,
): Promise<void> {
  const context = page.context();
  await page.goto(url);
  await ready(page);
  await endSession(page);
  const said = page.getByRole('dialog', { name: 'You are signed out' });
  await said.waitFor();
  await said.getByRole('button', { name: 'Close' }).click();
  await ready(page);
  // It can still be done when the dialog is closed.
  const offer = page.getByRole('status').filter({ hasText: 'You are signed out' });
  const [login] = await Promise.all([
    context.waitForEvent('page'),
    offer.getByRole('button', { name: 'Sign in' }).click(),
  ]);
  await signIn(login);
  await login.getByRole('heading', { level: 1 }).waitFor();
  await login.close();
  await offer.waitFor({ state: 'detached' });
  await ready(page);
  expect(page.url()).toBe(url);
}

describeInBrowser('a session that ends', (browser) => {
  let world: CellWorld;
  let mail: TestQueue;
  let board: MountedBoard;
  let history: StoreWorld | null;
  let open: OpenPage;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no Redis.');
    world = opened;
    mail = await world.queue('mail');
    await mail.schedule('nightly', { pattern: '0 3 * * *' });
    history = await redisWorld();
    if (!history) throw new Error('There is no Redis.');
    board = await mountBoard(express(), [mail.boardQueue()], {
      ui: { pollingInterval: { forceInterval: 1 } },
      historyProvider: metricsHistoryProvider(history.store),
    });
    open = await openSession(browser(), `${board.url}/queue/mail`);
    await signIn(open.page);
    await open.page.getByRole('button', { name: 'Add job' }).waitFor();
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await history?.close();
    await world?.close();
  });

  it('loses nothing that was typed, twice', async () => {
    const { page } = open;
    const context = page.context();
    for (const name of ['first', 'second']) {
      await page.getByRole('button', { name: 'Add job' }).click();
      const form = page.getByRole('dialog', { name: /^Add a job/ });
      await form.getByLabel('Name').fill(name);
      await form.getByRole('button', { name: 'JSON' }).click();
      await form.getByLabel('Data (JSON)').fill(`{"letter": "${name}"}`);
      await endSession(page);
      const said = page.getByRole('dialog', { name: 'You are signed out' });
      await said.waitFor();
      // The login is in a tab of its own, so that this page stays.
      const [login] = await Promise.all([
        context.waitForEvent('page'),
        said.getByRole('button', { name: 'Sign in', exact: true }).click(),
      ]);
      await signIn(login);
      await login.getByRole('heading', { level: 1 }).waitFor();
      await login.close();
      await said.waitFor({ state: 'detached' });
      expect(await form.getByLabel('Data (JSON)').inputValue()).toBe(`{"letter": "${name}"}`);
      await form.getByRole('button', { name: 'Add job' }).click();
      await form.waitFor({ state: 'detached' });
      await expect.poll(() => mail.names('waiting')).toContain(name);
    }
  });

  it('says it when a command finds out, and does it after signing in again', async () => {
    const { page } = open;
    const context = page.context();
    await page.getByRole('button', { name: 'Add job' }).click();
    const form = page.getByRole('dialog', { name: /^Add a job/ });
    await form.getByLabel('Name').fill('third');
    await form.getByRole('button', { name: 'JSON' }).click();
    await form.getByLabel('Data (JSON)').fill('{"letter": 3}');
    const cookies = await context.cookies();
    await endSession(page);
    const said = page.getByRole('dialog', { name: 'You are signed out' });
    await said.waitFor();
    // The dialog can be closed, and the form is there with its text.
    await said.getByRole('button', { name: 'Close' }).click();
    await form.getByRole('button', { name: 'Add job' }).click();
    await form.getByRole('alert').waitFor();
    expect(await form.getByLabel('Data (JSON)').inputValue()).toBe('{"letter": 3}');
    await context.addCookies(cookies);
    await form.getByRole('button', { name: 'Add job' }).click();
    await form.waitFor({ state: 'detached' });
    await expect.poll(() => mail.names('waiting')).toContain('third');
  });

  it.each([
    ['overview', '/', 'row', 'mail'],
    ['jobs', '/queue/mail?state=waiting', 'row', 'first'],
    ['schedules', '/job-schedulers', 'row', 'nightly'],
    ['metrics', '/metrics-history', 'region', 'Finished per hour'],
    ['workers', '/workers', 'searchbox', 'Filter workers'],
    ['settings', '/queue/mail?tab=settings', 'textbox', 'Jobs at once'],
  ] as const)('is said on an open screen of %s, which stays', async (_screen, path, role, name) => {
    await endsOn(open.page, `${board.url}${path}`, (page) =>
      page.getByRole(role, { name }).first().waitFor(),
    );
  });

  it('is said on the warnings and workers of pg-boss, which stay', async () => {
    const pgBoss = await makeWorld(newestLibrary, 'dashboard_session');
    await pgBoss.boss.createQueue('letters');
    await pgBoss.boss.work('letters', async () => undefined);
    await pgBoss.admin.query(`insert into pgboss.warning (type, message, data)
      values ('clock_skew', 'The clocks differ', '{"seconds": 72}')`);
    const engine = pgqEngine({ connection: pgBoss.url, library: pgBoss.library.module });
    const other = await mountBoard(express(), engine, {
      ui: { pollingInterval: { forceInterval: 1 } },
    });
    const shown = await openSession(browser(), `${other.url}/warnings`);
    await signIn(shown.page);
    for (const [path, text] of [
      ['/warnings', 'The clocks differ'],
      ['/workers', 'live'],
    ] as const) {
      await endsOn(shown.page, `${other.url}${path}`, (page) =>
        page.getByRole('main').getByText(text, { exact: true }).first().waitFor(),
      );
    }
    await shown.close();
    await other.close();
    await pgBoss.close();
  });
});
