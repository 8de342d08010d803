/** Sessions that lie in a store: of any size, in every instance, and of no use to who reads or alters the store. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createAuthMiddleware } from '../../src/auth/index.ts';
import type { AuthMiddleware, AuthOptions, AuthStore } from '../../src/auth/index.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { basePath, protectedHandler } from './support/board.ts';
import { logIn } from './support/log-in.ts';
import { clientSecret, startRealm } from './support/realm.ts';
import type { Realm } from './support/realm.ts';
import { stores } from './support/stores.ts';
import type { OpenedStore } from './support/stores.ts';
import { keepsSecrets, printed, secret } from './support/transcript.ts';

keepsSecrets();
const cookie = { secret: secret('the cookie secret of the stored sessions') };
const name = 'board_session';
const longToken = secret(
  Array.from({ length: 1_200 }, (_, at) => `long-${at}`)
    .join('-')
    .slice(0, 4_096),
);
const people = {
  ada: {},
  bob: {},
  // An ID token of some 27 KB, and a user of some 40 KB.
  ida: { more: { text: 'long '.repeat(4_000) } },
  max: { realmRoles: Array.from({ length: 2_000 }, (_, at) => `role-number-${at}`) },
};

let realm: Realm;
let auth: AuthMiddleware;
const server = createServer((request, response) => {
  void auth(request, response, () => protectedHandler(request, response));
});
let url: string;
beforeAll(async () => {
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${basePath}`;
  realm = await startRealm({ boards: [url], people });
});
beforeEach(() => {
  realm.behaviour.accessTokenSeconds = 300;
});
afterAll(async () => {
  server.closeAllConnections();
  server.close();
  await realm.close();
});

const oidc = (store?: AuthStore): AuthOptions => ({
  strategy: 'oidc',
  url: realm.url,
  realm: realm.realm,
  clientId: 'board',
  clientSecret,
  cookie,
  ...(store && { store }),
});
const byToken = (store?: AuthStore): AuthOptions => ({
  strategy: 'token',
  tokens: [longToken],
  cookie,
  ...(store && { store }),
});
/** An instance that knows nothing but its options. */
const fresh = (options: AuthOptions): void =>
  void (auth = createAuthMiddleware(options, { basePath }));
const enter = async (account: string, agent = new Agent()): Promise<Agent> => {
  expect((await logIn(agent, `${url}/`, account)).status).toBe(302);
  return agent;
};
const enterByToken = async (agent: Agent) => {
  const { origin } = new URL(url);
  return agent.ask(`${url}/auth/login`, {
    method: 'POST',
    headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ token: longToken }).toString(),
  });
};
const statusOf = async (agent: Agent): Promise<number> => (await agent.ask(`${url}/api`)).status;

/** The store, and what is written into it. */
function watched(store: AuthStore) {
  const written = new Map<string, string>();
  return {
    written,
    store: {
      ...store,
      async set(key: string, value: string, seconds: number) {
        if (key.startsWith('session:')) written.set(key, value);
        await store.set(key, value, seconds);
      },
    },
  };
}

