/** Parts on their own: what fits a cookie, what a cache keeps, and where a user is found. */

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { describe, expect, it, vi } from 'vitest';
import { getAuthUser } from '../../src/auth/index.ts';
import { attachUser, userOf } from '../../src/auth/auth-user.ts';
import { boardAddress } from '../../src/auth/address/board-address.ts';
import { ExpiringCache } from '../../src/lib/index.ts';
import { ExpiringMap } from '../../src/auth/session/expiring-map.ts';
import type { Grant } from '../../src/auth/oidc/grant.ts';
import { oidcCookie, sealSession } from '../../src/auth/oidc/oidc-session.ts';
import { oidcSettings } from '../../src/auth/oidc/oidc-settings.ts';
import { RecognisedCookies } from '../../src/auth/session/recognised.ts';
import { sealedLimit } from '../../src/auth/session/sealing.ts';
import { cookieSettings } from '../../src/auth/settings.ts';

describe('a session of oidc keeps the tokens that fit', () => {
  const cookie = oidcCookie(
    cookieSettings({ secret: 'a secret' }),
    oidcSettings({ strategy: 'oidc', url: 'https://a.test', realm: 'r', clientId: 'c' }),
    boardAddress({ basePath: '', publicUrl: null, trustProxy: 1 }),
    null,
  );
  const kept = async (
    refresh: number | null,
    id: number,
    roles = 1,
    outlive: number | null = null,
  ) => {
    const grant: Grant = {
      claims: {},
      told: true,
      refreshToken: refresh === null ? undefined : 'r'.repeat(refresh),
      idToken: 'i'.repeat(id),
      accessExp: 1_000,
      refreshLife: undefined,
    };
    const user = userOf({ roles: Array.from({ length: roles }, (_, at) => `role-${at}`) }, 'ada');
    const core = { id: 'i', sub: 'x', user, claims: {}, since: 0, seen: 0 };
    const done = await sealSession(cookie, core, grant, outlive);
    if (done === null) return null;
    expect(done.sealed.length).toBeLessThanOrEqual(sealedLimit);
    const { session, leftOut } = done;
    return [
      'refreshToken' in session ? 'refresh' : '',
      'idToken' in session ? 'id' : '',
      session.exp === 1_000 ? 'access expiry' : 'own expiry',
      ...leftOut,
    ];
  };

  it('both, else the refresh token, else the ID token, else neither', async () => {
    const access = 'access expiry';
    expect(await kept(1_000, 1_000)).toEqual(['refresh', 'id', access]);
    expect(await kept(1_000, 3_000)).toEqual(['refresh', '', access, 'ID token']);
    expect(await kept(2_500, 1_000)).toEqual(['refresh', '', access, 'ID token']);
    expect(await kept(4_000, 1_000)).toEqual(['', 'id', access, 'refresh token']);
    expect(await kept(4_000, 4_000)).toEqual(['', '', access, 'refresh token', 'ID token']);
    expect(await kept(null, 1_000)).toEqual(['', 'id', access]);
    expect(await kept(null, 10, 2_000)).toBeNull();
  });

  it('and ends with its access token without a refresh token, unless the host says otherwise', async () => {
    expect(await kept(1_000, 1_000, 1, 60)).toEqual(['refresh', 'id', 'access expiry']);
    expect(await kept(4_000, 1_000, 1, 60)).toEqual(['', 'id', 'own expiry', 'refresh token']);
    expect(await kept(null, 1_000, 1, 60)).toEqual(['', 'id', 'own expiry']);
  });

  it('and one that has expired does not stand before one that has not', async () => {
    const user = userOf({}, 'ada');
    const ends = Math.floor(Date.now() / 1000);
    const [old, good] = await Promise.all(
      [ends - 60, ends + 60].map((exp) =>
        cookie.seal({ v: 2, id: 'i', sub: 'x', user, exp, since: ends - 60, seen: ends - 60 }),
      ),
    );
    const found = async (...sealed: (string | null | undefined)[]) => {
      const header = sealed.map((value) => `board_session=${value}`).join('; ');
      const opened = await cookie.find({ headers: { cookie: header } } as IncomingMessage);
      return opened?.sealed;
    };
    for (const order of [
      [old, good],
      [good, old],
      ['junk', old, good],
    ]) {
      expect(await found(...order)).toBe(good);
    }
    // It may be refreshed yet.
    expect(await found('junk', old)).toBe(old);
  });
});

