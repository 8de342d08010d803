/** The strategy `token`: headers, the login form, sessions, and every option. */

import { describe, expect, it, vi } from 'vitest';
import { AuthConfigurationError } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { secret } from './support/transcript.ts';
import { tokens, useBoard } from './support/use-board.ts';

const setting = useBoard();
const [token] = tokens;
const unauthorized = { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' };
const bearer = (text: string) => ({ headers: { authorization: `Bearer ${text}` } });

describe('a token in a header', () => {
  it.each(tokens)('is let through as a bearer', async (one) => {
    const { board } = setting;
    board.protect(setting.options());
    const answer = await ask(`${board.url}/api/queues`, bearer(one));
    expect(answer.json()).toEqual({
      served: '/admin/queues/api/queues',
      user: { username: 'token', roles: [] },
    });
    expect(answer.cookies).toEqual([]);
  });

  it('stands for the user of the options', async () => {
    const { board } = setting;
    board.protect(setting.options({ user: { username: 'ci', name: 'Builds', roles: ['deploy'] } }));
    const answer = await ask(`${board.url}/auth/me`, bearer(token));
    expect(answer.json()).toEqual({
      strategy: 'token',
      user: { username: 'ci', name: 'Builds', roles: ['deploy'] },
      logoutUrl: null,
    });
  });

  it('may come in a header of its own, before the bearer', async () => {
    const { board } = setting;
    board.protect(setting.options({ header: 'X-Board-Token' }));
    const status = async (headers: Record<string, string>) =>
      (await ask(`${board.url}/api/queues`, { headers })).status;
    expect(await status({ 'x-board-token': token })).toBe(200);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ 'x-board-token': 'wrong', authorization: `Bearer ${token}` })).toBe(200);
    expect(await status({ 'x-board-token': `Bearer ${token}` })).toBe(401);
    board.protect(setting.options({ header: 'authorization' }));
    expect(await status({ authorization: token })).toBe(401);
    expect(await status({ authorization: `Bearer ${token}` })).toBe(200);
  });

  it('may not come in a header that HTTP, browsers or proxies use', () => {
    const { board } = setting;
    for (const header of [
      'cookie',
      'Host',
      'content-length',
      'Transfer-Encoding',
      'connection',
      'proxy-authorization',
      'user-agent',
      'origin',
      'if-none-match',
      'x-forwarded-host',
      'sec-fetch-site',
    ]) {
      expect(() => board.protect(setting.options({ header }))).toThrow(
        expect.objectContaining({
          code: 'AUTH_CONFIGURATION_INVALID',
          message: expect.stringMatching(/^"header" must be the name of a header .*x-board-token/),
        }),
      );
    }
    expect(() => board.protect(setting.options({ header: 'Host' }))).toThrow(
      AuthConfigurationError,
    );
    for (const header of ['x-forwarded-access-token', 'Sec-WebSocket-Protocol', 'api-key']) {
      expect(() => board.protect(setting.options({ header }))).not.toThrow();
    }
  });

  it('that is wrong is 401, also beside a good session', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await setting.post({ token }, {}, agent);
    for (const wrong of ['wrong', '', `${token} `.repeat(2), token.slice(1), token.toUpperCase()]) {
      const answer = await agent.ask(`${board.url}/`, {
        headers: { ...navigation, authorization: `Bearer ${wrong}` },
      });
      expect([answer.status, answer.json()]).toEqual([401, unauthorized]);
      expect(answer.headers['www-authenticate']).toContain('invalid_token');
    }
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
  });
});