describe.each(Object.keys(stores))('sessions in %s', (which) => {
  let opened: OpenedStore | null = null;
  beforeAll(async () => void (opened = (await stores[which]?.()) ?? null));
  beforeEach((context) => void (opened === null && context.skip()));
  afterAll(() => opened?.close());
  const at = (index: 0 | 1): AuthStore => opened?.stores[index] ?? memoryAuthStore();

  it.each(['ada', 'ida', 'max'])(
    'of oidc have any size, and one short cookie: %s',
    async (account) => {
      fresh(oidc(at(0)));
      realm.behaviour.accessTokenSeconds = 10;
      const agent = await enter(account);
      const id = agent.cookie(name) ?? '';
      expect([agent.cookieNames(name), id.length]).toEqual([[name], 43]);
      fresh(oidc(at(1)));
      expect(await statusOf(agent)).toBe(200);
      const me = (await agent.ask(`${url}/auth/me`)).json();
      expect(me).toMatchObject({
        user: { username: account, roles: account === 'max' ? people.max.realmRoles : [] },
      });
      // Refreshed, because the refresh token lies there as well.
      advanceClock(11_000);
      realm.behaviour.accessTokenSeconds = 300;
      expect(await statusOf(agent)).toBe(200);
      expect(agent.cookie(name)).not.toBe(id);
      fresh(oidc(at(0)));
      expect(await statusOf(agent)).toBe(200);
      const copy = new Agent();
      copy.setCookie(name, agent.cookie(name), basePath);
      fresh(oidc(at(1)));
      const out = await agent.ask(`${url}/auth/logout`);
      expect([out.status, agent.cookie(name)]).toEqual([302, undefined]);
      expect(await statusOf(copy)).toBe(401);
      fresh(oidc(at(0)));
      expect(await statusOf(copy)).toBe(401);
    },
  );

  it('of token have any size, and end everywhere', async () => {
    fresh(byToken(at(0)));
    const agent = new Agent();
    expect((await enterByToken(agent)).status).toBe(303);
    expect(agent.cookie(name)).toHaveLength(43);
    fresh(byToken(at(1)));
    expect(await statusOf(agent)).toBe(200);
    const copy = new Agent();
    copy.setCookie(name, agent.cookie(name), basePath);
    await agent.ask(`${url}/auth/logout`);
    fresh(byToken(at(0)));
    expect(await statusOf(copy)).toBe(401);
  });

  it('leave the store at the logout', async () => {
    const { written, store } = watched(at(0));
    fresh(byToken(store));
    const agent = new Agent();
    await enterByToken(agent);
    const [key = ''] = written.keys();
    expect(await store.get(key)).toBe(written.get(key));
    await agent.ask(`${url}/auth/logout`);
    expect((await store.get(key)) ?? '').toBe('');
    expect([...written.keys()]).toEqual([key]);
  });

  it('take the place of those that a cookie holds, which go on', async () => {
    fresh(oidc());
    const agent = await enter('ada');
    fresh(oidc(at(0)));
    expect(await statusOf(agent)).toBe(200);
    advanceClock(301_000);
    expect(await statusOf(agent)).toBe(200);
    expect(agent.cookie(name)).toHaveLength(43);
  });

  it('begin with an id of their own, whatever the browser had', async () => {
    fresh(oidc(at(0)));
    const planted = 'A'.repeat(43);
    const agent = new Agent();
    agent.setCookie(name, planted, basePath);
    expect(await statusOf(agent)).toBe(401);
    agent.setCookie(name, planted, basePath);
    await enter('ada', agent);
    const id = agent.cookie(name);
    expect(id).not.toBe(planted);
    const other = new Agent();
    other.setCookie(name, planted, basePath);
    expect(await statusOf(other)).toBe(401);
    // A second login does not go on with the id of the first.
    await logIn(agent, `${url}/auth/login`, 'bob').catch(() => undefined);
    expect(await statusOf(agent)).toBe(200);
  });

  it('are sealed: an entry that is read, altered or moved is of no use', async () => {
    const { written, store } = watched(at(0));
    fresh(oidc(store));
    const ada = await enter('ada');
    const [adasKey = '', adas = ''] = [...written].flat();
    written.clear();
    const bob = await enter('bob');
    const [bobsKey = '', bobs = ''] = [...written].flat();
    expect(adasKey).not.toContain(ada.cookie(name));
    // With a quote or an at sign, which no sealed text has: three letters are in one of a hundred by chance.
    const texts = [adas, ...adas.split('.').map((part) => String(Buffer.from(part, 'base64url')))];
    expect(texts.join()).not.toMatch(/"ada"|ada@|example\.(?:com|org|test)/);
    const asked = async (key: string, value: string, agent: Agent): Promise<number> => {
      await store.set(key, value, 600);
      fresh(oidc(store));
      return ask(`${url}/api`, { headers: { cookie: `${name}=${agent.cookie(name)}` } }).then(
        ({ status }) => status,
      );
    };
    expect(await asked(adasKey, adas, ada)).toBe(200);
    expect(await asked(adasKey, bobs, ada)).toBe(401);
    expect(await asked(adasKey, `${adas.slice(0, -8)}AAAAAAAA`, ada)).toBe(401);
    expect(await asked(adasKey, '', ada)).toBe(401);
    expect(await asked(bobsKey, bobs, bob)).toBe(200);
    // The value in the store is not a cookie.
    const thief = new Agent();
    for (const value of [bobs, bobsKey, bobsKey.slice('session:'.length)]) {
      thief.setCookie(name, value, basePath);
      expect(await statusOf(thief)).toBe(401);
    }
    // Nor is a session under another secret.
    auth = createAuthMiddleware(
      { ...oidc(store), cookie: { secret: `x${cookie.secret}` } } as AuthOptions,
      { basePath },
    );
    expect(await statusOf(bob)).toBe(401);
  });
});

