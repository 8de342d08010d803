/** The strategy `oidc` with a script: bearer tokens of the realm. */

import { describe, expect, it } from 'vitest';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

async function statusOf(token: string): Promise<number> {
  return (await ask(`${setting.board.url}/api/queues`, bearer(token))).status;
}

describe('a bearer token', () => {
  it('that the provider issued is let through, without a cookie', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ requiredRoles: ['operator'] }));
    await logIn(new Agent(), `${board.url}/`, 'ada');
    const token = String(realm.grants.at(-1)?.['access_token']);
    const answer = await ask(`${board.url}/auth/me`, bearer(token));
    expect(answer.cookies).toEqual([]);
    expect(answer.json()).toEqual({
      strategy: 'oidc',
      user: { id: 'ada', username: 'ada', roles: ['operator'] },
      logoutUrl: null,
    });
  });

  it('is meant for us by azp, or by aud, alone or in a list', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    expect(await statusOf(await realm.sign({}))).toBe(200);
    expect(await statusOf(await realm.sign({ aud: 'board' }, { without: ['azp'] }))).toBe(200);
    expect(await statusOf(await realm.sign({ aud: ['x', 'board'], azp: 'y' }))).toBe(200);
    expect(await statusOf(await realm.sign({ aud: 'x', azp: 'y' }))).toBe(401);
  });

  it.each([['the-api'], [['first', 'the-api']]])(
    'may be meant for the audience of the options: %s',
    async (audience) => {
      const { board, realm } = setting;
      board.protect(setting.options({ audience }));
      expect(await statusOf(await realm.sign({ aud: 'the-api' }))).toBe(200);
      expect(await statusOf(await realm.sign({}))).toBe(401);
    },
  );

  it('may be off by the tolerated seconds', async () => {
    const { board, realm } = setting;
    const now = Math.floor(Date.now() / 1000);
    const late = await realm.sign({ exp: now - 20 });
    const early = await realm.sign({ nbf: now + 20 });
    board.protect(setting.options());
    expect([await statusOf(late), await statusOf(early)]).toEqual([200, 200]);
    board.protect(setting.options({ clockToleranceSeconds: 5 }));
    expect([await statusOf(late), await statusOf(early)]).toEqual([401, 401]);
  });

  it('names its user by what people know', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    for (const [claims, username] of [
      [{ preferred_username: 'ada', email: 'a@example.test' }, 'ada'],
      [{ email: 'a@example.test', email_verified: true }, 'a@example.test'],
      // Anybody may write another's address into an account that nobody checks.
      [{ email: 'a@example.test' }, 'script'],
      [{ email: 'a@example.test', email_verified: false }, 'script'],
      [{}, 'script'],
    ] as const) {
      const answer = await ask(`${board.url}/auth/me`, bearer(await realm.sign(claims)));
      expect(answer.json()).toMatchObject({ user: { username } });
    }
  });

  it('without a required role is 403, also for a browser', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ requiredRoles: ['admin'] }));
    const roles = {
      realm_access: { roles: ['user', 7] },
      resource_access: { x: { roles: ['admin'] } },
    };
    const refused = bearer(await realm.sign(roles));
    const answer = await ask(`${board.url}/api/queues`, refused);
    // A token that is known has no more rights than before.
    expect((await ask(`${board.url}/api/queues`, refused)).status).toBe(403);
    expect(answer.status).toBe(403);
    expect(answer.json()).toEqual({ error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' });
    const admin = { resource_access: { board: { roles: ['admin'] } } };
    expect(await statusOf(await realm.sign(admin))).toBe(200);
  });

  it('that is bad is 401 even for a navigation and beside a good session', async () => {
    const { board } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    for (const authorization of ['Bearer no.good.token', 'bearer x', 'Bearer ', 'Bearer']) {
      const answer = await agent.ask(`${board.url}/`, {
        headers: { ...navigation, authorization },
      });
      expect([authorization, answer.status]).toEqual([authorization, 401]);
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer realm="board", error="invalid_token"',
      );
      expect(answer.json()).toMatchObject({ error: { key: 'ERRORS.UNAUTHORIZED' } });
    }
    const basic = await agent.ask(`${board.url}/`, { headers: { authorization: 'Basic eDp5' } });
    expect(basic.status).toBe(200);
  });

  it('is verified once, and again once it has expired', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ clockToleranceSeconds: 0 }));
    const token = await realm.sign({ exp: Math.floor(Date.now() / 1000) + 30 });
    const keys = realm.counts.keys;
    for (let turn = 0; turn < 5; turn += 1) expect(await statusOf(token)).toBe(200);
    expect(realm.counts.keys).toBe(keys + 1);
    advanceClock(31_000);
    expect(await statusOf(token)).toBe(401);
  });
});

describe('bearerOnly', () => {
  it('knows no login and no session, and needs no secret', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    board.protect(
      setting.options({ bearerOnly: true, cookie: undefined, clientSecret: undefined }),
    );
    for (const path of [
      '/',
      '/auth/login',
      '/auth/callback?code=x&state=y',
      '/auth/logout',
      '/auth/me',
    ]) {
      const answer = await agent.ask(`${board.url}${path}`, { headers: navigation });
      expect([path, answer.status, answer.cookies]).toEqual([path, 401, []]);
    }
    expect(await statusOf(await realm.sign({}))).toBe(200);
    const me = await ask(`${board.url}/auth/me`, bearer(await realm.sign({})));
    expect(me.json()).toMatchObject({ logoutUrl: null });
  });
});
