/** Stores of several instances: exclusive claims, values that expire, and failures that decide nothing. */

import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { AuthStoreError, postgresqlAuthStore, redisAuthStore } from '../../src/auth/index.ts';
import type { AuthStore } from '../../src/auth/index.ts';
import { sealedStore } from '../../src/auth/session/sealed-store.ts';
import { guardedStore } from '../../src/auth/store/guarded.ts';
import { memoryAuthStore } from '../../src/auth/store/memory.ts';
import { onceAcross } from '../../src/auth/store/once-across.ts';
import { advanceClock } from '../clock.ts';
import { findRedis, scratchDatabase } from '../services/index.ts';
import { outageProxy } from '../services/outage-proxy.ts';
import { stores } from './support/stores.ts';
import type { OpenedStore } from './support/stores.ts';
import { forgetKeys } from '../forget-keys.ts';

describe.each(Object.entries(stores))('a store in %s', (_name, open) => {
  let opened: OpenedStore | null = null;
  beforeAll(async () => {
    opened = await open();
  });
  afterAll(() => opened?.close());

  it('answers one claim of many, from either instance', async ({ skip }) => {
    if (opened === null) return skip();
    const { stores: both } = opened;
    const claims = await Promise.all(
      Array.from({ length: 40 }, (_, at) => both[at % 2 === 0 ? 0 : 1].claim('one', 30)),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await both[1].claim('two', 30)).toBe(true);
  });

  it('keeps values for their time, and replaces them', async ({ skip }) => {
    if (opened === null) return skip();
    const [one, two] = opened.stores;
    expect(await one.get('value')).toBeNull();
    await one.set('value', 'a "text" of ünicode; \'drop', 30);
    expect(await two.get('value')).toBe('a "text" of ünicode; \'drop');
    await two.set('value', 'b', 0.3);
    expect(await one.claim('value', 30)).toBe(false);
    expect(await one.get('value')).toBe('b');
    await pause(400);
    expect(await one.get('value')).toBeNull();
    expect(await one.claim('value', 30)).toBe(true);
  });

  it('has work done once, and gives its result to all', async ({ skip }) => {
    if (opened === null) return skip();
    const { stores: both } = opened;
    let done = 0;
    const run = (at: number, key: string, result: string | null) =>
      onceAcross(both[at % 2 === 0 ? 0 : 1], key, 30, async () => {
        done += 1;
        await pause(60);
        return result;
      });
    const many = (key: string, result: string | null) =>
      Promise.all(Array.from({ length: 12 }, (_, at) => run(at, key, result)));
    expect(new Set(await many('work', 'result'))).toEqual(new Set(['result']));
    expect(new Set(await many('none', null))).toEqual(new Set([null]));
    expect(done).toBe(2);
    expect([await run(1, 'work', 'another'), done]).toEqual(['result', 2]);
  });

  it('lets another instance try where the work failed', async ({ skip }) => {
    if (opened === null) return skip();
    const [one, two] = opened.stores;
    const failing = onceAcross(one, 'failed', 30, () => Promise.reject(new Error('of the work')));
    await expect(failing).rejects.toThrow('of the work');
    expect(await onceAcross(two, 'failed', 30, async () => 'done')).toBe('done');
  });
});

it('work is not done again by an instance that looks for its result while another one ends it', async () => {
  const store = memoryAuthStore();
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  const first = onceAcross(store, 'work', 30, async () => {
    await ended;
    return 'result';
  });
  let calls = 0;
  /** After its first call the work is done, and the claim of the other instance expires. */
  const between = async <Result>(call: Promise<Result>): Promise<Result> => {
    const result = await call;
    calls += 1;
    if (calls > 1) return result;
    end();
    await first;
    advanceClock(16_000);
    return result;
  };
  const late: AuthStore = {
    claim: (key, seconds) => between(store.claim(key, seconds)),
    get: (key) => between(store.get(key)),
    set: (key, value, seconds) => between(store.set(key, value, seconds)),
  };
  expect(await onceAcross(late, 'work', 30, async () => 'again')).toBe('result');
  expect(await first).toBe('result');
});

it('work that has failed is tried again by the first that asks a second later', async () => {
  const store = memoryAuthStore();
  const failing = onceAcross(store, 'failed', 30, () => Promise.reject(new Error('of the work')));
  await expect(failing).rejects.toThrow('of the work');
  advanceClock(1_100);
  let claims = 0;
  const counted: AuthStore = {
    ...store,
    claim: (key, seconds) => {
      claims += 1;
      return store.claim(key, seconds);
    },
  };
  expect(await onceAcross(counted, 'failed', 30, async () => 'done')).toBe('done');
  expect(claims).toBe(1);
});