it('a logout counts where it was made, also when the store has lost it since', async () => {
  let kept = memoryAuthStore();
  fresh(
    byToken({
      claim: (key, seconds) => kept.claim(key, seconds),
      get: (key) => kept.get(key),
      set: (key, value, seconds) => kept.set(key, value, seconds),
    }),
  );
  const agent = new Agent();
  await enterByToken(agent);
  const copy = new Agent();
  copy.setCookie(name, agent.cookie(name), basePath);
  expect(await statusOf(copy)).toBe(200);
  await agent.ask(`${url}/auth/logout`);
  kept = memoryAuthStore();
  expect(await statusOf(copy)).toBe(401);
});

it('a store that is away decides nothing about its sessions, which go on after it', async () => {
  let isAway = false;
  const inner = memoryAuthStore();
  const unless = async <Result>(work: Promise<Result>): Promise<Result> => {
    if (isAway) throw new Error('away');
    return work;
  };
  const store: AuthStore = {
    claim: (key, seconds) => unless(inner.claim(key, seconds)),
    get: (key) => unless(inner.get(key)),
    set: (key, value, seconds) => unless(inner.set(key, value, seconds)),
  };
  fresh(oidc(store));
  const agent = await enter('max');
  fresh(oidc(store));
  isAway = true;
  const answer = await agent.ask(`${url}/api`);
  expect([answer.status, answer.json()]).toMatchObject([503, { code: 'AUTH_STORE_UNAVAILABLE' }]);
  isAway = false;
  expect(await statusOf(agent)).toBe(200);
});

describe('a login that does not fit the cookie', () => {
  it('of oidc says so, and names cookie.parts', async () => {
    fresh(oidc());
    printed.length = 0;
    const agent = new Agent();
    const answer = await logIn(agent, `${url}/`, 'max');
    expect([answer.status, agent.cookie(name)]).toEqual([401, undefined]);
    expect(answer.body).toContain('does not fit the cookie');
    expect(answer.body).toContain('cookie.parts');
    expect(printed).toEqual([expect.stringContaining('"cookie.parts"')]);
  });

  it('of token says so, and names cookie.parts', async () => {
    fresh(byToken());
    printed.length = 0;
    const agent = new Agent();
    const answer = await enterByToken(agent);
    expect([answer.status, agent.cookie(name)]).toEqual([401, undefined]);
    expect(answer.body).toContain('cookie.parts');
    expect(answer.body).not.toContain('not accepted');
    expect(printed).toEqual([expect.stringContaining('"cookie.parts"')]);
    // The token is a good one.
    const headers = { authorization: `Bearer ${longToken}`, ...navigation };
    expect((await ask(`${url}/api`, { headers })).status).toBe(200);
  });

  it('goes on with parts that hold it', async () => {
    auth = createAuthMiddleware({ ...byToken(), cookie: { ...cookie, parts: 3 } } as AuthOptions, {
      basePath,
    });
    const agent = new Agent();
    expect((await enterByToken(agent)).status).toBe(303);
    expect(await statusOf(agent)).toBe(200);
  });
});
