/** The strategy `oidc` with a browser: login, session, roles and logout, against a real provider. */

import { describe, expect, it } from 'vitest';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn, toCallback, toForm } from './support/log-in.ts';
import { printed, secret } from './support/transcript.ts';
import { startRealm } from './support/realm.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const unauthorized = { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' };
const forbidden = { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' };

describe('without a session', () => {
  it('a navigation goes to the provider, with state, nonce and a PKCE challenge', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const answer = await ask(`${board.url}/queue/mail`, { headers: navigation });
    expect(answer.status).toBe(302);
    const to = new URL(answer.headers.location ?? '');
    expect(to.origin + to.pathname).toBe(`${realm.issuer}/auth`);
    const {
      state,
      nonce,
      code_challenge: challenge,
      ...rest
    } = Object.fromEntries(to.searchParams);
    expect(rest).toEqual({
      client_id: 'board',
      response_type: 'code',
      scope: 'openid profile email',
      redirect_uri: `${board.url}/auth/callback`,
      code_challenge_method: 'S256',
    });
    for (const random of [state, nonce, challenge]) expect(random).toMatch(/^[\w-]{43}$/);
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^board_session_flow_[\w-]{12}=[\w.-]+; Path=\/admin\/queues; Max-Age=600; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it.each([
    ['an API call', { accept: 'application/json' }],
    ['an XHR that takes everything', { accept: '*/*' }],
    ['a fetch of a page', { accept: 'text/html', 'sec-fetch-dest': 'empty' }],
    ['a script', { accept: '*/*', 'sec-fetch-dest': 'script' }],
    ['a style sheet', { accept: 'text/css,*/*;q=0.1', 'sec-fetch-dest': 'style' }],
    ['no Accept at all', {}],
  ])('%s is 401', async (_name, headers) => {
    const { board } = setting;
    board.protect(setting.options());
    const answer = await ask(`${board.url}/api/queues`, { headers });
    expect(answer.status).toBe(401);
    expect(answer.json()).toEqual(unauthorized);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="board"');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.cookies).toEqual([]);
  });

  it('a write is 401, whatever it accepts', async () => {
    setting.board.protect(setting.options());
    const answer = await ask(`${setting.board.url}/`, { method: 'POST', headers: navigation });
    expect(answer.status).toBe(401);
  });

  it('a page in a frame, and one for an old browser, are navigations', async () => {
    setting.board.protect(setting.options());
    for (const headers of [
      { ...navigation, 'sec-fetch-dest': 'iframe' },
      { accept: 'text/html' },
    ]) {
      expect((await ask(`${setting.board.url}/`, { headers })).status).toBe(302);
    }
    const head = await ask(`${setting.board.url}/`, { method: 'HEAD', headers: navigation });
    expect(head.status).toBe(302);
  });
});

describe('a login', () => {
  it('leads back to the page it started on, with a session', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    const answer = await logIn(agent, `${board.url}/queue/mail?page=2&a=%2F`, 'ada');
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe('/admin/queues/queue/mail?page=2&a=%2F');
    expect(answer.cookies).toEqual([
      expect.stringMatching(
        /^board_session_flow_[\w-]{12}=; Path=\/admin\/queues; Max-Age=0; HttpOnly; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^board_session=[\w.-]+; Path=\/admin\/queues; Max-Age=28800; HttpOnly; SameSite=Lax$/,
      ),
    ]);
    expect(answer.cookies.every((cookie) => cookie.length <= 4096)).toBe(true);
    const user = {
      id: 'ada',
      username: 'ada',
      name: 'Ada Lovelace',
      email: 'ada@example.test',
      roles: ['operator'],
    };
    const api = await agent.ask(`${board.url}/api/queues`);
    expect(api.json()).toEqual({ served: '/admin/queues/api/queues', user });
    const me = await agent.ask(`${board.url}/auth/me`);
    expect(me.json()).toEqual({ strategy: 'oidc', user, logoutUrl: '/admin/queues/auth/logout' });
    expect(me.headers['cache-control']).toBe('no-store');
    const head = await agent.ask(`${board.url}/auth/me`, { method: 'HEAD' });
    expect(head).toMatchObject({ status: 200, body: '' });
  });

  it('starts at /auth/login too, with a path to come back to', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const login = `${board.url}/auth/login?returnTo=${encodeURIComponent('/admin/queues/metrics?x=1')}`;
    const answer = await logIn(new Agent(), login, 'ada');
    expect(answer.headers.location).toBe('/admin/queues/metrics?x=1');
    const elsewhere = ['https://evil.test/', '//evil.test', '/other', '/admin/queues/auth/logout'];
    for (const returnTo of ['', ...elsewhere]) {
      const query = new URLSearchParams(returnTo === '' ? {} : { returnTo });
      const home = await logIn(new Agent(), `${board.url}/auth/login?${query}`, 'ada');
      expect([returnTo, home.headers.location]).toEqual([returnTo, '/admin/queues/']);
    }
  });

  it('works for a public client, at the root, and with a provider address that ends in slashes', async () => {
    const { board, realm } = setting;
    board.protect(
      setting.options({
        clientId: 'public-board',
        clientSecret: undefined,
        url: `${realm.url}//`,
      }),
      '/',
    );
    const agent = new Agent();
    const first = await agent.ask(`${board.origin}/deep?x=1`, { headers: navigation });
    const callback = await toCallback(agent, await toForm(agent, first), 'ada');
    const answer = await agent.ask(callback, { headers: navigation });
    expect(answer.headers.location).toBe('/deep?x=1');
    expect(answer.cookies.at(-1)).toContain('; Path=/; ');
    expect((await agent.ask(`${board.origin}/auth/me`)).status).toBe(200);
  });

  it('works in a realm of any name', async () => {
    const { board } = setting;
    for (const name of ['my realm', 'größe', 'a/b', 'x?y#z']) {
      const realm = await startRealm({ realm: name, boards: [board.url] });
      board.protect(setting.options({ url: realm.url, realm: name }));
      const agent = new Agent();
      expect([name, (await logIn(agent, `${board.url}/`, 'ada')).status]).toEqual([name, 302]);
      expect((await agent.ask(`${board.url}/auth/me`)).status).toBe(200);
      await realm.close();
    }
  });

  it('does with an access token that is no JWT, by the ID token', async () => {
    const { board, realm } = setting;
    realm.behaviour.accessTokenFormat = 'opaque';
    board.protect(setting.options());
    const agent = new Agent();
    expect((await logIn(agent, `${board.url}/`, 'ada')).status).toBe(302);
    expect(realm.grants.at(-1)?.['access_token']).not.toContain('.');
    expect((await agent.ask(`${board.url}/auth/me`)).json()).toMatchObject({
      user: { username: 'ada', roles: [] },
    });
  });

  it('asks for the scope of the options', async () => {
    setting.board.protect(setting.options({ scope: 'openid email' }));
    const answer = await ask(`${setting.board.url}/`, { headers: navigation });
    expect(new URL(answer.headers.location ?? '').searchParams.get('scope')).toBe('openid email');
  });

  it('fails closed, and says so, for a user whose roles no cookie holds', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    const answer = await logIn(agent, `${board.url}/`, 'max');
    expect(answer.status).toBe(401);
    expect(agent.cookie('board_session')).toBeUndefined();
    expect(board.reported).toHaveLength(1);
  });
});

