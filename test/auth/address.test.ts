/** Where the board is said to be: base paths, public addresses, and headers of proxies. */

import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import express from 'express';
import { listen } from '../listening.ts';
import { ask, navigation } from './support/agent.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

/** The redirect address that the provider is told, and whether the cookie asks for https. */
async function told(headers: Record<string, string>): Promise<[string | null, boolean]> {
  const { port } = setting.board;
  const answer = await ask(
    { port, path: '/admin/queues/' },
    { headers: { ...navigation, ...headers } },
  );
  const to = new URL(answer.headers.location ?? '');
  const secure = answer.cookies[0]?.endsWith('; Secure') ?? false;
  return [to.searchParams.get('redirect_uri'), secure];
}

const callback = '/admin/queues/auth/callback';

describe('without publicUrl the address is the request’s', () => {
  it('by Host, and by what a proxy says', async () => {
    setting.board.protect(setting.options({ trustProxy: 1 }));
    expect(await told({ host: 'a.test' })).toEqual([`http://a.test${callback}`, false]);
    const proxy = {
      host: 'a.test',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'b.test:8443',
    };
    expect(await told(proxy)).toEqual([`https://b.test:8443${callback}`, true]);
    const chain = {
      host: 'a.test',
      'x-forwarded-proto': 'https, http',
      'x-forwarded-host': 'first.test , second.test',
    };
    // A proxy appends its item: of one proxy the last is read, of two the one before.
    expect(await told(chain)).toEqual([`http://second.test${callback}`, false]);
    setting.board.protect(setting.options({ trustProxy: 2 }));
    expect(await told(chain)).toEqual([`https://first.test${callback}`, true]);
    const forged = {
      host: 'a.test',
      'x-forwarded-proto': 'http, https, http',
      'x-forwarded-host': 'evil.test, first.test, second.test',
    };
    expect(await told(forged)).toEqual([`https://first.test${callback}`, true]);
    setting.board.protect(setting.options({ trustProxy: 1 }));
    const six = { host: '[::1]:8080', 'x-forwarded-host': '[2001:DB8::1]:8443' };
    expect(await told(six)).toEqual([`http://[2001:db8::1]:8443${callback}`, false]);
    const usual = { 'x-forwarded-proto': 'HTTPS', 'x-forwarded-host': 'B.test:443' };
    expect(await told(usual)).toEqual([`https://b.test${callback}`, true]);
  });

  it.each([{}, { trustProxy: 0 }])('only by Host with %j', async (more) => {
    setting.board.protect(setting.options(more));
    const proxy = { host: 'a.test', 'x-forwarded-proto': 'https', 'x-forwarded-host': 'b.test' };
    expect(await told(proxy)).toEqual([`http://a.test${callback}`, false]);
  });
});

describe('publicUrl', () => {
  it.each([
    ['https://board.example.test/admin/queues', `https://board.example.test${callback}`],
    ['https://board.example.test/admin/queues/', `https://board.example.test${callback}`],
    ['https://board.example.test', `https://board.example.test${callback}`],
    ['https://board.example.test/', `https://board.example.test${callback}`],
  ])('%s makes every header irrelevant', async (publicUrl, expected) => {
    setting.board.protect(setting.options({ publicUrl }));
    const proxy = { host: 'a.test', 'x-forwarded-proto': 'http', 'x-forwarded-host': 'b.test' };
    expect(await told(proxy)).toEqual([expected, true]);
    const out = await ask(`${setting.board.url}/auth/logout`);
    expect(new URL(out.headers.location ?? '').searchParams.get('post_logout_redirect_uri')).toBe(
      'https://board.example.test/admin/queues/',
    );
  });

  it('lends the token form its origin and its path', async () => {
    const { board } = setting;
    board.protect({
      strategy: 'token',
      tokens,
      cookie: { secret: 'the cookie secret of the token tests' },
      publicUrl: 'https://board.example.test/elsewhere',
    });
    const post = (origin: string) =>
      ask(`${board.url}/auth/login`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
        body: `token=${tokens[0]}`,
      });
    const answer = await post('https://board.example.test');
    expect([answer.status, answer.headers.location]).toEqual([303, '/elsewhere/']);
    expect(answer.cookies[0]).toMatch(/Path=\/elsewhere; .*; Secure$/);
    expect((await post(board.origin)).status).toBe(403);
  });
});