describe('validate', () => {
  it('is asked when no fixed token fits, and says who it is', async () => {
    const { board } = setting;
    const asked: string[] = [];
    board.protect(
      setting.options({
        user: { username: 'everybody' },
        validate: async (text) => {
          asked.push(text);
          if (text === 'as-ada') return { username: 'ada', roles: ['admin'] };
          return text === 'as-usual';
        },
      }),
    );
    const me = async (text: string) => (await ask(`${board.url}/auth/me`, bearer(text))).json();
    expect(await me('as-ada')).toMatchObject({ user: { username: 'ada', roles: ['admin'] } });
    expect(await me('as-usual')).toMatchObject({ user: { username: 'everybody', roles: [] } });
    expect(await me(token)).toMatchObject({ user: { username: 'everybody' } });
    expect(await me('as-nobody')).toEqual(unauthorized);
    await ask(`${board.url}/`, bearer('x'.repeat(4097)));
    expect(asked).toEqual(['as-ada', 'as-usual', 'as-nobody']);
  });

  it('runs on every request of a session, whose token it may withdraw', async () => {
    const { board } = setting;
    let good = true;
    board.protect(setting.options({ tokens: undefined, validate: () => good }));
    const agent = new Agent();
    expect((await setting.post({ token: 'any' }, {}, agent)).status).toBe(303);
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
    good = false;
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies[0]]).toEqual([
      401,
      'board_session=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Strict',
    ]);
  });

  it('lets nobody in by an answer that is neither true nor a user', async () => {
    const { board } = setting;
    for (const verdict of [[], [{ username: 'ada' }], null, undefined, 0, 1, 'ada', () => true]) {
      const validate = () => verdict as unknown as boolean;
      board.protect(setting.options({ validate }));
      expect([verdict, (await ask(`${board.url}/`, bearer('x'))).status]).toEqual([verdict, 401]);
    }
  });

  it('must name the user, with values of the right types', async () => {
    const { board } = setting;
    const status = async (verdict: unknown): Promise<number> => {
      board.reported.length = 0;
      board.protect(setting.options({ validate: () => verdict as boolean }));
      return (await ask(`${board.url}/`, bearer('x'))).status;
    };
    for (const verdict of [
      {},
      new Map([['username', 'ada']]),
      { error: 'secret of the lookup' },
      { name: 'Ada', roles: ['admin'] },
      { username: '' },
      { username: 7 },
      { username: 'ada', id: 7 },
      { username: 'ada', roles: 'admin' },
      { username: 'ada', roles: ['admin', 7] },
    ]) {
      expect([verdict, await status(verdict)]).toEqual([verdict, 401]);
      expect(board.reported).toEqual([
        expect.objectContaining({
          code: 'AUTH_CONFIGURATION_INVALID',
          message: expect.stringMatching(/^"validate" must return(?!.*secret)/),
        }),
      ]);
    }
    // A row of a table: columns without a value, and columns that are of no use here.
    const row = { username: 'ada', name: null, email: undefined, roles: null, passwordHash: 'x' };
    expect(await status(row)).toBe(200);
    expect(board.reported).toEqual([]);
    const { user } = (await ask(`${board.url}/auth/me`, bearer('x'))).json() as { user: object };
    expect(user).toEqual({ username: 'ada', roles: [] });
    expect(await status(false)).toBe(401);
    expect(board.reported).toEqual([]);
  });

  it('that returns something else is reported once, by the console where there is no hook', async () => {
    const { board } = setting;
    const lines = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    try {
      board.protect(setting.options({ validate: () => ({}) as never, onError: undefined }));
      const agent = new Agent();
      expect((await setting.post({ token: 'any' }, {}, agent)).status).toBe(401);
      for (const text of ['x', 'y']) {
        expect((await ask(`${board.url}/`, bearer(text))).status).toBe(401);
      }
      expect(lines.mock.calls).toEqual([
        [expect.stringContaining('sluice/auth: "validate" must return')],
      ]);
    } finally {
      lines.mockRestore();
    }
  });

  it('that throws lets nobody in', async () => {
    const { board } = setting;
    const mistake = new Error('the host’s own');
    board.protect(setting.options({ validate: () => Promise.reject(mistake) }));
    expect((await ask(`${board.url}/`, bearer('x'))).status).toBe(500);
    expect(board.reported.at(-1)).toBe(mistake);
    expect((await ask(`${board.url}/`, bearer(token))).status).toBe(200);
  });
});

