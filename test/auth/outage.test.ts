/** The provider out of order, at the start and later: what keeps working, what is answered, and recovery. */

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { describe, expect, it, vi } from 'vitest';
import { oidcSettings } from '../../src/auth/oidc/oidc-settings.ts';
import { SigningKeys } from '../../src/auth/oidc/signing-keys.ts';
import { verifyToken } from '../../src/auth/oidc/verify-token.ts';
import { advanceClock } from '../clock.ts';
import { Agent, ask, navigation } from './support/agent.ts';
import { logIn, toCallback, toForm } from './support/log-in.ts';
import type { Behaviour } from './support/realm.ts';
import { printed } from './support/transcript.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

const unavailable = {
  error: { key: 'ERRORS.UNAUTHORIZED' },
  code: 'AUTH_PROVIDER_UNAVAILABLE',
};

describe('a provider that is down at the start', () => {
  it('gets clear answers, and needs no restart once it is up', async () => {
    const { board, realm } = setting;
    await realm.down();
    board.protect(setting.options());
    const page = await ask(`${board.url}/queue/a`, { headers: navigation });
    expect([page.status, page.headers['retry-after']]).toEqual([503, '5']);
    expect(page.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(page.body).toContain('<a href="/admin/queues/queue/a">Try again</a>');
    expect(page.body).not.toMatch(/ECONN|127\.0\.0\.1|realms/);
    const api = await ask(`${board.url}/api/queues`);
    expect(api.status).toBe(401);
    const token = await realm.sign({});
    const headers = { authorization: `Bearer ${token}` };
    const script = await ask(`${board.url}/api/queues`, { headers });
    expect([script.status, script.json()]).toEqual([503, unavailable]);
    const out = await ask(`${board.url}/auth/logout`);
    expect([out.status, out.body.includes('Signed out')]).toEqual([200, true]);
    expect(board.reported.map(String)).toEqual(
      Array.from(
        { length: 2 },
        () => 'AuthProviderError: The identity provider did not serve discovery: ECONNREFUSED',
      ),
    );
    await realm.up();
    expect((await ask(`${board.url}/api/queues`, { headers })).status).toBe(200);
    expect((await logIn(new Agent(), `${board.url}/`, 'ada')).status).toBe(302);
  });

  it.each(['status 500', 'a page', 'silence'] as const)('or answers with %s', async (broken) => {
    const { board, realm } = setting;
    realm.behaviour.broken = broken;
    board.protect(setting.options());
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(503);
    realm.behaviour.broken = null;
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(302);
  });

  it('or calls itself otherwise than the options do: no token of it could be good', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ url: realm.url.replace('127.0.0.1', '127.1') }));
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(503);
    expect(board.reported.map(String)).toEqual([
      'AuthProviderError: The identity provider did not serve discovery: another issuer',
    ]);
  });

  it('or has no document where the options lead, or that of another name', async () => {
    const { board, realm } = setting;
    board.protect(setting.options({ realm: 'absent' }));
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(503);
    board.protect(setting.options({ url: realm.url.replace('127.0.0.1', 'localhost') }));
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(503);
    expect(board.reported.map(String)).toEqual([
      'AuthProviderError: The identity provider did not serve discovery: status 404',
      'AuthProviderError: The identity provider did not serve discovery: another issuer',
    ]);
  });

  it.each([
    ['jwks_uri', 'http://id.example.test/jwks', 'jwks_uri is not https'],
    ['token_endpoint', 'http://id.example.test/token', 'token_endpoint is not https'],
    ['authorization_endpoint', 'javascript:alert(1)', 'authorization_endpoint is not https'],
    ['jwks_uri', '/jwks', 'no jwks_uri'],
    ['token_endpoint', undefined, 'no token_endpoint'],
    ['authorization_endpoint', undefined, 'no authorization_endpoint'],
    ['end_session_endpoint', 'http://id.example.test/end', 'end_session_endpoint is not https'],
  ])('or names as its %s %s', async (name, value, reason) => {
    const { board, realm } = setting;
    realm.behaviour.changeDiscovery = (document) => Object.assign(document, { [name]: value });
    board.protect(setting.options());
    const page = await ask(`${board.url}/`, { headers: navigation });
    expect([page.status, page.headers.location]).toEqual([503, undefined]);
    const headers = { authorization: `Bearer ${await realm.sign({})}` };
    expect((await ask(`${board.url}/api/queues`, { headers })).status).toBe(503);
    const told = `AuthProviderError: The identity provider did not serve discovery: ${reason}`;
    expect(board.reported.map(String)).toEqual([told, told]);
    // Where nobody logs in, what a login needs is not missed.
    board.protect(setting.options({ bearerOnly: true }));
    const script = await ask(`${board.url}/api/queues`, { headers });
    expect(script.status).toBe(name === 'jwks_uri' ? 503 : 200);
  });

  it('is asked once by all requests that wait for it', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const before = realm.counts.discovery;
    const asked = Array.from({ length: 10 }, () => ask(`${board.url}/`, { headers: navigation }));
    await Promise.all(asked);
    expect(realm.counts.discovery).toBe(before + 1);
  });
});

