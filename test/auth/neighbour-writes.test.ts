/** Writes of a session: only the board's own pages make them, for every route behind the middleware. */

import { beforeEach, describe, expect, it } from 'vitest';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { tokens } from './support/use-board.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const forbidden = { error: { key: 'ERRORS.FORBIDDEN' }, code: 'FORBIDDEN' };

const bySession: Record<string, () => Promise<Agent>> = {
  async oidc() {
    setting.board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${setting.board.url}/`, 'ada');
    return agent;
  },
  async token() {
    const { board } = setting;
    const cookie = { secret: 'the cookie secret of the token tests' };
    board.protect({ strategy: 'token', tokens: [...tokens], cookie });
    const agent = new Agent();
    await agent.ask(`${board.url}/auth/login`, {
      method: 'POST',
      headers: { origin: board.origin, 'content-type': 'application/x-www-form-urlencoded' },
      body: `token=${tokens[0]}`,
    });
    return agent;
  },
};

describe.each(Object.keys(bySession))('a session of %s', (strategy) => {
  let agent: Agent;
  beforeEach(async () => {
    agent = (await bySession[strategy]?.()) ?? new Agent();
  });
  const write = (headers: Record<string, string>, method = 'POST') =>
    agent.ask(`${setting.board.url}/anything/behind`, { method, headers });

  it('writes from the board’s own pages and by the user', async () => {
    const { origin } = setting.board;
    for (const headers of [
      { 'sec-fetch-site': 'same-origin', origin },
      { 'sec-fetch-site': 'same-origin' },
      { 'sec-fetch-site': 'none' },
      // A browser without fetch metadata, as all are on plain http.
      { origin },
    ] as Record<string, string>[]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
        expect([headers, (await write(headers, method)).status]).toEqual([headers, 200]);
      }
    }
  });

  it('does not write for another origin of the same site, nor for one that is not named', async () => {
    const { origin } = setting.board;
    for (const headers of [
      { 'sec-fetch-site': 'same-site', origin: origin.replace(/\d+$/, '1') },
      { 'sec-fetch-site': 'same-site' },
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site', origin },
      { origin: origin.replace(/\d+$/, '1') },
      { origin: 'null' },
      { origin: `${origin}.evil.test` },
      {},
    ] as Record<string, string>[]) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
        const answer = await write(headers, method);
        expect([headers, method, answer.status, answer.json()]).toEqual([
          headers,
          method,
          403,
          forbidden,
        ]);
      }
      expect((await write(headers, 'GET')).status).toBe(200);
    }
  });
});

it('a token in a header writes from anywhere: no browser adds it by itself', async () => {
  const { board, realm } = setting;
  board.protect(setting.options());
  const authorization = `Bearer ${await realm.sign({})}`;
  for (const headers of [{}, { 'sec-fetch-site': 'same-site', origin: 'https://other.test' }]) {
    const answer = await ask(`${board.url}/x`, {
      method: 'POST',
      headers: { authorization, ...headers } as Record<string, string>,
    });
    expect(answer.status).toBe(200);
  }
});