describe('a request without credentials', () => {
  it('is 401 for programs, and for browsers where there is no login', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const api = await ask(`${board.url}/api/queues`);
    expect([api.status, api.json()]).toEqual([401, unauthorized]);
    expect(api.headers['www-authenticate']).toBe('Bearer realm="board"');
    board.protect(setting.options({ cookie: undefined }));
    for (const path of ['/', '/auth/login', '/auth/logout', '/auth/me']) {
      const answer = await ask(`${board.url}${path}`, { headers: navigation });
      expect([path, answer.status, answer.json()]).toEqual([path, 401, unauthorized]);
    }
    const post = await setting.post({ token });
    expect(post.status).toBe(401);
  });

  it('leads a browser to the form', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const answer = await ask(`${board.url}/queue/a?b=c&d`, { headers: navigation });
    expect([answer.status, answer.headers.location]).toEqual([
      302,
      '/admin/queues/auth/login?returnTo=%2Fadmin%2Fqueues%2Fqueue%2Fa%3Fb%3Dc%26d',
    ]);
  });

  it('that another site begins gets a page that comes again by itself', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const headers = { ...navigation, 'sec-fetch-site': 'cross-site' };
    const answer = await ask(`${board.url}/queue/a?b="><script>&c`, { headers });
    expect(answer.status).toBe(200);
    expect(answer.body).toContain(
      '<meta http-equiv="refresh" content="0; url=/admin/queues/queue/a?b=%22%3E%3Cscript%3E&amp;c">',
    );
    expect(answer.body).not.toContain('<script');
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    const sibling = await ask(`${board.url}/`, {
      headers: { ...navigation, 'sec-fetch-site': 'same-site' },
    });
    expect(sibling.status).toBe(302);
  });
});

describe('the login form', () => {
  it('has one password field, no scripts, nothing from elsewhere, and a strict policy', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const returnTo = encodeURIComponent('/admin/queues/queue/a?b="&c');
    const answer = await ask(`${board.url}/auth/login?returnTo=${returnTo}`);
    expect(answer.status).toBe(200);
    expect(answer.body.match(/type="password"/g)).toHaveLength(1);
    expect(answer.body).not.toMatch(/<script|<link|<img|\son\w+=|\sstyle=|https?:/i);
    expect(answer.body).toContain('value="/admin/queues/queue/a?b=%22&amp;c"');
    expect(answer.body).toContain('action="/admin/queues/auth/login"');
    expect(answer.headers).toMatchObject({
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; style-src 'sha256-[\w+/]+='; form-action 'self'; frame-ancestors 'none'; base-uri 'none'$/,
      ),
      'x-frame-options': 'DENY',
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'same-origin',
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex',
    });
    const head = await ask(`${board.url}/auth/login`, { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, '']);
  });

  it('begins a session and leads to where it was asked for', async () => {
    const { board } = setting;
    board.protect(setting.options({ user: { username: 'ops' } }));
    const agent = new Agent();
    const answer = await setting.post({ token, returnTo: '/admin/queues/queue/a' }, {}, agent);
    expect([answer.status, answer.headers.location]).toEqual([303, '/admin/queues/queue/a']);
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^board_session=[\w.-]+; Path=\/admin\/queues; Max-Age=28800; HttpOnly; SameSite=Strict$/,
      ),
    ]);
    const me = await agent.ask(`${board.url}/auth/me`);
    expect(me.json()).toEqual({
      strategy: 'token',
      user: { username: 'ops', roles: [] },
      logoutUrl: '/admin/queues/auth/logout',
    });
    const post = await ask(`${board.url}/auth/logout`, { method: 'POST' });
    expect([post.status, post.cookies[0]?.startsWith('board_session=; ')]).toEqual([302, true]);
    const out = await agent.ask(`${board.url}/auth/logout`);
    expect([out.status, out.headers.location]).toEqual([302, '/admin/queues/auth/login']);
    expect((await agent.ask(`${board.url}/auth/me`)).status).toBe(401);
  });

  it('comes back with 401 after a wrong token, which is not on it', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const wrong = secret('a-wrong-token-that-somebody-pasted-by-mistake');
    const answer = await setting.post({ token: wrong, returnTo: '/admin/queues/x' });
    expect(answer.status).toBe(401);
    expect(answer.body).toContain('role="alert"');
    expect(answer.body).toContain('ERRORS.UNAUTHORIZED');
    expect(answer.body).toContain('value="/admin/queues/x"');
    expect(answer.body).not.toContain(wrong);
    expect(answer.cookies).toEqual([]);
    for (const fields of [{}, { token: '' }, { other: token }]) {
      expect((await setting.post(fields)).status).toBe(401);
    }
  });

  it('refuses a token whose session would not fit a cookie', async () => {
    const { board } = setting;
    board.protect(setting.options({ validate: (text) => text.startsWith('long') }));
    expect((await setting.post({ token: `long${'x'.repeat(2000)}` })).status).toBe(303);
    expect((await setting.post({ token: `long${'x'.repeat(3500)}` })).status).toBe(401);
  });

  it('takes other methods as requests like any other', async () => {
    setting.board.protect(setting.options());
    const answer = await ask(`${setting.board.url}/auth/login`, { method: 'PUT' });
    expect(answer.status).toBe(401);
  });
});

