/**
 * Several instances behind a proxy that gives them requests in turns, and a provider that rotates its refresh tokens.
 *
 * `AUTH_REFRESHES=10000` makes the long form of it.
 */

import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { decodeJwt } from 'jose';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware, AuthOptions, AuthStore, OidcOptions } from '../../src/auth/index.ts';
import { advanceClock } from '../clock.ts';
import { everything } from '../seed.ts';
import { Agent, ask } from './support/agent.ts';
import type { Answer } from './support/agent.ts';
import { basePath, protectedHandler } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { startProxy } from './support/proxy.ts';
import type { Proxy } from './support/proxy.ts';
import { clientSecret, startRealm } from './support/realm.ts';
import type { Realm } from './support/realm.ts';
import { stores } from './support/stores.ts';
import type { OpenedStore } from './support/stores.ts';
import { keepsSecrets, secret } from './support/transcript.ts';

const refreshes = Number(process.env['AUTH_REFRESHES'] ?? (everything ? 200 : 60));
// Every answer is searched for every token: of the long form that would never end.
if (refreshes < 1_000) keepsSecrets();
const sessions = refreshes >= 1_000 ? 100 : 20;
const cookie = { secret: secret('the cookie secret of all the instances') };
const token = secret('the-token-of-the-instance-tests-0123456789');

interface Instance {
  readonly server: Server;
  readonly port: number;
  auth: AuthMiddleware | null;
}

