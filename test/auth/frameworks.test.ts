/** The same middleware before every framework: the same answers. */

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { hosts } from './support/hosts.ts';
import type { Running } from '../listening.ts';
import { logIn } from './support/log-in.ts';
import { clientSecret, startRealm } from './support/realm.ts';
import type { Realm } from './support/realm.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const token = secret('the-token-of-the-framework-tests-0123456789');
const cookie = { secret: secret('the cookie secret of the framework tests') };
const basePath = '/admin/queues';

describe.each(hosts)('$name, strategy token', ({ start }) => {
  let host: Running;
  let url: string;
  beforeAll(async () => {
    const user = { username: 'ci' };
    host = await start(
      createAuthMiddleware({ strategy: 'token', tokens: [token], user, cookie }, { basePath }),
    );
    url = `http://127.0.0.1:${host.port}${basePath}`;
  });
  afterAll(() => host.close());

  it('lets a token through to the handler, which sees the user', async () => {
    const answer = await ask(`${url}/api/queues?x=1`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect([answer.status, answer.json()]).toEqual([
      200,
      { served: `${basePath}/api/queues?x=1`, user: { username: 'ci', roles: [] } },
    ]);
  });

  it('refuses a request without one', async () => {
    const answer = await ask(`${url}/api/queues`);
    expect([answer.status, answer.json()]).toEqual([
      401,
      { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' },
    ]);
    expect(answer.headers['www-authenticate']).toBe('Bearer realm="board"');
  });

  it('answers HEAD as GET without its body, and logs nothing', async () => {
    const logged = vi.spyOn(console, 'error');
    for (const headers of [{}, { authorization: `Bearer ${token}` }]) {
      const get = await ask(`${url}/api/queues`, { headers });
      const head = await ask(`${url}/api/queues`, { method: 'HEAD', headers });
      expect([head.status, head.body]).toEqual([get.status, '']);
    }
    expect(logged).not.toHaveBeenCalled();
    logged.mockRestore();
  });

  it('shows the form, takes it, keeps the session, and ends it', async () => {
    const agent = new Agent();
    const page = await agent.ask(`${url}/queue/a`, { headers: navigation });
    expect(page.status).toBe(302);
    const form = await agent.ask(new URL(page.headers.location ?? '', url).href);
    expect([form.status, form.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    const post = (text: string) =>
      agent.ask(`${url}/auth/login`, {
        method: 'POST',
        headers: {
          origin: new URL(url).origin,
          'content-type': 'application/x-www-form-urlencoded',
        },
        body: new URLSearchParams({ token: text, returnTo: `${basePath}/queue/a` }).toString(),
      });
    expect((await post('wrong')).status).toBe(401);
    const entered = await post(token);
    expect([entered.status, entered.headers.location]).toEqual([303, `${basePath}/queue/a`]);
    const me = await agent.ask(`${url}/auth/me`);
    expect(me.json()).toEqual({
      strategy: 'token',
      user: { username: 'ci', roles: [] },
      logoutUrl: `${basePath}/auth/logout`,
    });
    expect(
      (
        await agent.ask(`${url}/api/queues`, {
          method: 'POST',
          headers: { origin: new URL(url).origin },
        })
      ).status,
    ).toBe(200);
    expect((await agent.ask(`${url}/auth/logout`)).status).toBe(302);
    expect((await agent.ask(`${url}/api/queues`)).status).toBe(401);
  });

  it('refuses a body that is too long', async () => {
    const answer = await ask(`${url}/auth/login`, {
      method: 'POST',
      headers: { origin: new URL(url).origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${'x'.repeat(20_000)}`,
    });
    // Behind a body parser the fields are there, and the token is only wrong.
    expect([413, 401]).toContain(answer.status);
  });
});

describe.each(hosts)('$name, strategy oidc', ({ start }) => {
  let host: Running;
  let realm: Realm;
  let url: string;
  beforeAll(async () => {
    let auth = createAuthMiddleware({ strategy: 'token', tokens: [token] }, { basePath });
    // The realm has to know the board's address, which is known once the board listens.
    const later = Object.assign((...parts: Parameters<typeof auth>) => auth(...parts), {
      handle: (...parts: Parameters<typeof auth.handle>) => auth.handle(...parts),
      fetch: (...parts: Parameters<typeof auth.fetch>) => auth.fetch(...parts),
      authenticate: (...parts: Parameters<typeof auth.authenticate>) => auth.authenticate(...parts),
      publicPath: basePath,
    });
    host = await start(later);
    url = `http://127.0.0.1:${host.port}${basePath}`;
    realm = await startRealm({ boards: [url], people: { ada: { realmRoles: ['operator'] } } });
    auth = createAuthMiddleware(
      {
        strategy: 'oidc',
        url: realm.url,
        realm: realm.realm,
        clientId: 'board',
        clientSecret,
        cookie,
        requiredRoles: ['operator'],
      },
      { basePath },
    );
  });
  afterAll(async () => {
    await host.close();
    await realm.close();
  });

  it('logs a browser in and keeps its session, refreshed beside the handler’s own answer', async () => {
    const agent = new Agent();
    realm.behaviour.accessTokenSeconds = 10;
    const answer = await logIn(agent, `${url}/queue/a`, 'ada');
    expect([answer.status, answer.headers.location]).toEqual([302, `${basePath}/queue/a`]);
    advanceClock(11_000);
    const api = await agent.ask(`${url}/api/queues`);
    expect(api.json()).toMatchObject({ user: { username: 'ada', roles: ['operator'] } });
    expect(api.cookies).toEqual([expect.stringContaining('board_session=')]);
    const out = await agent.ask(`${url}/auth/logout`);
    expect(out.headers.location).toContain(`${realm.issuer}/session/end?`);
  });

  it('lets a bearer token of the realm through, and no other', async () => {
    const good = await realm.sign({ realm_access: { roles: ['operator'] } });
    const ok = await ask(`${url}/api/queues`, { headers: { authorization: `Bearer ${good}` } });
    expect(ok.status).toBe(200);
    const roleless = await realm.sign({});
    const no = await ask(`${url}/api/queues`, { headers: { authorization: `Bearer ${roleless}` } });
    expect(no.status).toBe(403);
  });
});
