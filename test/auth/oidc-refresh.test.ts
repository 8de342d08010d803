/** Sessions of `oidc` over time: silent refresh, its failures, and sessions that cannot be refreshed. */

import { describe, expect, it } from 'vitest';
import type { OidcOptions } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const removed = 'board_session=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Lax';

/** Claims that a forged answer holds beside the usual ones; without an ID token where it is `null`. */
interface Tokens {
  readonly id: Readonly<Record<string, unknown>> | null;
  readonly access: Readonly<Record<string, unknown>>;
}

/** A session whose access token holds for ten seconds, once it has gone by. */
async function expired(account = 'ada', more: Partial<OidcOptions> = {}): Promise<Agent> {
  const { board, realm } = setting;
  realm.behaviour.accessTokenSeconds = 10;
  board.protect(setting.options(more));
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, account);
  advanceClock(11_000);
  realm.behaviour.accessTokenSeconds = 300;
  return agent;
}

describe('an expired session', () => {
  it('is refreshed inside the request, with a new cookie', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const before = agent.cookie('board_session');
    const tokens = realm.counts.tokens;
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect(answer.json()).toMatchObject({ user: { username: 'ada', roles: ['operator'] } });
    expect(answer.cookies).toEqual([
      expect.stringMatching(/^board_session=[\w.-]+; Path=\/admin\/queues; Max-Age=28800; /),
    ]);
    expect(agent.cookie('board_session')).not.toBe(before);
    expect((await agent.ask(`${board.url}/api/queues`)).cookies).toEqual([]);
    expect(realm.counts.tokens).toBe(tokens + 1);
  });

  it('is refreshed once for all requests that find it, with tokens that may be used once', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const cookie = `board_session=${agent.cookie('board_session')}`;
    const tokens = realm.counts.tokens;
    const together = await Promise.all(
      Array.from({ length: 8 }, () => ask(`${board.url}/api/queues`, { headers: { cookie } })),
    );
    expect(together.map((answer) => answer.status)).toEqual(Array.from({ length: 8 }, () => 200));
    const late = await ask(`${board.url}/api/queues`, { headers: { cookie } });
    expect(late.status).toBe(200);
    expect(late.cookies[0]).toBe(together[0]?.cookies[0]);
    expect(realm.counts.tokens).toBe(tokens + 1);
    // The token that was rotated in still works: the provider saw no second use of the old one.
    const [, value] = /board_session=([^;]+)/.exec(late.cookies[0] ?? '') ?? [];
    const next = await ask(`${board.url}/api/queues`, {
      headers: { cookie: `board_session=${value}` },
    });
    expect(next.status).toBe(200);
  });

  it('is refreshed again for an old cookie once what it was refreshed to has expired too', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
    realm.behaviour.accessTokenSeconds = 10;
    expect((await ask(`${board.url}/api/queues`, { headers })).status).toBe(200);
    advanceClock(11_000);
    // The old refresh token has been used: a second use would end the session at the provider.
    const tokens = realm.counts.tokens;
    const together = await Promise.all(
      Array.from({ length: 8 }, () => ask(`${board.url}/api/queues`, { headers })),
    );
    expect(new Set(together.map((answer) => answer.status))).toEqual(new Set([200]));
    expect(new Set(together.map((answer) => answer.cookies[0])).size).toBe(1);
    expect(realm.counts.tokens).toBe(tokens + 1);
    advanceClock(11_000);
    await realm.revokeAll();
    expect((await ask(`${board.url}/api/queues`, { headers })).status).toBe(401);
  });

  it('does not come back with an old cookie after the logout', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
    expect((await agent.ask(`${board.url}/auth/logout`)).status).toBe(302);
    const tokens = realm.counts.tokens;
    const answer = await ask(`${board.url}/api/queues`, { headers });
    expect([answer.status, answer.cookies]).toEqual([401, [removed]]);
    expect(realm.counts.tokens).toBe(tokens);
  });

  it('does not come back by a refresh that was under way at the logout', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
    let goOn = (): void => {};
    const refreshing = new Promise<void>((begun) => {
      realm.behaviour.changeGrant = () => {
        begun();
        return new Promise<void>((resolve) => (goOn = resolve));
      };
    });
    const slow = ask(`${board.url}/api/queues`, { headers });
    await refreshing;
    expect((await ask(`${board.url}/auth/logout`, { headers })).cookies).toEqual([removed]);
    goOn();
    const answer = await slow;
    expect([answer.status, answer.cookies]).toEqual([401, [removed]]);
  });

  it('keeps its refresh token while the keys for the answer cannot be had', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    board.protect(setting.options());
    realm.behaviour.brokenKeys = true;
    const tokens = realm.counts.tokens;
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies, realm.counts.tokens]).toEqual([503, [], tokens]);
    realm.behaviour.brokenKeys = false;
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
  });

  it.each<[string, Tokens]>([
    ['another subject', { id: { sub: 'eve' }, access: { sub: 'eve' } }],
    ['another subject in the access token alone', { id: null, access: { sub: 'eve' } }],
    ['another issuer', { id: { iss: 'https://evil.test/realms/demo' }, access: {} }],
    ['another audience', { id: { aud: 'another' }, access: {} }],
    ['no expiry', { id: { exp: undefined }, access: {} }],
    ['an expiry that is past', { id: { exp: 1_000_000_000 }, access: {} }],
  ])('ends when the answer speaks of %s', async (_what, { id, access }) => {
    const { board, realm } = setting;
    const agent = await expired();
    realm.behaviour.changeGrant = async (answer) => {
      const usual = { sub: 'ada', aud: 'board' };
      answer['access_token'] = await realm.sign({ ...usual, ...access });
      answer['id_token'] = id === null ? undefined : await realm.sign({ ...usual, ...id });
    };
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies]).toEqual([401, [removed]]);
    expect(board.reported).toHaveLength(1);
  });

  it('keeps the refresh and ID tokens that the answer leaves out', async () => {
    const { board, realm } = setting;
    realm.behaviour.rotateRefreshTokens = false;
    const agent = await expired();
    realm.behaviour.accessTokenSeconds = 10;
    realm.behaviour.changeGrant = (answer) => {
      delete answer['refresh_token'];
      delete answer['id_token'];
    };
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
      advanceClock(11_000);
    }
    const out = await agent.ask(`${board.url}/auth/logout`);
    expect(out.headers.location).toContain('id_token_hint=');
  });

  it('takes the roles that the user has now', async () => {
    const { board } = setting;
    const agent = await expired();
    board.protect(setting.options({ requiredRoles: ['operator'] }));
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
  });

  it('that was revoked is removed: 401 for a program, the login for a browser', async () => {
    const { board, realm } = setting;
    const agent = await expired();
    const cookie = `board_session=${agent.cookie('board_session')}`;
    await realm.revokeAll();
    const api = await ask(`${board.url}/api/queues`, { headers: { cookie } });
    expect(api.status).toBe(401);
    expect(api.cookies).toEqual([removed]);
    const page = await ask(`${board.url}/`, { headers: { ...navigation, cookie } });
    expect(page.status).toBe(302);
    expect(page.headers.location).toContain(`${realm.issuer}/auth?`);
    expect(page.cookies[0]).toContain('board_session=; ');
    expect(board.reported.map(String)).toContain(
      'AuthProviderError: The identity provider did not serve refresh: invalid_grant, status 400',
    );
  });

  it('of a long ID token is refreshed all the same: the refresh token was kept', async () => {
    const agent = await expired('eve');
    expect((await agent.ask(`${setting.board.url}/api/queues`)).status).toBe(200);
  });
});

describe('a session without a refresh token', () => {
  it('ends with its access token', async () => {
    const { board, realm } = setting;
    Object.assign(realm.behaviour, { refreshTokens: false });
    const agent = await expired();
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies]).toEqual([401, [removed]]);
  });

  it('lives as long as the cookie where the host says so', async () => {
    const { board, realm } = setting;
    Object.assign(realm.behaviour, { refreshTokens: false });
    const agent = await expired('ada', { outliveAccessToken: true });
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies]).toEqual([200, []]);
  });

  it('or as long as the provider says', async () => {
    const { board, realm } = setting;
    Object.assign(realm.behaviour, { refreshTokens: false, refreshExpiresIn: 1 });
    const agent = await expired('ada', { outliveAccessToken: true });
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(401);
  });
});