async function startInstance(): Promise<Instance> {
  const server = createServer((request, response) => {
    void instance.auth?.(request, response, () => protectedHandler(request, response));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as AddressInfo;
  const instance: Instance = { server, port, auth: null };
  return instance;
}

describe.each(['Redis', 'PostgreSQL'])('two instances over %s', (name) => {
  let opened: OpenedStore | null = null;
  let realm: Realm;
  let proxy: Proxy;
  let instances: readonly Instance[] = [];

  beforeAll(async () => {
    opened = (await stores[name]?.()) ?? null;
    instances = [await startInstance(), await startInstance()];
    proxy = await startProxy(basePath);
    proxy.targets.push(...instances.map(({ port }) => ({ port, path: basePath })));
    realm = await startRealm({ boards: [proxy.url], people: { ada: {}, bob: {} } });
  });
  beforeEach((context) => {
    if (opened === null) context.skip();
  });
  afterEach(() => {
    Object.assign(realm.behaviour, { accessTokenSeconds: 300, changeGrant: null });
  });
  afterAll(async () => {
    for (const { server } of instances) {
      server.close();
      server.closeAllConnections();
    }
    await proxy.close();
    await realm.close();
    await opened?.close();
  });

  /** Puts a middleware of its own into each instance. */
  const protect = (optionsOf: (store: AuthStore) => AuthOptions) => {
    for (const [at, instance] of instances.entries()) {
      const store = opened?.stores[at === 0 ? 0 : 1];
      if (store !== undefined) instance.auth = createAuthMiddleware(optionsOf(store), { basePath });
    }
  };
  const protectByOidc = (more: Partial<OidcOptions> = {}) =>
    protect((store) => ({
      strategy: 'oidc',
      url: realm.url,
      realm: realm.realm,
      clientId: 'board',
      clientSecret,
      publicUrl: proxy.url,
      cookie,
      store,
      ...more,
    }));
  const enter = async (account = 'ada'): Promise<Agent> => {
    const agent = new Agent();
    expect((await logIn(agent, `${proxy.url}/`, account)).status).toBe(302);
    return agent;
  };
  /** The same cookie, shown to both instances. */
  const atBoth = (agent: Agent): Promise<Answer[]> => {
    const headers = { cookie: `board_session=${agent.cookie('board_session')}` };
    return Promise.all(
      instances.map(({ port }) => ask({ port, path: `${basePath}/api` }, { headers })),
    );
  };
  const statuses = async (agent: Agent) => (await atBoth(agent)).map(({ status }) => status);

  it(`lose none of ${refreshes} refreshes`, { timeout: 120_000 + refreshes * 400 }, async () => {
    protectByOidc();
    realm.behaviour.accessTokenSeconds = 10;
    const agents: Agent[] = [];
    for (let at = 0; at < sessions; at += 1) agents.push(await enter());
    let lost = 0;
    const before = realm.counts.tokens;
    for (let round = 0; round < refreshes / sessions; round += 1) {
      advanceClock(11_000);
      // Eight sessions at a time, each with requests to both instances at once.
      for (let from = 0; from < agents.length; from += 8) {
        await Promise.all(
          agents.slice(from, from + 8).map(async (agent) => {
            const value = agent.cookie('board_session');
            const asked = await Promise.all([1, 2, 3].map(() => agent.ask(`${proxy.url}/api`)));
            if (asked.some(({ status }) => status !== 200)) lost += 1;
            if (agent.cookie('board_session') === value) lost += 1;
          }),
        );
      }
    }
    expect(lost).toBe(0);
    expect(realm.counts.tokens - before).toBe(refreshes);
  });

  it('end a session in both at a logout in one, and a copy of it', async () => {
    protectByOidc();
    const [agent, other] = [await enter(), await enter('bob')];
    expect([...(await statuses(agent)), ...(await statuses(other))]).toEqual([200, 200, 200, 200]);
    const copy = new Agent();
    copy.setCookie('board_session', agent.cookie('board_session'), basePath);
    await agent.ask(`${proxy.url}/auth/logout`);
    // An instance asks again after five seconds.
    advanceClock(5_100);
    expect([...(await statuses(copy)), ...(await statuses(other))]).toEqual([401, 401, 200, 200]);
  });

  it('do not refresh what was ended', async () => {
    protectByOidc();
    realm.behaviour.accessTokenSeconds = 10;
    const agent = await enter();
    const copy = new Agent();
    copy.setCookie('board_session', agent.cookie('board_session'), basePath);
    await agent.ask(`${proxy.url}/auth/logout`);
    advanceClock(11_000);
    const tokens = realm.counts.tokens;
    expect(await statuses(copy)).toEqual([401, 401]);
    expect(realm.counts.tokens).toBe(tokens);
  });

  it('end the sessions that the provider ends: its own by sid, a user’s by sub', async () => {
    protectByOidc();
    realm.behaviour.changeGrant = async (answer) => {
      const claims = decodeJwt(String(answer['id_token']));
      answer['id_token'] = await realm.sign({ ...claims, sid: `of-${claims.sub}` });
    };
    const [ada, bob] = [await enter(), await enter('bob')];
    const events = { 'http://schemas.openid.net/event/backchannel-logout': {} };
    const send = async (claims: Record<string, unknown>) => {
      const logoutToken = await realm.sign({ aud: 'board', events, sub: undefined, ...claims });
      const answer = await ask(`${proxy.url}/auth/backchannel-logout`, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ logout_token: logoutToken }).toString(),
      });
      expect(answer.headers['cache-control']).toBe('no-store');
      return answer.status;
    };
    for (const claims of [
      { sid: 'of-ada', events: {} },
      { sid: 'of-ada', events: undefined },
      { sid: 'of-ada', nonce: 'x' },
      { sid: 'of-ada', aud: 'another', azp: 'another' },
      { sid: 'of-ada', iss: 'https://evil.test' },
      {},
    ]) {
      expect([claims, await send(claims)]).toEqual([claims, 400]);
    }
    expect(await send({ sid: 'of-nobody' })).toBe(200);
    advanceClock(5_100);
    expect([...(await statuses(ada)), ...(await statuses(bob))]).toEqual([200, 200, 200, 200]);
    const iat = Math.floor(Date.now() / 1000);
    expect(await send({ sid: 'of-ada', iat })).toBe(200);
    advanceClock(5_100);
    expect([...(await statuses(ada)), ...(await statuses(bob))]).toEqual([401, 401, 200, 200]);
    expect(await send({ sub: 'bob', iat })).toBe(200);
    advanceClock(5_100);
    expect(await statuses(bob)).toEqual([401, 401]);
    // The same token again ends nothing that began after it.
    const again = await enter('bob');
    expect(await send({ sub: 'bob', iat })).toBe(200);
    advanceClock(5_100);
    expect(await statuses(again)).toEqual([200, 200]);
  });

  /** Posts the login form from a client behind the proxy. */
  const post = async (text: string, client: string, agent = new Agent()) => {
    const { origin } = new URL(proxy.url);
    const headers = {
      origin,
      'content-type': 'application/x-www-form-urlencoded',
      'x-forwarded-for': `198.51.100.7, ${client}`,
    };
    const body = new URLSearchParams({ token: text }).toString();
    return agent.ask(`${proxy.url}/auth/login`, { method: 'POST', headers, body });
  };

  it('do not count right tokens, which give back nothing that wrong ones have used up', async () => {
    const loginLimit = { failures: 4, seconds: 600 };
    const publicUrl = proxy.url;
    protect((store) => ({
      strategy: 'token',
      tokens: [token],
      cookie,
      store,
      publicUrl,
      loginLimit,
      trustProxy: 1,
    }));
    const bad = 'wrong';
    const sent = [token, token, bad, token, bad, token, token, token, bad, token, bad];
    const answers: number[] = [];
    for (const each of [...sent, token, bad, bad]) {
      answers.push((await post(each, '203.0.113.4')).status);
    }
    const expected = sent.map((each) => (each === token ? 303 : 401));
    // A right one is let in: somebody else may have sent the wrong ones.
    expect(answers).toEqual([...expected, 303, 429, 429]);
  });

  const limitedTo = (seconds: number): void =>
    protect((store) => ({
      strategy: 'token',
      tokens: [token],
      cookie,
      store,
      publicUrl: proxy.url,
      loginLimit: { failures: 4, seconds },
      trustProxy: 1,
    }));

  it('count wrong tokens together, by client, until the time is over', async () => {
    limitedTo(600);
    for (let turn = 0; turn < 4; turn += 1) {
      expect((await post('wrong', '203.0.113.1')).status).toBe(401);
    }
    const limited = await post('wrong', '203.0.113.1');
    expect([limited.status, limited.cookies]).toEqual([429, []]);
    const left = Number(limited.headers['retry-after']);
    expect(left).toBeGreaterThan(0);
    expect(left).toBeLessThanOrEqual(600);
    expect(limited.body).toContain('Too many wrong tokens');
    const burst = await Promise.all(
      Array.from({ length: 40 }, (_, at) => post(`wrong ${at}`, '203.0.113.3')),
    );
    expect(burst.filter(({ status }) => status === 401)).toHaveLength(4);
    limitedTo(1);
    const status = async (): Promise<number> => (await post('wrong', '203.0.113.5')).status;
    await expect.poll(status, { interval: 1 }).toBe(429);
    await expect.poll(status).toBe(401);
  });

  it('end the sessions of a token', async () => {
    limitedTo(600);
    const agent = new Agent();
    expect((await post(token, '203.0.113.2', agent)).status).toBe(303);
    const copy = new Agent();
    copy.setCookie('board_session', agent.cookie('board_session'), basePath);
    expect(await statuses(copy)).toEqual([200, 200]);
    await agent.ask(`${proxy.url}/auth/logout`);
    advanceClock(5_100);
    expect(await statuses(copy)).toEqual([401, 401]);
  });
});