describe('the base path', () => {
  it.each(['admin/queues', '/admin/queues/', '//admin//queues//'])(
    'is the same however it is written: %s',
    async (path) => {
      setting.board.protect(setting.options(), path);
      expect(await told({ host: 'a.test' })).toEqual([`http://a.test${callback}`, false]);
    },
  );

  it('does not make the middleware let anything by that lies elsewhere', async () => {
    const { board } = setting;
    board.protect(setting.options());
    for (const path of [
      '/',
      '/other',
      '/admin/queuesx/auth/login',
      '/auth/me',
      '*',
      '//admin/queues/',
    ]) {
      const answer = await ask({ port: board.port, path });
      expect([path, answer.status]).toEqual([path, 401]);
    }
  });

  it('is not a mount path that a browser would resolve to another one', async () => {
    const auth = createAuthMiddleware({
      strategy: 'token',
      tokens,
      cookie: { secret: 'the cookie secret of the mount tests' },
    });
    const host = await listen(express().use('/:tenant/queues', auth));
    const login = async (tenant: string) => {
      const path = `/${tenant}/queues/auth/login`;
      const body = `token=${tokens[0]}`;
      const headers = {
        host: 'a.test',
        origin: 'http://a.test',
        'content-type': 'application/x-www-form-urlencoded',
      };
      const answer = await ask({ port: host.port, path }, { method: 'POST', headers, body });
      return [answer.status, answer.headers.location, answer.cookies[0]];
    };
    expect(await login('ada')).toEqual([
      303,
      '/ada/queues/',
      expect.stringContaining('; Path=/ada/queues;'),
    ]);
    for (const tenant of ['..', '.', '%2e%2E']) {
      expect(await login(tenant)).toEqual([401, undefined, undefined]);
    }
    await host.close();
  });

  it('is also seen in a target that is a whole address', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const path = `http://other.test/admin/queues/auth/login`;
    expect((await ask({ port: board.port, path })).status).toBe(302);
  });
});

