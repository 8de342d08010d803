/** How long sessions hold: since the login, without use, and through changes of the secret. */

import { afterEach, describe, expect, it, vi } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthOptions, CookieOptions } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { printed, secret } from './support/transcript.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const first = secret('the first secret of the tests, random');
const second = secret('the second secret of these tests, 42');
afterEach(() => vi.unstubAllEnvs());

const enterBy: Record<string, (cookie: CookieOptions) => Promise<Agent>> = {
  async oidc(cookie) {
    setting.board.protect(setting.options({ cookie }));
    const agent = new Agent();
    await logIn(agent, `${setting.board.url}/`, 'ada');
    return agent;
  },
  async token(cookie) {
    const { board } = setting;
    board.protect({ strategy: 'token', tokens, cookie });
    const agent = new Agent();
    await agent.ask(`${board.url}/auth/login`, {
      method: 'POST',
      headers: { origin: board.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${tokens[0]}`,
    });
    return agent;
  },
};

describe.each(Object.entries(enterBy))('a session of %s', (_strategy, enter) => {
  const statusOf = async (agent: Agent) =>
    (await agent.ask(`${setting.board.url}/api/queues`)).status;

  it.each([undefined, 20])(
    'ends after maxAgeSeconds, whatever the browser keeps and however often it is used, with idleSeconds %s',
    async (idleSeconds) => {
      setting.realm.behaviour.accessTokenSeconds = 10;
      const agent = await enter({ secret: first, maxAgeSeconds: 30, idleSeconds });
      const statuses: number[] = [];
      for (let turn = 0; turn < 5; turn += 1) {
        advanceClock(8_000);
        statuses.push(await statusOf(agent));
      }
      expect(statuses.slice(0, 2)).toEqual([200, 200]);
      expect(statuses.at(-1)).toBe(401);
    },
  );

  it('ends without use, and goes on with it', async () => {
    const cookie = { secret: first, idleSeconds: 30 };
    const used = await enter(cookie);
    const kept = `board_session=${used.cookie('board_session')}`;
    const idle = new Agent();
    idle.setCookie('board_session', used.cookie('board_session'), '/admin/queues');
    for (let turn = 0; turn < 4; turn += 1) {
      advanceClock(11_000);
      expect(await statusOf(used)).toBe(200);
    }
    // The cookie was sealed anew on the way; the first one has ended.
    expect(`board_session=${used.cookie('board_session')}`).not.toBe(kept);
    expect(await statusOf(idle)).toBe(401);
  });

  it('opens with every secret of the list, and is sealed with the first', async () => {
    const { board } = setting;
    const protect = (secrets: readonly string[]) =>
      board.protect(
        _strategy === 'oidc'
          ? setting.options({ cookie: { secret: secrets } })
          : { strategy: 'token', tokens, cookie: { secret: secrets } },
      );
    const before = await enter({ secret: first });
    protect([second, first]);
    expect(await statusOf(before)).toBe(200);
    const after = await enter({ secret: [second, first] });
    protect([second]);
    expect([await statusOf(before), await statusOf(after)]).toEqual([401, 200]);
  });
});

describe('a secret that can be guessed', () => {
  const oidc = {
    strategy: 'oidc',
    issuer: 'https://a.test',
    clientId: 'c',
    clientSecret: 'c'.repeat(40),
  } as const;
  const told = (options: AuthOptions): string[] => {
    printed.length = 0;
    createAuthMiddleware(options);
    return [...printed];
  };

  it('is warned of at boot, without its value', () => {
    const weak = [expect.stringMatching(/^sluice\/auth: "cookie.secret" is weak/)];
    for (const value of ['short', 'a'.repeat(64), 'abcabcabc'.repeat(9), [first, 'short']]) {
      expect(told({ ...oidc, cookie: { secret: value } })).toEqual(weak);
    }
    expect(told({ ...oidc, cookie: { secret: [first, second] } })).toEqual([]);
    expect(told(oidc)).toEqual([expect.stringContaining('"clientSecret" is weak')]);
    expect(told({ ...oidc, bearerOnly: true })).toEqual([]);
    expect(told({ strategy: 'token', tokens: ['admin'] })).toEqual([
      expect.stringContaining('"tokens" is weak'),
    ]);
    expect(told({ strategy: 'token', tokens, cookie: { secret: first } })).toEqual([]);
  });

  it('is refused in production when it is shorter than 16 characters', () => {
    vi.stubEnv('NODE_ENV', 'production');
    for (const options of [
      { ...oidc, cookie: { secret: 'abcdefghijklmno' } },
      { ...oidc, cookie: { secret: [first, 'abcdefghijklmno'] } },
      { ...oidc, clientSecret: 'abcdefghijklmno' },
      { strategy: 'token', tokens, cookie: { secret: 'abcdefghijklmno' } },
    ] as AuthOptions[]) {
      expect(() => createAuthMiddleware(options)).toThrow(
        expect.objectContaining({
          code: 'AUTH_CONFIGURATION_INVALID',
          message: expect.not.stringContaining('abcdef'),
        }),
      );
    }
    createAuthMiddleware({ ...oidc, cookie: { secret: 'abcdefghijklmnop' } });
    createAuthMiddleware({ ...oidc, clientSecret: 'short', bearerOnly: true });
  });
});

it('a cookie that no browser would keep is refused at boot', async () => {
  const oidc = { strategy: 'oidc', issuer: 'https://a.test', clientId: 'c' } as const;
  for (const [options, mount] of [
    [{ publicUrl: 'http://board.test', cookie: { secret: first, secure: true } }, {}],
    [{ cookie: { secret: first, name: '__Host-board', secure: false } }, {}],
    [{ cookie: { secret: first, name: '__Host-board' } }, { basePath: '/admin' }],
    [{ publicUrl: 'https://a.test/x', cookie: { secret: first, name: '__Host-board' } }, {}],
  ] as const) {
    expect(() => createAuthMiddleware({ ...oidc, ...options }, mount)).toThrow('must');
  }
  const { board } = setting;
  board.protect(
    setting.options({ cookie: { secret: first, name: '__Host-board' }, publicUrl: board.origin }),
    { basePath: '/' },
  );
  const answer = await ask(`${board.origin}/auth/login`);
  expect(answer.cookies[0]).toMatch(/^__Host-board_flow_.*; Path=\/; .*; Secure$/);
});
