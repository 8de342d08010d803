/** The cache of long keys by a short part of them. */

import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { ExpiringCache } from '../../../src/lib/index.ts';

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

/** Keys with the same label. */
const [one, other] = ['one: the same end', 'other: the same end'];

it('gives the value of a key to that key alone', () => {
  const cache = new ExpiringCache<number>(10);
  cache.set(one, 1, Date.now() + 1_000);
  expect([cache.get(one), cache.get(other)]).toEqual([1, undefined]);
  cache.set(other, 2, Date.now() + 1_000);
  expect([cache.get(one), cache.get(other)]).toEqual([undefined, 2]);
});

it('gives a value until its time, and none when the clock is set back', () => {
  const cache = new ExpiringCache<number>(10);
  const until = Date.now() + 1_000;
  cache.set(one, 1, until);
  vi.setSystemTime(until - 1);
  expect(cache.get(one)).toBe(1);
  vi.setSystemTime(until);
  expect(cache.get(one)).toBeUndefined();
  vi.setSystemTime(until - 1);
  cache.set(one, 2, until + 60_000);
  vi.setSystemTime(until - 10_000);
  expect(cache.get(one)).toBeUndefined();
});

it('keeps what is in use, and at most twice its size', () => {
  const cache = new ExpiringCache<number>(3);
  const until = Date.now() + 1_000;
  cache.set(one, 1, until);
  for (let key = 0; key < 20; key += 1) {
    cache.set(`key ${key}`, key, until);
    expect(cache.get(one)).toBe(1);
    expect(cache.size).toBeLessThanOrEqual(6);
  }
  expect(cache.get('key 1')).toBeUndefined();
});
