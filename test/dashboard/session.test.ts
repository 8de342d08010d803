/** A session that ends while a form is open: the text is kept, and can be sent after signing in again. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import type { CellWorld, TestQueue } from '../board/kvq/cell.ts';
import { cells } from '../board/kvq/cells.ts';
import { hosts } from '../http/mounts/hosts.ts';
import { mountBoard, signIn } from './mounted-board.ts';
import type { MountedBoard } from './mounted-board.ts';
import { describeInBrowser, openPage } from './open-page.ts';
import type { OpenPage } from './open-page.ts';

const [cell] = cells;

describeInBrowser('a session that ends', (browser) => {
  let world: CellWorld;
  let mail: TestQueue;
  let board: MountedBoard;
  let open: OpenPage;
  beforeAll(async () => {
    const opened = await cell?.open();
    if (!opened || 'missing' in opened) throw new Error('There is no Redis.');
    world = opened;
    mail = await world.queue('mail');
    const host = hosts.find(({ name }) => name === 'Express 5');
    if (!host) throw new Error('There is no Express.');
    board = await mountBoard(host, [mail.boardQueue()], {
      ui: { pollingInterval: { forceInterval: 1 } },
    });
    open = await openPage(browser(), `${board.url}/queue/mail`);
    await signIn(open.page);
    await open.page.getByRole('button', { name: 'Add job' }).waitFor();
  });
  afterAll(async () => {
    await open?.close();
    await board?.close();
    await world?.close();
  });

  it('loses nothing that was typed, twice', async () => {
    const { page } = open;
    const context = page.context();
    for (const name of ['first', 'second']) {
      await page.getByRole('button', { name: 'Add job' }).click();
      const form = page.getByRole('dialog', { name: /^Add a job/ });
      await form.getByLabel('Name').fill(name);
      await form.getByLabel('Data (JSON)').fill(`{"letter": "${name}"}`);
      await context.clearCookies();
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
    await form.getByLabel('Data (JSON)').fill('{"letter": 3}');
    const cookies = await context.cookies();
    await context.clearCookies();
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
});