it('an impossible configuration fails at the start, and its message holds no value', () => {
  const oidc = { strategy: 'oidc', url: 'https://a.test', realm: 'r', clientId: 'c' } as const;
  const token = { strategy: 'token', tokens: ['hidden-token'] } as const;
  for (const [options, mount] of [
    [null, {}],
    [{ strategy: 'basic' }, {}],
    [{ ...oidc, url: '' }, {}],
    [{ ...oidc, url: 'hidden' }, {}],
    [{ ...oidc, url: 'ftp://hidden' }, {}],
    [{ ...oidc, url: 'http://hidden.test' }, {}],
    [{ ...oidc, url: 'http://localhost.hidden.test' }, {}],
    [{ ...oidc, url: 'http://hiddenlocalhost' }, {}],
    [{ ...oidc, url: 'http://127.0.0.1.hidden.test' }, {}],
    [{ ...oidc, url: 'https://a.test/?hidden=1' }, {}],
    [{ ...oidc, url: 'https://hidden@a.test' }, {}],
    [{ ...oidc, url: 'https://:hidden@a.test' }, {}],
    [{ ...oidc, realm: undefined }, {}],
    [{ ...oidc, clientId: 7 }, {}],
    [{ ...oidc, clientSecret: '' }, {}],
    [{ ...oidc, requiredRole: ['hidden'] }, {}],
    [{ ...oidc, requiredRoles: 'hidden' }, {}],
    [{ ...oidc, requiredRoles: [''] }, {}],
    [{ ...oidc, scope: 'hidden' }, {}],
    [{ ...oidc, audience: [] }, {}],
    [{ ...oidc, clockToleranceSeconds: -1 }, {}],
    [{ ...oidc, clockToleranceSeconds: 601 }, {}],
    [{ ...oidc, clockToleranceSeconds: Number.NaN }, {}],
    [{ ...oidc, publicUrl: '/hidden' }, {}],
    [{ ...oidc, publicUrl: 'https://hidden@a.test/' }, {}],
    [{ ...oidc, publicUrl: 'https://:hidden@a.test/' }, {}],
    [{ ...oidc, publicUrl: 'https://a.test/?hidden' }, {}],
    [{ ...oidc, publicUrl: 'https://a.test/a;hidden' }, {}],
    [{ ...oidc, cookie: { secret: '' } }, {}],
    [{ ...oidc, cookie: { secret: 'hidden', name: 'a b' } }, {}],
    [{ ...oidc, cookie: { secret: 'hidden', maxAgeSeconds: 0.5 } }, {}],
    [{ ...oidc, cookie: { secret: 'hidden', sameSite: 'none' } }, {}],
    [{ ...oidc, cookie: { secret: 'hidden', maxAgeSeconds: 0 } }, {}],
    [{ ...oidc, cookie: { secret: 'hidden', secure: 'yes' } }, {}],
    [{ ...oidc, cookie: null }, {}],
    [{ ...oidc, cookie: ['hidden'] }, {}],
    [{ ...oidc, bearerOnly: 'yes' }, {}],
    [{ ...oidc, tokens: ['hidden'] }, {}],
    [{ ...oidc, onAuthenticated: 'hidden' }, {}],
    [{ strategy: 'token' }, {}],
    [{ strategy: 'token', tokens: [] }, {}],
    [{ strategy: 'token', tokens: ['hidden', ''] }, {}],
    [{ ...token, header: 'hidden header' }, {}],
    [{ ...token, cookie: {} }, {}],
    [{ ...token, user: 'hidden' }, {}],
    [{ ...token, user: ['hidden'] }, {}],
    [{ ...token, user: { username: 7 } }, {}],
    [{ ...token, user: { roles: 'hidden' } }, {}],
    [{ ...token, user: { roles: [7] } }, {}],
    [{ ...token, user: { admin: true } }, {}],
    [{ strategy: 'token', tokens: ['hidden\n'] }, {}],
    [{ strategy: 'token', tokens: 'hidden' }, {}],
    [{ strategy: 'token', tokens: ['x'.repeat(4097)] }, {}],
    [{ strategy: 'token', validate: true }, {}],
    [token, { basePath: '/a;hidden' }],
    [token, { basePath: '/a/../hidden' }],
    [token, { basePath: '/a hidden' }],
    [token, { basePath: 7 }],
    [token, { basepath: '/hidden' }],
    [token, '/hidden'],
    [token, null],
  ] as const) {
    const build = () => Reflect.apply(createAuthMiddleware, undefined, [options, mount]);
    expect(build).toThrow(
      expect.objectContaining({
        code: 'AUTH_CONFIGURATION_INVALID',
        message: expect.not.stringContaining('hidden'),
      }),
    );
  }
  const fine = { ...oidc, url: 'http://keycloak:8080', allowInsecureRequests: true };
  expect(() => createAuthMiddleware({ ...fine, cookie: { secret: 'x' } })).not.toThrow();
});

it('a middleware that somebody prints shows no secret', () => {
  const secrets = { clientSecret: 'hidden client', cookie: { secret: 'hidden cookie' } };
  const oidc = { strategy: 'oidc', url: 'https://a.test', realm: 'r', clientId: 'c' } as const;
  for (const auth of [
    createAuthMiddleware({ ...oidc, ...secrets }),
    createAuthMiddleware({ strategy: 'token', tokens: ['hidden-token'], cookie: secrets.cookie }),
  ]) {
    expect(inspect(auth, { depth: 20, showHidden: true })).not.toContain('hidden');
  }
});
