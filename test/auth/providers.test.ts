/** Providers that differ as Keycloak, Entra, Google, Okta and Auth0 do: login, refresh, logout and bearer on each. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthClaims, OidcOptions } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { startProvider } from './support/any-provider.ts';
import type { AnyProvider, Manner } from './support/any-provider.ts';
import { startBoard } from './support/board.ts';
import type { Board } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { clientSecret } from './support/realm.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

keepsSecrets();
const cookie = { secret: secret('the cookie secret of the provider tests') };
const list = (claim: string) => (claims: AuthClaims) =>
  (Array.isArray(claims[claim]) ? claims[claim] : []) as string[];

interface Case {
  readonly manner: Manner;
  readonly options: (issuer: string, origin: string) => Partial<OidcOptions>;
  readonly user: object;
  /** How the client proves its secret. */
  readonly proof: 'Basic' | 'body' | 'signature';
  readonly bearer: 200 | 401;
}

const person = { preferred_username: 'ada', name: 'Ada Lovelace' };
const verified = { email: 'ada@example.test', email_verified: true };

const cases: Record<string, Case> = {
  Keycloak: {
    manner: {
      issuerPath: '/realms/company',
      clientAuthentication: ['client_secret_basic', 'client_secret_post'],
      endSession: true,
      accessToken: 'jwt',
      rotates: false,
      idClaims: { ...person, ...verified },
      accessClaims: ({ client_id: _client, ...claims }) => ({
        ...claims,
        typ: 'Bearer',
        azp: 'board',
        aud: 'account',
        realm_access: { roles: ['operator'] },
        resource_access: { board: { roles: ['admin'] } },
      }),
    },
    options: (_issuer, origin) => ({
      url: origin,
      realm: 'company',
      clientAuthentication: 'client_secret_basic',
    }),
    user: { id: 'ada', username: 'ada', email: 'ada@example.test', roles: ['operator', 'admin'] },
    proof: 'Basic',
    bearer: 200,
  },
  Entra: {
    manner: {
      issuerPath: '/0b1c2d3e-tenant/v2.0',
      clientAuthentication: ['client_secret_post'],
      endSession: true,
      accessToken: 'jwt',
      rotates: true,
      // Entra does not say whether an address is verified, and tenants may write any.
      idClaims: {
        ...person,
        email: 'ceo@example.test',
        tid: '0b1c2d3e-tenant',
        roles: ['Queue.Admin'],
      },
      accessClaims: ({ client_id: _client, ...claims }) => ({
        ...claims,
        ver: '2.0',
        aud: 'board',
        azp: 'board',
        roles: ['Queue.Admin'],
      }),
    },
    options: (issuer) => ({ issuer, roles: list('roles'), requiredRoles: ['Queue.Admin'] }),
    user: { id: 'ada', username: 'ada', roles: ['Queue.Admin'] },
    proof: 'body',
    bearer: 200,
  },
  Google: {
    manner: {
      issuerPath: '/',
      clientAuthentication: ['client_secret_post', 'client_secret_basic'],
      endSession: false,
      accessToken: 'opaque',
      offlineByParameter: true,
      rotates: false,
      idClaims: { name: 'Ada Lovelace', ...verified, hd: 'example.test' },
      accessClaims: (claims) => claims,
    },
    options: (issuer) => ({
      issuer: issuer.replace(/\/$/, ''),
      authorizeParameters: { access_type: 'offline' },
      onAuthenticated: (_user, _request, claims) => claims['hd'] === 'example.test',
    }),
    user: { id: 'ada', username: 'ada@example.test', email: 'ada@example.test', roles: [] },
    proof: 'body',
    bearer: 401,
  },
  Okta: {
    manner: {
      issuerPath: '/oauth2/default',
      clientAuthentication: ['client_secret_basic'],
      endSession: true,
      accessToken: 'jwt',
      rotates: true,
      idClaims: { ...person, ...verified, groups: ['board-users'] },
      // The subject is the user's name there, and that of the ID token is `uid`.
      accessClaims: ({ sub, client_id: _client, ...claims }) => ({
        ...claims,
        sub: `${sub}@example.test`,
        uid: sub,
        cid: 'board',
        aud: 'api://default',
        groups: ['board-users'],
      }),
    },
    options: (issuer) => ({ issuer, audience: 'api://default', roles: list('groups') }),
    user: { id: 'ada', username: 'ada', email: 'ada@example.test', roles: ['board-users'] },
    proof: 'Basic',
    bearer: 200,
  },
  Auth0: {
    manner: {
      issuerPath: '/',
      clientAuthentication: ['client_secret_basic', 'client_secret_post'],
      endSession: true,
      accessToken: 'jwt',
      rotates: true,
      idClaims: { nickname: 'ada', name: 'Ada Lovelace', ...verified },
      accessClaims: ({ client_id: _client, ...claims }) => ({
        ...claims,
        azp: 'board',
        aud: ['https://board.example.test/api', 'https://auth.example.test/userinfo'],
        'https://example.test/roles': ['operator'],
      }),
    },
    options: (issuer) => ({
      issuer,
      clientAuthentication: 'client_secret_basic',
      audience: 'https://board.example.test/api',
      authorizeParameters: { audience: 'https://board.example.test/api' },
      roles: list('https://example.test/roles'),
      requiredRoles: ['operator'],
    }),
    user: {
      id: 'ada',
      username: 'ada@example.test',
      email: 'ada@example.test',
      roles: ['operator'],
    },
    proof: 'Basic',
    bearer: 200,
  },
  'one that wants a signature': {
    manner: {
      issuerPath: '/signed',
      clientAuthentication: ['client_secret_jwt'],
      endSession: true,
      accessToken: 'jwt',
      rotates: true,
      idClaims: { ...person, ...verified },
      accessClaims: (claims) => ({ ...claims, aud: 'board' }),
    },
    options: (issuer) => ({ issuer }),
    user: { id: 'ada', username: 'ada', email: 'ada@example.test', roles: [] },
    proof: 'signature',
    bearer: 200,
  },
};

