/** Stores of several instances: exclusive claims, values that expire, and failures that decide nothing. */

import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { AuthStoreError, postgresqlAuthStore, redisAuthStore } from '../../src/auth/index.ts';
import type { AuthStore } from '../../src/auth/index.ts';
import { guardedStore } from '../../src/auth/store/guarded.ts';
import { onceAcross } from '../../src/auth/store/once-across.ts';
import { stores } from './support/stores.ts';
import type { OpenedStore } from './support/stores.ts';

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
