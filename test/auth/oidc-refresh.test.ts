/** Sessions of `oidc` over time: silent refresh, its failures, and sessions that cannot be refreshed. */

import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

/** A session whose access token holds for a second, once it has gone by. */
async function expired(account = 'ada'): Promise<Agent> {
  const { board, realm } = setting;
  realm.behaviour.accessTokenSeconds = 1;
  board.protect(setting.options());
  const agent = new Agent();
  await logIn(agent, `${board.url}/`, account);
  await pause(1_100);
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

  it('keeps the refresh and ID tokens that the answer leaves out', async () => {
    const { board, realm } = setting;
    realm.behaviour.rotateRefreshTokens = false;
    const agent = await expired();
    realm.behaviour.accessTokenSeconds = 1;
    for (let turn = 0; turn < 2; turn += 1) {
      expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
      await pause(1_100);
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
    expect(api.cookies).toEqual([
      'board_session=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Lax',
    ]);
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
  it('lives as long as the cookie', async () => {
    const { board, realm } = setting;
    Object.assign(realm.behaviour, { refreshTokens: false });
    const agent = await expired();
    const answer = await agent.ask(`${board.url}/api/queues`);
    expect([answer.status, answer.cookies]).toEqual([200, []]);
  });

  it('or as long as the provider says', async () => {
    const { board, realm } = setting;
    Object.assign(realm.behaviour, { refreshTokens: false, refreshExpiresIn: 1 });
    const agent = await expired();
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(401);
  });
});