it('a store that is down lets no session on whose end is not known, and is not needed for tokens', async () => {
  const instance = await startInstance();
  let down = false;
  const values = new Map<string, string>();
  const guard = async <Result>(result: () => Result): Promise<Result> => {
    if (down) throw new Error('down');
    return result();
  };
  const store: AuthStore = {
    claim: (key) => guard(() => !values.has(key) && values.set(key, '').size > 0),
    get: (key) => guard(() => values.get(key) ?? null),
    set: (key, value) => guard(() => void values.set(key, value)),
  };
  const reported: unknown[] = [];
  instance.auth = createAuthMiddleware(
    { strategy: 'token', tokens: [token], cookie, store, onError: (error) => reported.push(error) },
    { basePath },
  );
  const url = `http://127.0.0.1:${instance.port}${basePath}`;
  const agent = new Agent();
  const { origin } = new URL(url);
  await agent.ask(`${url}/auth/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: `token=${token}`,
  });
  expect((await agent.ask(`${url}/api`)).status).toBe(200);
  down = true;
  advanceClock(5_100);
  const answer = await agent.ask(`${url}/api`);
  expect([answer.status, answer.json()]).toEqual([
    503,
    { error: { key: 'ERRORS.UNAUTHORIZED' }, code: 'AUTH_STORE_UNAVAILABLE' },
  ]);
  const headers = { authorization: `Bearer ${token}` };
  expect((await ask(`${url}/api`, { headers })).status).toBe(200);
  expect(reported.map(String)).toEqual([
    'AuthStoreError: The store of the authentication did not answer',
  ]);
  down = false;
  expect((await agent.ask(`${url}/api`)).status).toBe(200);
  instance.server.close();
});
