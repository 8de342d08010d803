/** The grant that the tokens of one answer give together. */

import { generateKeyPair } from 'jose';
import { describe, expect, it } from 'vitest';
import { AuthProviderError } from '../../src/auth/index.ts';
import { realmRoles, refreshedUser } from '../../src/auth/oidc/claims.ts';
import { readGrant } from '../../src/auth/oidc/grant.ts';
import { oidcSettings } from '../../src/auth/oidc/oidc-settings.ts';
import { SigningKeys } from '../../src/auth/oidc/signing-keys.ts';
import { ask } from './support/agent.ts';
import { useRealm } from './support/use-realm.ts';

const setting = useRealm();
const settings = () => oidcSettings(setting.options());
const keys = () => new SigningKeys(new URL(`${setting.realm.issuer}/jwks`));

async function grantOf(access: string, id?: string) {
  const answer = {
    access_token: access,
    token_type: 'bearer' as const,
    expires_in: 60,
    ...(id === undefined ? {} : { id_token: id }),
  };
  return readGrant(answer, keys(), settings());
}

describe('the tokens of an answer', () => {
  it('speak of one subject; the access token has the last word', async () => {
    const { realm } = setting;
    const id = await realm.sign({ aud: 'board', name: 'Ada', email: 'old@example.test' });
    const access = await realm.sign({ email: 'new@example.test' });
    const grant = await grantOf(access, id);
    expect(grant?.claims).toMatchObject({ name: 'Ada', email: 'new@example.test', sub: 'script' });
    expect(await grantOf(await realm.sign({ sub: 'other' }), id)).toBeNull();
  });

  it('are nothing without a good ID token, where there is one', async () => {
    const { board, realm } = setting;
    board.protect(setting.options());
    expect((await ask(`${board.url}/api/queues`)).status).toBe(401);
    const access = await realm.sign({});
    const { privateKey } = await generateKeyPair('RS256');
    const past = Math.floor(Date.now() / 1000) - 60;
    for (const id of [
      'no.good.token',
      await realm.sign({ aud: 'another', azp: 'another' }),
      await realm.sign({ aud: 'board', iss: `${realm.issuer}x` }),
      await realm.sign({ aud: 'board', exp: past }),
      await realm.sign({ aud: 'board' }, { key: privateKey }),
    ]) {
      expect(await grantOf(access, id)).toBeNull();
    }
  });

  it('may hold an access token that is for others: it is only not read', async () => {
    const { realm } = setting;
    const id = await realm.sign({ aud: 'board', name: 'Ada' });
    for (const access of ['opaque', await realm.sign({ aud: 'x', azp: 'x', name: 'Eve' })]) {
      const grant = await grantOf(access, id);
      expect(grant?.claims).toMatchObject({ name: 'Ada' });
      expect(grant?.accessExp).toBeCloseTo(Date.now() / 1000 + 60, -1);
    }
    expect(await grantOf('opaque')).toMatchObject({ told: false, claims: {} });
  });

  it('hold until the access token expires, else as long as the answer says, else five minutes', async () => {
    const { realm } = setting;
    const now = Math.floor(Date.now() / 1000);
    expect((await grantOf(await realm.sign({ exp: now + 700 })))?.accessExp).toBe(now + 700);
    const said = (await grantOf('opaque'))?.accessExp ?? 0;
    expect(said - now).toBeOneOf([60, 61, 62]);
    const unsaid = await readGrant(
      { access_token: 'opaque', token_type: 'bearer' },
      keys(),
      settings(),
    );
    expect((unsaid?.accessExp ?? 0) - now).toBeOneOf([300, 301, 302]);
  });

  it('cannot be read while the keys cannot be had', async () => {
    const { realm } = setting;
    const access = await realm.sign({});
    await realm.down();
    await expect(grantOf(access)).rejects.toThrow(AuthProviderError);
    await realm.up();
    expect(await grantOf(access)).toMatchObject({ told: true });
  });
});

describe('a user after a refresh', () => {
  it('keeps what the new claims leave out, and has the roles of now', () => {
    const before = { username: 'ada', name: 'Ada', email: 'a@example.test', roles: ['operator'] };
    expect(refreshedUser(before, { sub: 'x' }, realmRoles('board', []))).toEqual({
      ...before,
      roles: [],
    });
    const claims = { sub: 'x', name: 'Ada L.', realm_access: { roles: ['user'] } };
    expect(refreshedUser(before, claims, realmRoles('board', []))).toEqual({
      ...before,
      name: 'Ada L.',
      roles: ['user'],
    });
    // An address that the provider has not verified is not taken, nor does the old one stay.
    const moved = { sub: 'x', email: 'boss@example.test' };
    for (const verified of [undefined, false, true]) {
      const { email } = refreshedUser(before, { ...moved, email_verified: verified }, () => []);
      expect(email).toBe(verified ? moved.email : undefined);
    }
    const tricky = { sub: 'x', resource_access: JSON.parse('{"__proto__":{"roles":["a"]}}') };
    expect(refreshedUser(before, tricky, realmRoles('__proto__', [])).roles).toEqual(['a']);
    expect(
      refreshedUser(before, { sub: 'x', resource_access: {} }, realmRoles('constructor', [])).roles,
    ).toEqual([]);
  });
});