describe('roles', () => {
  it.each([
    ['of the realm', 'ada', ['admin', 'operator']],
    ['of the client', 'bob', ['admin']],
  ])('%s let in', async (_name, account, requiredRoles) => {
    const { board } = setting;
    board.protect(setting.options({ requiredRoles }));
    const agent = new Agent();
    expect((await logIn(agent, `${board.url}/`, account)).status).toBe(302);
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
  });

  it('of another client, or none, are 403 at once and without a session', async () => {
    const { board } = setting;
    board.protect(setting.options({ requiredRoles: ['root'] }));
    const agent = new Agent();
    const first = await agent.ask(`${board.url}/`, { headers: navigation });
    const callback = await toCallback(agent, await toForm(agent, first), 'bob');
    const answer = await agent.ask(callback);
    expect(answer).toMatchObject({ status: 403 });
    expect(answer.json()).toEqual(forbidden);
    expect(agent.cookie('board_session')).toBeUndefined();
    const page = await logIn(new Agent(), `${board.url}/`, 'bob');
    expect(page.status).toBe(403);
    expect(page.body).toContain('ERRORS.FORBIDDEN');
    expect(page.body).toContain('href="/admin/queues/auth/logout"');
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  });

  it('are asked for on every request of a session', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'bob');
    board.protect(setting.options({ requiredRoles: ['operator'] }));
    const api = await agent.ask(`${board.url}/api/queues`);
    expect([api.status, api.json()]).toEqual([403, forbidden]);
    const page = await agent.ask(`${board.url}/`, { headers: navigation });
    expect([page.status, page.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
  });
});