it('work of other instances that ends without a result is not waited for beyond its time', async () => {
  const store: AuthStore = {
    ...memoryAuthStore(),
    claim: async () => {
      advanceClock(1_000);
      return false;
    },
  };
  const waiting = onceAcross(store, 'work', 30, async () => 'own');
  await expect(waiting).rejects.toThrow(AuthStoreError);
});

it('a result is written once more each second, until another instance may have done the work again', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  try {
    let writes = 0;
    const store: AuthStore = {
      ...memoryAuthStore(),
      set: () => {
        writes += 1;
        return Promise.reject(new Error('away'));
      },
    };
    expect(await onceAcross(store, 'work', 30, async () => 'result')).toBe('result');
    await vi.advanceTimersByTimeAsync(60_000);
    // At first, and in the seconds of the claim.
    expect(writes).toBe(16);
  } finally {
    vi.useRealTimers();
  }
});

it('a store in PostgreSQL makes its table again when it is gone', async ({ skip }) => {
  const database = await scratchDatabase('postgresql', 'auth');
  if ('missing' in database) return skip(database.advice);
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  const store = postgresqlAuthStore(pool);
  await store.set('key', 'value', 30);
  await pool.query('drop table sluice_auth');
  expect(await store.get('key')).toBeNull();
  await store.set('key', 'another', 30);
  expect(await store.get('key')).toBe('another');
  const found = postgresqlAuthStore(pool, { createTable: false });
  await pool.query('drop table sluice_auth');
  await expect(found.get('key')).rejects.toThrow('does not exist');
  await pool.end();
  await database.drop();
});

it('a store that goes away under the work costs no result, nor a claim that comes too late', async ({
  skip,
}) => {
  const service = await findRedis();
  if ('missing' in service) return skip(service.advice);
  const proxy = await outageProxy(service.url);
  const prefix = `auth-test-${randomUUID()}:`;
  const settings = { maxRetriesPerRequest: null, retryStrategy: () => 50 };
  const clients = [new Redis(proxy.url, settings), new Redis(service.url)] as const;
  for (const client of clients) client.on('error', () => undefined);
  const [cut, whole] = clients.map((client) => guardedStore(redisAuthStore(client, { prefix })));
  if (cut === undefined || whole === undefined) throw new Error('two clients make two stores');
  let done = 0;
  const result = await onceAcross(cut, 'work', 30, async () => {
    done += 1;
    await proxy.close();
    return 'result';
  });
  expect(result).toBe('result');
  await expect(cut.claim('late', 15)).rejects.toThrow(AuthStoreError);
  await proxy.open();
  expect(await onceAcross(whole, 'work', 30, async () => 'again')).toBe('result');
  expect(done).toBe(1);
  await vi.waitFor(async () => expect(await whole.claim('late', 15)).toBe(true), {
    timeout: 5_000,
    interval: 50,
  });
  await forgetKeys(clients[1], prefix);
  for (const client of clients) await client.quit();
  await proxy.close();
  await service.dispose();
});

it('a sealed value is kept as long as its session may be out of use', async () => {
  const settings = { secrets: ['a secret of at least 32 characters'], purpose: 'test' };
  const kept = sealedStore(memoryAuthStore(), settings, { maxAgeSeconds: 900, idleSeconds: 60 });
  const id = String(await kept?.seal({ user: 'a' }));
  expect(await kept?.open(id)).toEqual({ user: 'a' });
  advanceClock(61_000);
  expect(await kept?.open(id)).toBeUndefined();
});

it('a store that fails or is silent is an error of its own', async () => {
  const failing: AuthStore = {
    claim: () => Promise.reject(new Error('refused')),
    get: () => {
      throw new Error('at once');
    },
    set: () => new Promise(() => undefined),
  };
  const guarded = guardedStore(failing);
  await expect(guarded.claim('a', 1)).rejects.toThrow(AuthStoreError);
  await expect(guarded.get('a')).rejects.toThrow(AuthStoreError);
  await expect(guarded.set('a', 'b', 1)).rejects.toThrow(AuthStoreError);
});

it('a client or a table that cannot work is refused at once', () => {
  expect(() => redisAuthStore({} as never)).toThrow('ioredis or redis');
  for (const table of ['', 'a b', 'a;drop', '"a"', 'a.b.c']) {
    expect(() => postgresqlAuthStore({} as never, { table })).toThrow('"table" must be a name');
  }
});
