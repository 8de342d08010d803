/**
 * Both strategies in a real browser, from the first visit to the logout.
 *
 * With `AUTH_SCREENSHOT=1` it writes the pictures of the login form in `docs/images`.
 */

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { savePicture } from '../../tools/picture.ts';
import { chromiumRequired, findChromium, launch } from '../demo/chromium.ts';
import { recordAnswer } from './support/transcript.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const executable = findChromium();
if (!executable && !chromiumRequired) {
  console.log('Left out: logins in a browser. Install Chromium or name it in CHROMIUM.');
}

describe.runIf(executable || chromiumRequired)('in a browser', () => {
  const setting = useRealm();
  const [token] = tokens;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let complaints: string[];
  let elsewhere: Server;
  let elsewhereUrl: string;

  beforeAll(async () => {
    if (!executable) throw new Error('CI needs Chromium: install it or name it in CHROMIUM.');
    browser = await launch(executable);
    // Another site: for a browser, `localhost` and `127.0.0.1` have nothing in common.
    elsewhere = createServer((_request, response) => {
      const { url } = setting.board;
      response.setHeader('content-type', 'text/html');
      response.end(`<!doctype html><a id="link" href="${url}/queue/a?b=c">to the board</a>
        <form id="form" method="post" action="${url}/auth/login">
        <input name="token" value="${token}"><button id="post">post</button></form>
        <iframe src="${url}/auth/login"></iframe>`);
    });
    elsewhere.listen(0, 'localhost');
    await new Promise((resolve) => elsewhere.once('listening', resolve));
    elsewhereUrl = `http://localhost:${(elsewhere.address() as AddressInfo).port}/`;
  });

  afterAll(async () => {
    await browser?.close();
    elsewhere?.close();
  });

  beforeEach(async () => {
    context = await browser.newContext({ viewport: { width: 900, height: 620 } });
    page = await context.newPage();
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (line) => {
      if (/Content Security Policy|Refused to/.test(line.text())) complaints.push(line.text());
    });
    page.on('response', async (response) => {
      if (!response.url().startsWith(setting.board.url)) return;
      const body = await response.text().catch(() => '');
      recordAnswer(response.status(), response.headers(), body);
    });
  });

  afterEach(() => context.close());

  const protectByToken = () =>
    setting.board.protect({
      strategy: 'token',
      tokens,
      user: { username: 'ops' },
      cookie: { secret: 'the cookie secret of the token tests' },
    });

  const shoot = async (name: string) => {
    if (!process.env['AUTH_SCREENSHOT']) return;
    const path = fileURLToPath(new URL(`../../docs/images/${name}.webp`, import.meta.url));
    await savePicture(page, path);
  };

  const me = () =>
    page.evaluate(async (url) => {
      const response = await fetch(url);
      return [response.status, await response.json()];
    }, `${setting.board.url}/auth/me`);

  const submit = async (text: string) => {
    await page.getByLabel('Access token').fill(text);
    await page.getByRole('button', { name: 'Sign in' }).click();
  };

  it('a token goes through the form, once', async () => {
    const { board } = setting;
    protectByToken();
    await page.goto(`${board.url}/queue/mail?page=2`);
    expect(page.url()).toContain(`${board.url}/auth/login?returnTo=`);
    expect(await page.locator('input:focus').getAttribute('name')).toBe('token');
    await shoot('auth-login');
    await page.emulateMedia({ colorScheme: 'dark' });
    await shoot('auth-login-dark');
    await page.emulateMedia({ colorScheme: 'light' });

    await submit('a token that is not one of them');
    expect(await page.getByRole('alert').textContent()).toContain('not accepted');
    expect(await page.getByLabel('Access token').inputValue()).toBe('');
    await shoot('auth-login-refused');

    await submit(token);
    expect(page.url()).toBe(`${board.url}/queue/mail?page=2`);
    expect(await page.textContent('body')).toContain('"username":"ops"');
    expect(await me()).toEqual([
      200,
      {
        strategy: 'token',
        user: { username: 'ops', roles: [] },
        logoutUrl: '/admin/queues/auth/logout',
      },
    ]);
    const [cookie, ...others] = await context.cookies();
    expect(others).toEqual([]);
    expect(cookie).toMatchObject({
      name: 'board_session',
      path: '/admin/queues',
      httpOnly: true,
      sameSite: 'Strict',
    });
    expect(await page.evaluate('document.cookie')).toBe('');

    await page.goto(`${board.url}/auth/logout`);
    expect(page.url()).toBe(`${board.url}/auth/login`);
    expect(await context.cookies()).toEqual([]);
    expect((await context.request.get(`${board.url}/auth/me`)).status()).toBe(401);
    expect(complaints).toEqual([]);
  });

  it('a link on another site leads in with a session, and to the form without', async () => {
    const { board } = setting;
    protectByToken();
    await page.goto(`${board.url}/`);
    await submit(token);
    await page.goto(elsewhereUrl);
    await page.click('#link');
    await page.waitForSelector('text=/"served"/');
    expect(page.url()).toBe(`${board.url}/queue/a?b=c`);
    await context.clearCookies();
    await page.goto(elsewhereUrl);
    await page.click('#link');
    await page.waitForSelector('input[type=password]');
    await submit(token);
    expect(page.url()).toBe(`${board.url}/queue/a?b=c`);
  });

  it('another site can neither post the form nor frame it', async () => {
    const { board } = setting;
    protectByToken();
    await page.goto(elsewhereUrl);
    const frame = page.frames().find((one) => one !== page.mainFrame());
    expect(await frame?.locator('input').count()).toBe(0);
    await page.click('#post');
    await page.waitForURL(`${board.url}/auth/login`);
    expect(await page.textContent('body')).toContain('ERRORS.FORBIDDEN');
    expect(await context.cookies()).toEqual([]);
  });

  it('the provider logs in and out', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ requiredRoles: ['operator'] }));
    await page.goto(`${board.url}/queue/mail?page=2`);
    expect(page.url()).toContain(`${realm.url}/interaction/`);
    await page.getByLabel('User name').fill('ada');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(page.url()).toBe(`${board.url}/queue/mail?page=2`);
    expect(await me()).toEqual([
      200,
      {
        strategy: 'oidc',
        user: {
          id: 'ada',
          username: 'ada',
          name: 'Ada Lovelace',
          email: 'ada@example.test',
          roles: ['operator'],
        },
        logoutUrl: '/admin/queues/auth/logout',
      },
    ]);
    const ours = (await context.cookies()).filter((cookie) => cookie.path === '/admin/queues');
    expect(ours).toMatchObject([{ name: 'board_session', httpOnly: true, sameSite: 'Lax' }]);

    await page.goto(`${board.url}/auth/logout`);
    expect(page.url()).toContain(`${realm.issuer}/session/end`);
    await page.getByRole('button', { name: 'Yes' }).click();
    // Back at the board's home there is no session, so the provider asks again.
    await page.getByLabel('User name').waitFor();
    expect((await context.cookies()).filter((cookie) => cookie.name === 'board_session')).toEqual(
      [],
    );
    expect(complaints).toEqual([]);
  });

  it('an account without the role is told so, and can leave', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ requiredRoles: ['operator'] }));
    await page.goto(`${board.url}/`);
    await page.getByLabel('User name').fill('bob');
    await page.getByRole('button', { name: 'Log in' }).click();
    expect(await page.getByRole('heading').textContent()).toBe('No access');
    await shoot('auth-no-access');
    await page.getByRole('link', { name: 'Sign out' }).click();
    await page.waitForURL(new RegExp(`^${realm.issuer}/session/end`));
    await page.getByRole('button', { name: 'Yes' }).click();
    await page.getByLabel('User name').waitFor();
  });
});