describe('a provider that goes down later', () => {
  it('is not missed by sessions and tokens that it has let in', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    const seen = { authorization: `Bearer ${await realm.sign({})}` };
    expect((await ask(`${board.url}/api/queues`, { headers: seen })).status).toBe(200);
    await realm.down();
    try {
      expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(200);
      expect((await ask(`${board.url}/api/queues`, { headers: seen })).status).toBe(200);
      const unseen = { authorization: `Bearer ${await realm.sign({ jti: 'unseen' })}` };
      expect((await ask(`${board.url}/api/queues`, { headers: unseen })).status).toBe(200);
      const foreign = {
        authorization: `Bearer ${await realm.sign({}, { header: { kid: 'unknown' } })}`,
      };
      expect((await ask(`${board.url}/api/queues`, { headers: foreign })).status).toBe(401);
    } finally {
      await realm.up();
    }
  });

  it('is stood in for by its last keys for ten minutes, also when it answers with a page', async () => {
    const { realm } = setting;
    const settings = oidcSettings(setting.options());
    const keys = new SigningKeys(new URL(`${realm.issuer}/jwks`));
    const begin = Date.now();
    const token = await realm.sign({ exp: begin / 1000 + 3600 });
    const known = async () => (await verifyToken(token, keys, settings)) !== null;
    vi.useFakeTimers({ toFake: ['Date'], now: begin });
    try {
      expect(await known()).toBe(true);
      for (const [minute, broken] of ['a page', 'status 500', 'a page', 'status 500'].entries()) {
        realm.behaviour.broken = broken as Behaviour['broken'];
        vi.setSystemTime(begin + (minute + 1) * 61_000);
        expect([broken, keys.generation, await known()]).toEqual([broken, null, true]);
      }
      vi.setSystemTime(begin + 601_000);
      await expect(known()).rejects.toThrow('did not serve keys: status 500');
    } finally {
      vi.useRealTimers();
    }
  });

  it('is asked for its keys in the background, and nobody waits long for one that is silent', async () => {
    const { realm } = setting;
    const settings = oidcSettings(setting.options());
    const keys = new SigningKeys(new URL(`${realm.issuer}/jwks`));
    const begin = Date.now();
    const token = await realm.sign({ exp: begin / 1000 + 3600 });
    const timeOf = async () => {
      const started = performance.now();
      expect(await verifyToken(token, keys, settings)).not.toBeNull();
      return performance.now() - started;
    };
    vi.useFakeTimers({ toFake: ['Date'], now: begin });
    try {
      await timeOf();
      const asked = realm.counts.keys;
      vi.setSystemTime(begin + 31_000);
      await timeOf();
      await vi.waitFor(() => expect(realm.counts.keys).toBe(asked + 1));
      realm.behaviour.broken = 'silence';
      vi.setSystemTime(begin + 80_000);
      expect(await timeOf()).toBeLessThan(500);
      vi.setSystemTime(begin + 200_000);
      expect(await timeOf()).toBeLessThan(2_000);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is asked before a token is read whose keys are older than a minute', async () => {
    const { realm } = setting;
    const settings = oidcSettings(setting.options());
    const keys = new SigningKeys(new URL(`${realm.issuer}/jwks`));
    const begin = Date.now();
    const token = await realm.sign({ exp: begin / 1000 + 3600 });
    vi.useFakeTimers({ toFake: ['Date'], now: begin });
    try {
      expect(await verifyToken(token, keys, settings)).not.toBeNull();
      await realm.rotateKeys();
      vi.setSystemTime(begin + 61_000);
      expect(await verifyToken(token, keys, settings)).toBeNull();
    } finally {
      vi.useRealTimers();
    }
  });

  it('does not fill the memory with an answer that is small only while it is packed', async () => {
    const { board } = setting;
    const packed = gzipSync(Buffer.alloc(64_000_000, ' '));
    let sent = 0;
    const bomb = createServer((_request, response) => {
      sent += 1;
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' });
      response.end(packed);
    }).listen(0, '127.0.0.1');
    await new Promise((resolve) => bomb.once('listening', resolve));
    const url = `http://127.0.0.1:${(bomb.address() as AddressInfo).port}`;
    board.protect(setting.options({ url }));
    expect((await ask(`${board.url}/`, { headers: navigation })).status).toBe(503);
    await expect(new SigningKeys(new URL(url)).ready()).rejects.toThrow('ANSWER_TOO_LONG');
    expect(sent).toBe(2);
    expect(board.reported.map(String)).toEqual([
      'AuthProviderError: The identity provider did not serve discovery: ANSWER_TOO_LONG',
    ]);
    bomb.close();
    bomb.closeAllConnections();
  });

  it('keeps a session that it cannot refresh, until it can', async () => {
    const { board, realm } = setting;
    realm.behaviour.accessTokenSeconds = 10;
    board.protect(setting.options());
    const agent = new Agent();
    await logIn(agent, `${board.url}/`, 'ada');
    advanceClock(11_000);
    realm.behaviour.accessTokenSeconds = 300;
    await realm.down();
    const api = await agent.ask(`${board.url}/api/queues`);
    expect([api.status, api.json(), api.cookies]).toEqual([503, unavailable, []]);
    const page = await agent.ask(`${board.url}/`, { headers: navigation });
    expect(page.status).toBe(503);
    await realm.up();
    realm.behaviour.broken = 'status 500';
    expect((await agent.ask(`${board.url}/api/queues`)).status).toBe(503);
    realm.behaviour.broken = null;
    const again = await agent.ask(`${board.url}/api/queues`);
    expect([again.status, again.cookies.length]).toEqual([200, 1]);
  });

  it('in the middle of a login says so, and the next login works', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const agent = new Agent();
    const first = await agent.ask(`${board.url}/queue/a`, { headers: navigation });
    const callback = await toCallback(agent, await toForm(agent, first), 'ada');
    await realm.down();
    const answer = await agent.ask(callback, { headers: navigation });
    expect(answer.status).toBe(503);
    expect(answer.body).toContain('<a href="/admin/queues/">Try again</a>');
    await realm.up();
    expect((await logIn(new Agent(), `${board.url}/`, 'ada')).status).toBe(302);
  });
});