describe.each(Object.entries(cases))(
  'a provider as %s',
  (_name, { manner, options, ...expected }) => {
    let board: Board;
    let provider: AnyProvider;
    beforeAll(async () => {
      board = await startBoard();
      provider = await startProvider(board.url, manner);
      const own = options(provider.issuer, provider.origin);
      board.protect({ strategy: 'oidc', clientId: 'board', clientSecret, cookie, ...own });
    });
    afterAll(async () => {
      await board.close();
      await provider.close();
    });

    it('logs in, refreshes and logs out', async () => {
      const agent = new Agent();
      const answer = await logIn(agent, `${board.url}/queue/a`, 'ada');
      expect([answer.status, answer.headers.location]).toEqual([302, '/admin/queues/queue/a']);
      const me = async () => (await agent.ask(`${board.url}/auth/me`)).json();
      expect(await me()).toMatchObject({ user: expected.user });
      expect(JSON.stringify(await me())).not.toContain('ceo@');
      for (let turn = 0; turn < 2; turn += 1) {
        advanceClock(11_000);
        const before = agent.cookie('board_session');
        expect(await me()).toMatchObject({ user: expected.user });
        expect(agent.cookie('board_session')).not.toBe(before);
      }
      expect(new Set(provider.provenBy)).toEqual(new Set([expected.proof]));
      const parameters = options(provider.issuer, provider.origin).authorizeParameters ?? {};
      expect(Object.fromEntries(provider.authorized.at(-1) ?? [])).toMatchObject({
        ...parameters,
        response_type: 'code',
        code_challenge_method: 'S256',
      });
      const out = await agent.ask(`${board.url}/auth/logout`, { headers: navigation });
      if (manner.endSession) {
        expect([out.status, out.headers.location]).toEqual([
          302,
          expect.stringContaining('/session/end?'),
        ]);
      } else expect([out.status, out.body.includes('Signed out')]).toEqual([200, true]);
      expect((await agent.ask(`${board.url}/api`)).status).toBe(401);
      expect(board.reported).toEqual([]);
    });

    it('issues bearer tokens that are good, where they can be read', async () => {
      const authorization = `Bearer ${await provider.accessToken()}`;
      const answer = await ask(`${board.url}/auth/me`, { headers: { authorization } });
      expect(answer.status).toBe(expected.bearer);
    });
  },
);

describe('the options of a provider', () => {
  const base = { strategy: 'oidc', clientId: 'c', clientSecret: 'x'.repeat(40) } as const;
  it.each<[string, object]>([
    ['neither issuer nor url', {}],
    ['both of them', { issuer: 'https://a.test', url: 'https://a.test', realm: 'r' }],
    ['a url without a realm', { url: 'https://a.test' }],
    ['an issuer over plain http', { issuer: 'http://a.test' }],
    ['an issuer with a query', { issuer: 'https://a.test/?x' }],
    [
      'a parameter of the protocol',
      { issuer: 'https://a.test', authorizeParameters: { state: 'x' } },
    ],
    ['a response mode', { issuer: 'https://a.test', authorizeParameters: { response_mode: 'x' } }],
    ['an unknown proof', { issuer: 'https://a.test', clientAuthentication: 'none' }],
  ])('cannot be %s', (_what, more) => {
    expect(() => createAuthMiddleware({ ...base, ...more } as OidcOptions)).toThrow(
      expect.objectContaining({ code: 'AUTH_CONFIGURATION_INVALID' }),
    );
  });
});