describe('the cache', () => {
  it('is bounded, keeps what is in use, and ends entries in time', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      const cache = new ExpiringCache<number>(10);
      cache.set('used', 1, 1_000);
      for (let index = 0; index < 1_000; index += 1) {
        cache.set(`key ${index}`, index, 1_000);
        expect(cache.get('used')).toBe(1);
        expect(cache.size).toBeLessThanOrEqual(20);
      }
      expect(cache.get('key 0')).toBeUndefined();
      expect(cache.get('key 999')).toBe(999);
      vi.setSystemTime(999);
      expect(cache.get('used')).toBe(1);
      vi.setSystemTime(1_000);
      expect(cache.get('used')).toBeUndefined();
      cache.set('gone', 1, 2_000);
      cache.delete('gone');
      expect(cache.get('gone')).toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('the map', () => {
  it('keeps every entry for its time, however many there are, and drops it after', () => {
    vi.useFakeTimers({ now: 0 });
    try {
      const map = new ExpiringMap<number>();
      for (let index = 0; index < 5_000; index += 1) map.set(`key ${index}`, index, 60_000);
      vi.setSystemTime(59_999);
      for (let index = 0; index < 5_000; index += 1) expect(map.get(`key ${index}`)).toBe(index);
      vi.setSystemTime(60_000);
      expect(map.get('key 0')).toBeUndefined();
      vi.setSystemTime(70_000);
      expect(map.size).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('recognised cookies', () => {
  const request = (cookie?: string) => ({ headers: { cookie } }) as IncomingMessage;
  const exp = Math.floor(Date.now() / 1000) + 60;
  const sealed = (of: number) => createHash('sha512').update(String(of)).digest('base64url');

  it('tell many apart by what is sealed, wherever it stands in the header', () => {
    const recognised = new RecognisedCookies<number>();
    const ways = [
      (value: string) => `board_session=${value}`,
      (value: string) => `board_session=${value}; theme=dark; language=en`,
      (value: string) => `theme=dark; language=en; board_session=${value}`,
    ];
    for (const way of ways) {
      for (let of = 0; of < 100; of += 1) recognised.set(request(way(sealed(of))), of, exp);
      for (let of = 0; of < 100; of += 1) {
        expect(recognised.get(request(way(sealed(of))))).toBe(of);
      }
    }
  });

  it('are known by the whole header, not by a part of it', () => {
    const recognised = new RecognisedCookies<number>();
    const header = `board_session=${sealed(1)}`;
    recognised.set(request(header), 1, exp);
    for (let at = 0; at < header.length; at += 1) {
      const altered = `${header.slice(0, at)}~${header.slice(at + 1)}`;
      expect(recognised.get(request(altered))).toBeUndefined();
    }
    expect(recognised.get(request(`${header}; more=1`))).toBeUndefined();
    expect(recognised.get(request())).toBeUndefined();
    expect(recognised.get(request(header))).toBe(1);
  });

  it('are forgotten in time, and not kept where the header is very long', () => {
    const recognised = new RecognisedCookies<number>();
    recognised.set(request('expired=1'), 1, exp - 61);
    recognised.set(request(`long=${'x'.repeat(8_192)}`), 1, exp);
    expect(recognised.get(request('expired=1'))).toBeUndefined();
    expect(recognised.get(request(`long=${'x'.repeat(8_192)}`))).toBeUndefined();
  });
});

describe('getAuthUser', () => {
  it('finds the user through what frameworks and hooks hand around', () => {
    const request = {};
    const user = userOf({ username: 'ada' }, '');
    attachUser(request, user);
    for (const holder of [
      request,
      { raw: request },
      { req: request },
      { env: { incoming: request } },
      { native: { raw: request } },
      { request: { native: { env: { incoming: request } } } },
    ]) {
      expect(getAuthUser(holder)).toBe(user);
    }
  });

  it('finds nobody elsewhere, and ends in circles', () => {
    const circle: Record<string, unknown> = {};
    Object.assign(circle, { req: circle, request: { req: circle } });
    expect(getAuthUser(circle)).toBeUndefined();
    expect(getAuthUser({})).toBeUndefined();
  });

  it('gives a user that nobody can change', () => {
    const user = userOf({ username: 'ada', roles: ['a', 'a', 7, 'b'], more: 'x' }, '');
    expect(user).toEqual({ username: 'ada', roles: ['a', 'b'] });
    expect([Object.isFrozen(user), Object.isFrozen(user.roles)]).toEqual([true, true]);
  });
});
