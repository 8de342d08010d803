/** Attacks on bearer tokens of `oidc`: every token that only looks as if the realm meant it for the board. */

import { UnsecuredJWT, decodeJwt, generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { advanceClock } from '../clock.ts';
import { Agent, ask } from './support/agent.ts';
import { logIn } from './support/log-in.ts';
import { secret } from './support/transcript.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();

async function statusOf(token: string): Promise<number> {
  const { board } = setting;
  const headers = { authorization: `Bearer ${token}` };
  return (await ask(`${board.url}/api/queues`, { headers })).status;
}

const now = () => Math.floor(Date.now() / 1000);

describe('a bearer token', () => {
  it('without a signature is refused: alg none, in every spelling', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const claims = { iss: realm.issuer, sub: 'x', azp: 'board', aud: 'board', exp: now() + 60 };
    const unsecured = secret(new UnsecuredJWT(claims).encode());
    expect(await statusOf(unsecured)).toBe(401);
    const body = unsecured.split('.')[1];
    for (const alg of ['none', 'None', 'NONE', 'nOnE', '', 'HS256']) {
      const head = Buffer.from(JSON.stringify({ alg, kid: 'key-1' })).toString('base64url');
      for (const signature of ['', 'AAAA']) {
        expect(await statusOf(`${head}.${body}.${signature}`)).toBe(401);
      }
    }
    const good = await realm.sign({});
    expect(await statusOf(good.split('.').slice(0, 2).join('.'))).toBe(401);
    expect(await statusOf(`${good.split('.').slice(0, 2).join('.')}.`)).toBe(401);
  });

  it('signed with the public key as a shared secret is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const keys = (await (await fetch(`${realm.issuer}/jwks`)).text()) || 'x';
    const shared = new TextEncoder().encode(keys);
    expect(await statusOf(await realm.sign({}, { key: shared, header: { alg: 'HS256' } }))).toBe(
      401,
    );
  });

  it('signed by somebody else is refused, also with a key of its own in the header', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const { privateKey } = await generateKeyPair('RS256');
    const foreign = await generateKeyPair('RS256', { extractable: true });
    expect(await statusOf(await realm.sign({}, { key: privateKey }))).toBe(401);
    const header = { jku: 'http://127.0.0.1:1/keys', jwk: { kty: 'RSA', n: 'AQAB', e: 'AQAB' } };
    expect(await statusOf(await realm.sign({}, { key: foreign.privateKey, header }))).toBe(401);
    expect(await statusOf(await realm.sign({}, { key: privateKey, header: { kid: '../x' } }))).toBe(
      401,
    );
  });

  it('with an altered body or signature is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const [head = '', body = '', signature = ''] = (await realm.sign({})).split('.');
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as object;
    const admin = Buffer.from(
      JSON.stringify({ ...claims, realm_access: { roles: ['admin'] } }),
    ).toString('base64url');
    expect(await statusOf(`${head}.${admin}.${signature}`)).toBe(401);
    const flipped = (signature.startsWith('A') ? 'B' : 'A') + signature.slice(1);
    expect(await statusOf(`${head}.${body}.${flipped}`)).toBe(401);
  });

  it('of another issuer is refused, however alike', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    for (const iss of [
      `${realm.issuer}/`,
      realm.issuer.replace('demo', 'master'),
      realm.issuer.replace('http:', 'https:'),
      realm.issuer.toUpperCase(),
      [realm.issuer],
    ]) {
      expect(await statusOf(await realm.sign({ iss }))).toBe(401);
    }
    expect(await statusOf(await realm.sign({}, { without: ['iss'] }))).toBe(401);
  });

  it('for another audience is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    for (const claims of [
      { aud: 'account', azp: 'another' },
      { aud: ['account', 'board2'], azp: 'Board' },
      { aud: 'board ', azp: 'boar' },
      { aud: [['board']], azp: { board: true } },
    ]) {
      expect(await statusOf(await realm.sign(claims))).toBe(401);
    }
    expect(await statusOf(await realm.sign({}, { without: ['azp'] }))).toBe(401);
  });

  it('that has expired, never expires, or is not valid yet is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    expect(await statusOf(await realm.sign({ exp: now() - 31 }))).toBe(401);
    expect(await statusOf(await realm.sign({}, { without: ['exp'] }))).toBe(401);
    expect(await statusOf(await realm.sign({ nbf: now() + 60 }))).toBe(401);
    expect(await statusOf(await realm.sign({ exp: 'tomorrow' }))).toBe(401);
  });

  it('that the realm made for something else is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    for (const typ of ['ID', 'Refresh', 'Offline', 'Logout', 'DPoP']) {
      expect(await statusOf(await realm.sign({ typ }))).toBe(401);
    }
    expect(await statusOf(await realm.sign({ cnf: { jkt: 'x' } }))).toBe(401);
    expect(await statusOf(await realm.sign({ typ: 'Bearer' }))).toBe(200);
  });

  it('that the realm signs for anybody who asks it for a login is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    // Nobody logs in here: the provider puts its refusal into a token with our client as the audience.
    const query = new URLSearchParams({
      client_id: 'board',
      response_type: 'code',
      response_mode: 'query.jwt',
      prompt: 'none',
      scope: 'openid',
      redirect_uri: `${board.url}/auth/callback`,
      code_challenge: 'A'.repeat(43),
      code_challenge_method: 'S256',
    });
    const answer = await ask(`${realm.issuer}/auth?${query}`, {}, { board: false });
    const to = new URL(answer.headers.location ?? '');
    const token = secret(to.searchParams.get('response') ?? '');
    expect(decodeJwt(token)).toMatchObject({ iss: realm.issuer, aud: 'board' });
    expect(await statusOf(token)).toBe(401);
    // However it is signed: without a name there is no user.
    for (const claims of [{ sub: undefined }, { sub: '' }, { sub: 7, email: ['x'] }]) {
      expect(await statusOf(await realm.sign(claims))).toBe(401);
    }
  });

  it('that a login was begun or ended with is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    await logIn(new Agent(), `${board.url}/`, 'ada');
    const { id_token: id, access_token: access } = realm.grants.at(-1) ?? {};
    expect(await statusOf(String(access))).toBe(200);
    expect(await statusOf(String(id))).toBe(401);
    for (const claims of [{ nonce: 'x' }, { at_hash: 'x' }, { events: {} }]) {
      expect(await statusOf(await realm.sign(claims))).toBe(401);
      // A provider that says that it is an access token is believed.
      expect(await statusOf(await realm.sign({ ...claims, typ: 'Bearer' }))).toBe(200);
    }
    const typed = async (typ: string) => statusOf(await realm.sign({}, { header: { typ } }));
    for (const typ of ['JWT', 'at+jwt', 'application/at+JWT']) expect(await typed(typ)).toBe(200);
    for (const typ of ['logout+jwt', 'dpop+jwt', 'secevent+jwt', 'x']) {
      expect(await typed(typ)).toBe(401);
    }
  });

  it('whose header demands what nobody here knows is refused', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const header = { 'https://x.test/bound': true };
    const crit = { 'https://x.test/bound': true };
    expect(await statusOf(await realm.sign({}, { header }))).toBe(200);
    const demanding = { ...header, crit: Object.keys(crit) };
    expect(await statusOf(await realm.sign({}, { header: demanding, crit }))).toBe(401);
  });

  it('that is too long, or no token at all, is refused', async () => {
    setting.board.protect(setting.options());
    for (const text of ['x'.repeat(9_000), 'a.b', 'a.b.c.d.e', '..', '%00', '{}', 'ÿ.ÿ.ÿ']) {
      expect(await statusOf(text)).toBe(401);
    }
  });
});

describe('signing keys', () => {
  it('that the provider rotates in are accepted, and those it rotates away are not', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    const old = await realm.sign({});
    for (let turn = 0; turn < 3; turn += 1) expect(await statusOf(old)).toBe(200);
    await realm.rotateKeys();
    const young = await realm.sign({});
    // A key that is not known makes the keys be asked for again, at most once a second.
    advanceClock(1_100);
    expect(await statusOf(young)).toBe(200);
    // The old token was remembered as good; with its key it is forgotten.
    expect(await statusOf(old)).toBe(401);
    expect(await statusOf(young)).toBe(200);
  });

  it('are not asked for more than once a second, whoever invents key names', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    await statusOf(await realm.sign({}));
    const before = realm.counts.keys;
    const invented = await Promise.all(
      Array.from({ length: 40 }, (_, index) => realm.sign({}, { header: { kid: `k${index}` } })),
    );
    const began = performance.now();
    const statuses = await Promise.all(invented.map(statusOf));
    const seconds = Math.ceil((performance.now() - began) / 1000);
    expect(new Set(statuses)).toEqual(new Set([401]));
    // On a busy machine, the requests take longer than a second.
    expect(realm.counts.keys - before).toBeLessThanOrEqual(1 + seconds);
  });
});