describe('onAuthenticated', () => {
  it('sees the user and the request after the role check, and refuses by exactly false', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    const seen: unknown[] = [];
    for (const [verdict, status] of [
      [false, 403],
      [undefined, 200],
      [null, 200],
      [0, 200],
      [true, 200],
    ] as const) {
      board.protect(
        setting.options({
          onAuthenticated: async (user, request) => {
            seen.push([user.username, request.url]);
            return verdict;
          },
        }),
      );
      const answer = await agent.ask(`${board.url}/api/queues`);
      expect([verdict, answer.status]).toEqual([verdict, status]);
      if (status === 403) expect(answer.json()).toEqual(forbidden);
    }
    expect(seen).toEqual(Array.from({ length: 5 }, () => ['ada', '/admin/queues/api/queues']));
    board.protect(
      setting.options({
        requiredRoles: ['nobody'],
        onAuthenticated: () => expect.unreachable('asked before the role check'),
      }),
    );
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(403);
  });

  it('that throws lets nothing through, and the host is told', async () => {
    const { board } = setting;
    const mistake = new Error('the host’s own');
    board.protect(
      setting.options({
        onAuthenticated: () => {
          throw mistake;
        },
      }),
    );
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.json()]).toEqual([
      500,
      { error: { key: 'ERRORS.INTERNAL_SERVER_ERROR' }, code: 'INTERNAL_SERVER_ERROR' },
    ]);
    expect(board.reported).toEqual([mistake]);
  });
});

describe('a logout', () => {
  it('ends the session here and leads to the provider, which ends its own', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    const answer = await agent.ask(`${board.url}/auth/logout`, { headers: navigation });
    expect(answer.status).toBe(302);
    expect(answer.cookies).toEqual([
      'board_session=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
    const to = new URL(answer.headers.location ?? '');
    expect(to.origin + to.pathname).toBe(`${realm.issuer}/session/end`);
    expect(Object.fromEntries(to.searchParams)).toEqual({
      client_id: 'board',
      post_logout_redirect_uri: `${board.url}/`,
      id_token_hint: realm.grants.at(-1)?.['id_token'],
    });
    expect((await agent.ask(to.href, {}, { board: false })).status).toBe(200);
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(401);
  });

  it('does without the hint when the ID token did not fit', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    const answer = await logIn(agent, `${board.url}/`, 'eve');
    expect(answer.cookies.every((cookie) => cookie.length <= 4096)).toBe(true);
    const out = await agent.ask(`${board.url}/auth/logout`);
    const query = new URL(out.headers.location ?? '').searchParams;
    expect([query.has('id_token_hint'), query.get('client_id')]).toEqual([false, 'board']);
  });

  it('lands on a signed-out page when the provider has no logout, and works without a session', async () => {
    const { board, realm } = setting;
    realm.behaviour.endSession = false;
    board.protect(setting.options());
    const answer = await ask(`${board.url}/auth/logout`);
    // Leading home would sign the user in again: the provider's own session goes on.
    expect([answer.status, answer.headers.location]).toEqual([200, undefined]);
    expect(answer.body).toContain('<h1>Signed out</h1>');
    expect(answer.body).toContain('<a href="/admin/queues/">Sign in again</a>');
    expect(answer.cookies[0]).toContain('board_session=; ');
    expect(answer.headers['cache-control']).toBe('no-store');
  });
});

describe('the cookie', () => {
  it('takes its name, life and protection from the options', async () => {
    const { board } = setting;
    const cookie = { secret: secret('another cookie secret, also long'), name: 'mine' };
    board.protect(setting.options({ cookie: { ...cookie, secure: true, maxAgeSeconds: 60 } }));
    const answer = await logIn(new Agent(), `${board.url}/`, 'ada');
    expect(answer.cookies.at(-1)).toMatch(
      /^mine=[\w.-]+; Path=\/admin\/queues; Max-Age=60; HttpOnly; SameSite=Lax; Secure$/,
    );
    expect(answer.cookies[0]).toMatch(/^mine_flow_[\w-]{12}=; /);
  });

  it('opens in every instance with the secret; clientSecret stands in for one', async () => {
    const { board } = setting;
    for (const cookie of [undefined, {}]) {
      board.protect(setting.options({ cookie }));
      const agent = new Agent();
      await logIn(agent, `${board.url}/`, 'ada');
      board.protect(setting.options({ cookie: undefined }));
      expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
      board.protect(setting.options({ cookie: { secret: secret('a secret that differs') } }));
      const foreign = await agent.ask(`${board.url}/api/queues`);
      expect(foreign.status).toBe(401);
      expect(foreign.cookies[0]).toContain('board_session=; ');
    }
  });

  it('ends with the process without any secret, which is said once', async () => {
    const { board } = setting;
    const random = { clientId: 'public-board', clientSecret: undefined, cookie: undefined };
    printed.length = 0;
    board.protect(setting.options(random));
    expect(printed).toEqual([expect.stringContaining('no `cookie.secret`')]);
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
    board.protect(setting.options(random));
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(401);
    printed.length = 0;
    board.protect(setting.options({ ...random, bearerOnly: true }));
    expect(printed).toEqual([]);
  });
});
