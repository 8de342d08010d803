/** Attacks on the login of `oidc`: state, nonce, PKCE, fixation, and callbacks out of turn. */

import { decodeJwt, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { createSealer } from '../../src/auth/session/sealing.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn, toCallback, toForm } from './support/log-in.ts';
import { secret } from './support/transcript.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const unauthorized = { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'UNAUTHORIZED' };

/** A browser that is one step before the end of its login. */
async function nearlyIn(account = 'ada'): Promise<{ agent: Agent; callback: URL }> {
  const { board } = setting;
  board.protect(setting.options());
  const agent = new Agent();
  const first = await agent.ask(`${board.url}/queue/a`, { headers: navigation });
  const callback = await toCallback(agent, await toForm(agent, first), account);
  return { agent, callback: new URL(callback) };
}

/** The cookie of the one login that this browser has under way. */
const flowOf = (agent: Agent): string => agent.cookieNames('board_session_flow_')[0] ?? '';

/** Expects a refusal; the cookie of the login is removed where the state of the callback is its own. */
async function refused(agent: Agent, url: URL): Promise<void> {
  const state = url.searchParams.get('state') ?? '';
  const name = `board_session_flow_${state.slice(0, 12)}`;
  const matched = agent.cookieNames('board_session_flow_').includes(name) && state.length === 43;
  const answer = await agent.ask(url.href);
  expect([answer.status, answer.json()]).toEqual([401, unauthorized]);
  expect(answer.cookies).toEqual(
    matched ? [`${name}=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Lax`] : [],
  );
  expect(agent.cookie('board_session')).toBeUndefined();
}

const flowSealer = () =>
  createSealer(
    secret('a cookie secret that is long enough'),
    `oidc login ${JSON.stringify([setting.realm.issuer, 'board'])}`,
  );

/** Puts other contents into the cookie of a login, as only somebody with the secret could. */
async function reseal(agent: Agent, change: object): Promise<void> {
  const content = await flowSealer().open(agent.cookie(flowOf(agent)) ?? '');
  expect(content).toMatchObject({ v: 1, returnTo: '/admin/queues/queue/a' });
  const sealed = await flowSealer().seal({ ...(content as object), ...change });
  agent.setCookie(flowOf(agent), sealed, '/admin/queues');
}

describe('a callback', () => {
  it.each(['code', 'state'])('without %s is refused', async (name) => {
    const { agent, callback } = await nearlyIn();
    callback.searchParams.delete(name);
    await refused(agent, callback);
  });

  it('with the label of a login and another state is refused, and the provider is not asked', async () => {
    const { agent, callback } = await nearlyIn();
    const label = callback.searchParams.get('state')?.slice(0, 12);
    callback.searchParams.set('state', `${label}${'A'.repeat(31)}`);
    await refused(agent, callback);
    expect(setting.board.reported).toEqual([]);
  });

  it.each(['wrong', '', 'A'.repeat(43)])('with the state "%s" is refused', async (state) => {
    const { agent, callback } = await nearlyIn();
    callback.searchParams.set('state', state);
    await refused(agent, callback);
  });

  it('with two states, a wrong issuer, or an error of the provider is refused', async () => {
    for (const [name, value] of [
      ['state', 'second'],
      ['code', 'second'],
      ['iss', 'https://evil.test/realms/demo'],
    ] as const) {
      const { agent, callback } = await nearlyIn();
      if (name === 'iss') callback.searchParams.delete(name);
      callback.searchParams.append(name, value);
      await refused(agent, callback);
    }
    const { agent, callback } = await nearlyIn();
    callback.search = `?error=access_denied&state=${callback.searchParams.get('state')}`;
    await refused(agent, callback);
  });

  it('with a code that the provider did not give is refused', async () => {
    const { agent, callback } = await nearlyIn();
    callback.searchParams.set('code', 'invented');
    await refused(agent, callback);
  });

  it('without the cookie of the login is refused', async () => {
    const { agent, callback } = await nearlyIn();
    agent.setCookie(flowOf(agent), undefined, '/admin/queues');
    await refused(agent, callback);
  });

  it('shows a browser a page that leads to a new login', async () => {
    const { agent, callback } = await nearlyIn();
    callback.searchParams.set('state', 'wrong');
    const answer = await agent.ask(callback.href, { headers: navigation });
    expect(answer.status).toBe(401);
    expect(answer.body).toContain('ERRORS.UNAUTHORIZED');
    expect(answer.body).toContain('<a href="/admin/queues/">Sign in again</a>');
    expect(answer.headers['x-frame-options']).toBe('DENY');
  });

  it('works once: the same address again is refused', async () => {
    const { agent, callback } = await nearlyIn();
    const name = flowOf(agent);
    const flow = agent.cookie(name) ?? '';
    expect((await agent.ask(callback.href)).status).toBe(302);
    const thief = new Agent();
    await refused(thief, callback);
    // Even with a copy of the cookie: the code has been spent.
    thief.setCookie(name, flow, '/admin/queues');
    await refused(thief, callback);
  });
});

it('a login whose ID token somebody else signed is refused, and the host is told', async () => {
  const { board, realm } = setting;
  const { agent, callback } = await nearlyIn();
  const { privateKey } = await generateKeyPair('RS256');
  realm.behaviour.changeGrant = async (answer) => {
    const claims = decodeJwt(String(answer['id_token']));
    answer['id_token'] = await realm.sign(claims, { key: privateKey });
  };
  await refused(agent, callback);
  expect(board.reported.map(String)).toEqual([
    'AuthProviderError: The identity provider did not serve login: tokens that are not good',
  ]);
});

describe('the cookie of a login', () => {
  it('holds the proof key: with another one the provider refuses', async () => {
    const { agent, callback } = await nearlyIn();
    await reseal(agent, { verifier: 'A'.repeat(43) });
    await refused(agent, callback);
  });

  it('holds the nonce: an ID token with another one is refused', async () => {
    const { agent, callback } = await nearlyIn();
    await reseal(agent, { nonce: 'A'.repeat(43) });
    await refused(agent, callback);
    setting.realm.behaviour.breakNonce = true;
    const injected = await nearlyIn();
    await refused(injected.agent, injected.callback);
  });

  it('is found by its state, also behind that of another login under its name', async () => {
    const { agent, callback } = await nearlyIn();
    const name = flowOf(agent);
    const other = await nearlyIn();
    const planted = other.agent.cookie(flowOf(other.agent));
    const answer = await ask(callback.href, {
      headers: { cookie: `${name}=${planted}; ${name}=${agent.cookie(name)}` },
    });
    expect([answer.status, answer.headers['location']]).toEqual([302, '/admin/queues/queue/a']);
  });

  it('ends after ten minutes', async () => {
    const { agent, callback } = await nearlyIn();
    await reseal(agent, { exp: Math.floor(Date.now() / 1000) - 1 });
    await refused(agent, callback);
  });

  it('is not a session, and a session is not a login', async () => {
    const { agent } = await nearlyIn();
    const flow = agent.cookie(flowOf(agent));
    const answer = await ask(`${setting.board.url}/api/queues`, {
      headers: { cookie: `board_session=${flow}` },
    });
    expect(answer.status).toBe(401);
    const inside = new Agent();
    await logIn(inside, `${setting.board.url}/`, 'ada');
    const next = await nearlyIn();
    next.agent.setCookie(flowOf(next.agent), inside.cookie('board_session'), '/admin/queues');
    await refused(next.agent, next.callback);
  });
});

describe('fixation', () => {
  it('an attacker’s callback does not log a victim in', async () => {
    const attacker = await nearlyIn('bob');
    await refused(new Agent(), attacker.callback);
    // Nor when the victim is in the middle of a login of its own.
    const victim = await nearlyIn('ada');
    await refused(victim.agent, attacker.callback);
  });

  it('a session from before the login is replaced', async () => {
    const { board } = setting;
    const attacker = new Agent();
    board.protect(setting.options());
    await logIn(attacker, `${board.url}/`, 'bob');
    const victim = new Agent();
    victim.setCookie('board_session', attacker.cookie('board_session'), '/admin/queues');
    await logIn(victim, `${board.url}/auth/login`, 'ada');
    expect((await victim.ask(`${board.url}/auth/me`)).json()).toMatchObject({
      user: { username: 'ada' },
    });
  });
});

describe('sessions of another board', () => {
  it.each([{ clientId: 'public-board' }, { realm: 'another' }])(
    'do not open, though the secret is the same: %j',
    async (more) => {
      const { board } = setting;
      board.protect(setting.options());
      const agent = new Agent();
      await logIn(agent, `${board.url}/`, 'ada');
      expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
      board.protect(setting.options(more));
      const answer = await agent.ask(`${board.url}/api/queues`);
      expect([answer.status, answer.cookies[0]]).toEqual([
        401,
        'board_session=; Path=/admin/queues; Max-Age=0; HttpOnly; SameSite=Lax',
      ]);
    },
  );
});
