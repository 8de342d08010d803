/** Memory after requests: caches are bounded, and no part of a request retains the whole request. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import { BoundedCache } from '../../../src/lib/caches.ts';
import { keptParts } from '../../../src/rules/plan/kept-parts.ts';
import { shopRules } from './shop-rules.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function heapAfter(work: () => void): number {
  collect();
  const before = process.memoryUsage().heapUsed;
  work();
  collect();
  return process.memoryUsage().heapUsed - before;
}

describe('a bounded cache', () => {
  it('drops the least recently used entry', () => {
    const cache = new BoundedCache<string, number>(2);
    cache.set('a', 1);
    cache.set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect([cache.get('a'), cache.get('b'), cache.get('c'), cache.size]).toEqual([
      1,
      undefined,
      3,
      2,
    ]);
  });

  it('keeps what is read while it fills', () => {
    const cache = new BoundedCache<string, number>(10);
    for (const [key, value] of [...'abcdefghij'].entries()) {
      cache.set(value, key);
      cache.get('a');
    }
    for (const more of 'klmno') cache.set(more, 0);
    expect([cache.get('a'), cache.get('b'), cache.get('o'), cache.size]).toEqual([
      0,
      undefined,
      0,
      10,
    ]);
  });

  it('makes room by weight, and lets nothing push everything out', () => {
    const cache = new BoundedCache<string, number>(10, (value) => value);
    for (const value of [1, 2, 3, 4]) cache.set(`${value}`, value);
    cache.set('4', 3);
    expect(cache.size).toBe(4);
    cache.set('5', 5);
    expect([cache.get('1'), cache.get('2'), cache.get('3'), cache.size]).toEqual([
      undefined,
      undefined,
      undefined,
      2,
    ]);
    cache.set('11', 11);
    expect([cache.get('11'), cache.get('4'), cache.get('5')]).toEqual([undefined, 3, 5]);
  });
});

describe('cached parts do not retain the requests they came from', () => {
  const megabyte = 1_000_000;
  const rules = shopRules(
    {},
    { passthroughParams: ['own'], limits: { maxQueryLength: 2 * megabyte } },
  );
  /** A separate query string of one megabyte, as a server reads it from a socket. */
  const padded = (request: string): string =>
    Buffer.from(`${request}&own=${'x'.repeat(megabyte)}`).toString();
  const many = Array.from({ length: 60 }, (_, at) => at + 1);
  const chosen = (of: readonly string[], at: number): string =>
    of.filter((_, bit) => (at >> bit) & 1).join();

  it.each<[string, (at: number) => string]>([
    ['names of parameters', (at) => `filter[a.path.that.is.unknown${at}][eq]=1`],
    ['names with groups', (at) => `filter[$or][${at}][a.path][eq]=1`],
    [
      'orders',
      (at) => `sort=${chosen(['name', 'price', 'id', 'stock', 'changedAt', '-maker.name'], at)}`,
    ],
    [
      'projections',
      (at) =>
        `includes=maker&fields=${chosen(['name', 'price', 'id', 'stock', 'maker.id', 'maker.name'], at)}`,
    ],
  ])('%s', (_what, request) => {
    const grown = heapAfter(() => {
      for (const at of many) {
        try {
          planQuery(padded(request(at)), rules);
        } catch {
          // An unknown path is refused, but its name is cached.
        }
      }
    });
    expect(grown).toBeLessThan(10 * megabyte);
  });

  it('plans of query strings', () => {
    const both = shopRules({ mode: 'both' }, { limits: { maxQueryLength: 2 * megabyte } });
    const grown = heapAfter(() => {
      for (const at of many) {
        const cursor = Buffer.from('x'.repeat(megabyte)).toString();
        const name = `a name that is longer than a copied part ${at}`;
        keptParts(`filter[name][eq]=${name}&sort=name&cursor=${cursor}`, both);
      }
    });
    expect(grown).toBeLessThan(10 * megabyte);
  });
});

it('keeps no long names with groups', () => {
  const rules = shopRules();
  const around = `[${'relation'.repeat(30)}][$some]`.repeat(8);
  const grown = heapAfter(() => {
    for (let at = 0; at < 1_000; at += 1) {
      expect(() => planQuery(`filter[$or][${at}]${around}[name][eq]=1`, rules)).toThrow('filter');
    }
  });
  expect(grown).toBeLessThan(1_000_000);
});