describe('a session', () => {
  it('ends after the seconds of the options', async () => {
    const { board } = setting;
    const cookie = { secret: secret('the cookie secret of the token tests'), maxAgeSeconds: 30 };
    board.protect(
      setting.options({ cookie: { ...cookie, name: 'board_session_a', secure: true } }),
    );
    const agent = new Agent();
    const answer = await setting.post({ token }, {}, agent);
    expect(answer.cookies[0]).toMatch(
      /^board_session_a=[\w.-]+; Path=\/admin\/queues; Max-Age=30; HttpOnly; SameSite=Strict; Secure$/,
    );
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
    advanceClock(31_000);
    const late = await agent.ask(`${board.url}/api/queues`);
    expect([late.status, late.cookies[0]]).toEqual([
      401,
      'board_session_a=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Strict; Secure',
    ]);
  });

  it('ends when its token is taken out of the list, at once', async () => {
    const { board } = setting;
    const list = [...tokens];
    board.protect(setting.options({ tokens: list }));
    const [one, other] = [new Agent(), new Agent()];
    await setting.post({ token: tokens[0] }, {}, one);
    await setting.post({ token: tokens[1] }, {}, other);
    const statuses = async () => [
      (await one.ask(`${board.url}/api/queues`)).status,
      (await other.ask(`${board.url}/api/queues`)).status,
    ];
    expect(await statuses()).toEqual([200, 200]);
    expect(await statuses()).toEqual([200, 200]);
    const third = secret('third-token-of-the-tests-0123456789abcdef');
    list[0] = third as (typeof tokens)[0];
    expect(await statuses()).toEqual([401, 200]);
    await setting.post({ token: third }, {}, one);
    expect(await statuses()).toEqual([200, 200]);
    list.shift();
    expect(await statuses()).toEqual([401, 200]);
    list.length = 0;
    expect(await statuses()).toEqual([401, 401]);
  });

  it('passes onAuthenticated like every other request', async () => {
    const { board } = setting;
    board.protect(setting.options({ onAuthenticated: (user) => user.username !== 'token' }));
    const answer = await ask(`${board.url}/api/queues`, bearer(token));
    expect([answer.status, answer.json()]).toEqual([
      403,
      { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' },
    ]);
    const agent = new Agent();
    await setting.post({ token }, {}, agent);
    const page = await agent.ask(`${board.url}/`, { headers: navigation });
    expect([page.status, page.body.includes('/admin/queues/auth/logout')]).toEqual([403, true]);
  });
});
