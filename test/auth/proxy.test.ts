/** Behind proxies that strip a prefix, and under mounts: the path that browsers see and the one that arrives here. */

import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import express from 'express';
import fastify from 'fastify';
import { afterEach, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware, AuthMount, OidcOptions } from '../../src/auth/index.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { protectedHandler } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { startProxy } from './support/proxy.ts';
import { clientSecret, startRealm } from './support/realm.ts';
import { keepsSecrets, printed, secret } from './support/transcript.ts';

keepsSecrets();
const cookie = { secret: secret('the cookie secret of the proxy tests') };
const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});

async function listen(listener: RequestListener): Promise<number> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  closing.push(
    () => new Promise((resolve) => (server.close(resolve), server.closeAllConnections())),
  );
  return (server.address() as AddressInfo).port;
}

/** Under Express, mounted at a path, or before everything. */
const underExpress =
  (mount: string) =>
  (auth: AuthMiddleware): Promise<number> => {
    const app = express();
    app.use(mount, auth, (request, response) => {
      request.url = request.originalUrl;
      protectedHandler(request, response);
    });
    return listen(app);
  };

const plain = (auth: AuthMiddleware): Promise<number> =>
  listen((request, response) => {
    void auth(request, response, () => protectedHandler(request, response));
  });

interface Setup {
  readonly prefix: string;
  /** The text that replaces the prefix in the proxy. */
  readonly inside: string;
  readonly mount: AuthMount;
  readonly publicUrl?: string;
  start(auth: AuthMiddleware): Promise<number>;
}

const setups: Record<string, Setup> = {
  'the whole prefix stripped, plain Node': {
    prefix: '/admin/queues',
    inside: '',
    mount: {},
    publicUrl: '/admin/queues',
    start: plain,
  },
  'a part stripped, mounted in Express': {
    prefix: '/admin/queues',
    inside: '/queues',
    mount: {},
    publicUrl: '/admin/queues',
    start: underExpress('/queues'),
  },
  'a part stripped, mounted in Express, base path as browsers see it': {
    prefix: '/admin/queues',
    inside: '/queues',
    mount: { basePath: '/admin/queues' },
    start: underExpress('/queues'),
  },
  'another path inside, by base path': {
    prefix: '/tools/board',
    inside: '/internal/queues',
    mount: { basePath: '/internal/queues' },
    publicUrl: '/tools/board',
    start: plain,
  },
  'nothing stripped, mounted in Express without a base path': {
    prefix: '/admin/queues',
    inside: '/admin/queues',
    mount: {},
    start: underExpress('/admin/queues'),
  },
  'nothing stripped, before a router of Express that is mounted less deep': {
    prefix: '/admin/queues',
    inside: '/admin/queues',
    mount: { basePath: '/admin/queues' },
    start: underExpress('/admin'),
  },
};

describe.each(Object.entries(setups))('%s', (_name, setup) => {
  const { prefix, inside, mount, publicUrl, start } = setup;

  it('a provider logs in and out, and the cookie comes back', async () => {
    const proxy = await startProxy(prefix);
    closing.push(() => proxy.close());
    const realm = await startRealm({ boards: [proxy.url], people: { ada: {} } });
    closing.push(() => realm.close());
    const options: OidcOptions = {
      strategy: 'oidc',
      url: realm.url,
      realm: realm.realm,
      clientId: 'board',
      clientSecret,
      cookie,
      ...(publicUrl === undefined ? {} : { publicUrl: new URL(publicUrl, proxy.url).href }),
    };
    proxy.targets.push({ port: await start(createAuthMiddleware(options, mount)), path: inside });
    const agent = new Agent();
    const answer = await logIn(agent, `${proxy.url}/queue/mail?page=2`, 'ada');
    expect([answer.status, answer.headers.location]).toEqual([302, `${prefix}/queue/mail?page=2`]);
    expect(answer.cookies.at(-1)).toContain(`; Path=${prefix}; `);
    const me = await agent.ask(`${proxy.url}/auth/me`);
    expect(me.json()).toMatchObject({ logoutUrl: `${prefix}/auth/logout` });
    expect((await agent.ask(`${proxy.url}/api`)).json()).toMatchObject({
      served: `${inside}/api`,
      user: { username: 'ada' },
    });
    const out = await agent.ask(`${proxy.url}/auth/logout`);
    expect(new URL(out.headers.location ?? '').searchParams.get('post_logout_redirect_uri')).toBe(
      `${proxy.url}/`,
    );
    expect((await agent.ask(`${proxy.url}/api`)).status).toBe(401);
  });

  it('the form of a token is posted to and leads to paths that browsers know', async () => {
    const proxy = await startProxy(prefix);
    closing.push(() => proxy.close());
    const token = secret('the-token-of-the-proxy-tests-0123456789');
    const auth = createAuthMiddleware(
      {
        strategy: 'token',
        tokens: [token],
        cookie,
        ...(publicUrl === undefined ? {} : { publicUrl: new URL(publicUrl, proxy.url).href }),
      },
      mount,
    );
    proxy.targets.push({ port: await start(auth), path: inside });
    const agent = new Agent();
    const page = await agent.ask(`${proxy.url}/queue/a`, { headers: navigation });
    const form = await agent.ask(new URL(page.headers.location ?? '', proxy.url).href);
    expect(form.body).toContain(`action="${prefix}/auth/login"`);
    const entered = await agent.ask(`${proxy.url}/auth/login`, {
      method: 'POST',
      headers: {
        origin: new URL(proxy.url).origin,
        'content-type': 'application/x-www-form-urlencoded',
      },
      body: new URLSearchParams({ token, returnTo: `${prefix}/queue/a` }).toString(),
    });
    expect([entered.status, entered.headers.location]).toEqual([303, `${prefix}/queue/a`]);
    expect((await agent.ask(`${proxy.url}/auth/me`)).status).toBe(200);
  });
});

describe('a base path that was forgotten', () => {
  it('is noticed where the framework does not say what the mount is', async () => {
    const auth = createAuthMiddleware({ strategy: 'token', tokens: ['x'.repeat(40)] });
    const app = fastify();
    await app.register(
      async (scope) => {
        scope.addHook('onRequest', async (request, reply) => {
          if (await auth.handle(request.raw, reply.raw)) reply.hijack();
        });
        scope.get('/*', async () => 'served');
      },
      { prefix: '/admin/queues' },
    );
    await app.listen({ port: 0, host: '127.0.0.1' });
    closing.push(() => app.close());
    const { port } = app.server.address() as AddressInfo;
    printed.length = 0;
    await ask({ port, path: '/admin/queues/api/queues' });
    expect(printed).toEqual([]);
    for (let turn = 0; turn < 2; turn += 1) await ask({ port, path: '/admin/queues/auth/me' });
    expect(printed).toEqual([expect.stringContaining('Set `basePath`')]);
  });

  it('a client’s spelling of the mount leads nowhere else', async () => {
    const auth = createAuthMiddleware({ strategy: 'token', tokens: ['x'.repeat(40)], cookie });
    const app = express();
    app.use('/{*any}', auth);
    const port = await listen(app);
    for (const path of ['//evil.test/x', '/%2e%2e/x', '/a;b/x', '/%5cevil.test/x']) {
      const answer = await ask({ port, path }, { headers: navigation });
      expect([path, answer.headers.location ?? '']).toEqual([
        path,
        expect.stringMatching(/^(\/(?![/\\])[^;\\]*auth\/login.*)?$/),
      ]);
    }
  });
});