describe('what the operator is told', () => {
  it('is one line a minute, with the step and a code', async () => {
    const { board, realm } = setting;
    await realm.down();
    board.protect(setting.options({ onError: undefined }));
    printed.length = 0;
    for (let turn = 0; turn < 3; turn += 1) await ask(`${board.url}/`, { headers: navigation });
    expect(printed).toEqual([
      'sluice/auth: The identity provider did not serve discovery: ECONNREFUSED',
    ]);
    await realm.up();
  });

  it('is what the provider said when it refuses the client', async () => {
    const { board } = setting;
    board.protect(setting.options({ clientSecret: 'not the secret of the client' }));
    const answer = await logIn(new Agent(), `${board.url}/`, 'ada');
    expect(answer.status).toBe(401);
    expect(board.reported.map(String)).toEqual([
      'AuthProviderError: The identity provider did not serve login: invalid_client, status 401',
    ]);
  });

  it('is the class of what a hook threw, not its message', async () => {
    const { board, realm } = setting;
    const thrower = () => {
      throw new RangeError('may hold anything');
    };
    board.protect(setting.options({ onError: undefined, onAuthenticated: thrower }));
    printed.length = 0;
    const headers = { authorization: `Bearer ${await realm.sign({})}` };
    expect((await ask(`${board.url}/`, { headers })).status).toBe(500);
    expect(printed).toEqual(['sluice/auth: onAuthenticated threw RangeError']);
  });

  it('keeps no request from its answer when telling fails', async () => {
    const { board, realm } = setting;
    const headers = { authorization: `Bearer ${await realm.sign({})}` };
    const onAuthenticated = () => {
      throw new Error('the host’s own');
    };
    const told: unknown[] = [];
    for (const onError of [
      (error: unknown) => {
        told.push(error);
        throw new Error('of onError');
      },
      async (error: unknown) => {
        told.push(error);
        throw new Error('of onError, later');
      },
    ]) {
      board.protect(setting.options({ onError, onAuthenticated }));
      expect((await ask(`${board.url}/`, { headers })).status).toBe(500);
    }
    expect(told.map(String)).toEqual(['Error: the host’s own', 'Error: the host’s own']);
  });
});
