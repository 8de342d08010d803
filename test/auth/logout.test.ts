/** Logouts: the user's own end the session at once, those of other sites ask first. */

import { describe, expect, it } from 'vitest';
import type { AuthStore } from '../../src/auth/index.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

describe.each(['oidc', 'token'] as const)('a logout of %s', (strategy) => {
  const enter = async (more: { readonly store?: AuthStore } = {}): Promise<Agent> => {
    const { board } = setting;
    const agent = new Agent();
    if (strategy === 'oidc') {
      board.protect(setting.options(more));
      await logIn(agent, `${board.url}/`, 'ada');
      return agent;
    }
    const cookie = { secret: 'the cookie secret of the token tests' };
    board.protect({ strategy, tokens: [...tokens], cookie, ...more });
    await agent.ask(`${board.url}/auth/login`, {
      method: 'POST',
      headers: { origin: board.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${tokens[0]}`,
    });
    return agent;
  };
  const logOut = (agent: Agent, headers: Record<string, string>, method = 'GET') =>
    agent.ask(`${setting.board.url}/auth/logout`, { method, headers });

  it('that another site, or another origin of the same site, asks for asks the user', async () => {
    const agent = await enter();
    const { origin } = setting.board;
    for (const headers of [
      { ...navigation, 'sec-fetch-site': 'cross-site' },
      { ...navigation, 'sec-fetch-site': 'same-site' },
      // Browsers without fetch metadata.
      { accept: 'text/html', referer: 'https://evil.test/' },
      { accept: 'text/html', referer: `${origin}.evil.test/` },
      { accept: 'text/html' },
    ] as Record<string, string>[]) {
      const answer = await logOut(agent, headers);
      expect([headers, answer.status, answer.cookies]).toEqual([headers, 200, []]);
      expect(answer.body).toContain('<a href="/admin/queues/auth/logout">Sign out</a>');
      expect(answer.headers['x-frame-options']).toBe('DENY');
    }
    for (const headers of [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.test' },
      { origin: 'null' },
    ] as Record<string, string>[]) {
      const answer = await logOut(agent, headers, 'POST');
      expect([headers, answer.status, answer.cookies]).toEqual([headers, 403, []]);
    }
    expect((await agent.ask(`${setting.board.url}/api`)).status).toBe(200);
  });

  it('ends every session that the browser shows', async () => {
    const [one, two] = [await enter(), await enter()];
    const values = [one, two].map((agent) => `board_session=${agent.cookie('board_session')}`);
    const headers = { cookie: values.join('; ') };
    const { url } = setting.board;
    expect((await ask(`${url}/api`, { headers })).status).toBe(200);
    await ask(`${url}/auth/logout`, { headers });
    const later = values.map((value) => ask(`${url}/api`, { headers: { cookie: value } }));
    expect((await Promise.all(later)).map(({ status }) => status)).toEqual([401, 401]);
  });

  it('of the user ends the session at once', async () => {
    const { origin } = setting.board;
    for (const headers of [
      { ...navigation, 'sec-fetch-site': 'same-origin' },
      navigation,
      { accept: 'text/html', referer: `${origin}/admin/queues/` },
      {},
    ] as Record<string, string>[]) {
      const agent = await enter();
      const copy = { cookie: `board_session=${agent.cookie('board_session')}` };
      const statusOfCopy = async () =>
        (await ask(`${setting.board.url}/api`, { headers: copy })).status;
      // Remembered at the first request.
      expect([await statusOfCopy(), await statusOfCopy()]).toEqual([200, 200]);
      const answer = await logOut(agent, headers);
      expect([headers, answer.status]).toEqual([headers, 302]);
      expect((await agent.ask(`${setting.board.url}/api`)).status).toBe(401);
      expect(await statusOfCopy()).toBe(401);
    }
  });

  it('that the store does not take changes nothing, and can be repeated', async () => {
    let isAway = false;
    const inner = memoryAuthStore();
    const store: AuthStore = {
      ...inner,
      async set(...entry) {
        if (isAway) throw new Error('away');
        await inner.set(...entry);
      },
    };
    const agent = await enter({ store });
    const copy = { cookie: `board_session=${agent.cookie('board_session')}` };
    const statuses = async () => [
      (await agent.ask(`${setting.board.url}/api`)).status,
      (await ask(`${setting.board.url}/api`, { headers: copy })).status,
    ];
    isAway = true;
    const failed = await logOut(agent, navigation);
    expect([failed.status, failed.cookies]).toEqual([503, []]);
    expect(await statuses()).toEqual([200, 200]);
    isAway = false;
    expect((await logOut(agent, navigation)).status).toBe(302);
    expect(await statuses()).toEqual([401, 401]);
  });
});
