/** Logins and logouts in a real browser: tabs side by side, restored tabs, the back button, and other origins. */

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { chromiumRequired, findChromium, launch } from '../demo/chromium.ts';
import { recordAnswer } from './support/transcript.ts';
import { useRealm } from './support/use-realm.ts';

const executable = findChromium();

describe.runIf(executable || chromiumRequired)('in a browser', () => {
  const setting = useRealm();
  let browser: Browser;
  let context: BrowserContext;
  let neighbour: Server;

  beforeAll(async () => {
    if (!executable) throw new Error('CI needs Chromium: install it or name it in CHROMIUM.');
    browser = await launch(executable);
    // Another port of the same host is the same site; `localhost` is another one.
    neighbour = createServer((_request, response) => {
      const { url } = setting.board;
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><a id="logout" href="${url}/auth/logout">look</a>
        <form method="post" action="${url}/api/queues/mail/add"><button>post</button></form>`);
    }).listen(0);
    await new Promise((resolve) => neighbour.once('listening', resolve));
  });
  afterAll(async () => {
    await browser?.close();
    neighbour?.close();
  });
  beforeEach(async () => {
    setting.board.protect(setting.options());
    context = await browser.newContext();
    context.on('response', async (response) => {
      if (!response.url().startsWith(setting.board.url)) return;
      const body = await response.text().catch(() => '');
      recordAnswer(response.status(), response.headers(), body);
    });
  });
  afterEach(() => context.close());

  const elsewhere = (host: string) =>
    `http://${host}:${(neighbour.address() as AddressInfo).port}/`;
  const open = async (path: string): Promise<Page> => {
    const page = await context.newPage();
    await page.goto(`${setting.board.url}${path}`);
    return page;
  };
  const enter = async (page: Page): Promise<void> => {
    await page.getByLabel('User name').fill('ada');
    await page.getByRole('button', { name: 'Log in' }).click();
    await page.waitForSelector('text=/"served"/');
  };
  const me = async (): Promise<number> =>
    (await context.request.get(`${setting.board.url}/auth/me`)).status();

  it('two tabs log in side by side', async () => {
    const { url } = setting.board;
    const [one, two] = [await open('/queue/one'), await open('/queue/two')];
    await enter(one);
    expect(one.url()).toBe(`${url}/queue/one`);
    await enter(two);
    expect(two.url()).toBe(`${url}/queue/two`);
    const names = (await context.cookies(`${url}/`)).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('board_session'))).toEqual(['board_session']);
  });

  it('restored tabs all come back to their own pages', async () => {
    const { url } = setting.board;
    await enter(await open('/'));
    await context.clearCookies({ name: 'board_session' });
    expect(await me()).toBe(401);
    const paths = ['/queue/a', '/queue/b?page=2', '/queue/c', '/metrics', '/'];
    const pages = await Promise.all(paths.map(open));
    for (const [at, page] of pages.entries()) {
      // Requests at the same time may lose the provider its session: the tab then asks for a login.
      const form = page.getByLabel('User name');
      await page.getByText('"served"').or(form).first().waitFor();
      if (await form.isVisible()) await enter(page);
      expect(page.url()).toBe(url + paths[at]);
    }
  });

  it('the back button leads to no failed login', async () => {
    const { url } = setting.board;
    const page = await context.newPage();
    let callback = '';
    page.on('request', (request) => {
      if (request.url().includes('/auth/callback')) callback = request.url();
    });
    await page.goto(`${url}/queue/a`);
    await enter(page);
    await page.goto(`${url}/queue/b`);
    await page.goBack();
    expect(page.url()).toBe(`${url}/queue/a`);
    // The request of a browser that kept the callback in its history, or whose user reloads it.
    await page.goto(callback);
    expect(page.url()).toBe(`${url}/`);
    expect(await page.textContent('body')).toContain('"username":"ada"');
    expect(await me()).toBe(200);
  });

  it.each(['127.0.0.1', 'localhost'])('a link of %s asks before it signs out', async (host) => {
    const page = await open('/');
    await enter(page);
    await page.goto(elsewhere(host));
    await page.click('#logout');
    expect(await page.getByRole('heading').textContent()).toBe('Sign out?');
    expect(await me()).toBe(200);
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.waitForURL(/\/session\/end/);
    expect(await me()).toBe(401);
  });

  it.each(['127.0.0.1', 'localhost'])('a form of %s writes nothing', async (host) => {
    const page = await open('/');
    await enter(page);
    await page.goto(elsewhere(host));
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith('/add')),
      page.getByRole('button', { name: 'post' }).click(),
    ]);
    // To the other site the browser does not even give the session.
    expect(answer.status()).toBe(host === 'localhost' ? 401 : 403);
  });

  it('signs out to a page that does not sign in again', async () => {
    const { board, realm } = setting;
    realm.behaviour.endSession = false;
    board.protect(setting.options());
    const page = await open('/queue/a');
    await enter(page);
    await page.goto(`${board.url}/auth/logout`);
    expect(await page.getByRole('heading').textContent()).toBe('Signed out');
    expect(await me()).toBe(401);
    await page.getByRole('link', { name: 'Sign in again' }).click();
    await page.waitForSelector('text=/"served"/');
    expect(page.url()).toBe(`${board.url}/`);
  });
});
