/** Texts that come from outside: paths of mounts, HTML, and the length of a query string. */

import { expect, it } from 'vitest';
import {
  escapeHtml,
  longestCursor,
  normalizeBasePath,
  queryLength,
} from '../../../src/lib/index.ts';

it.each([
  ['', ''],
  ['/', ''],
  ['a', '/a'],
  ['//a//b//', '/a/b'],
  ['/a.b/..c/...', '/a.b/..c/...'],
  ['/%2e%2e%2e', '/%2e%2e%2e'],
])('the base path %j is %j', (given, path) => {
  expect(normalizeBasePath(given)).toBe(path);
});

it.each([
  '..',
  '/..',
  '/a/../b',
  '/a/..',
  '.',
  '/a/./b',
  '/a/%2e%2E/b',
  '/.%2e',
  '/%2E',
  'http://elsewhere.test/a',
  '/a?b',
  '/a#b',
  '/a;b',
  '/a b',
  '/a\\b',
  '/a"b',
  '/ä',
  7,
  null,
  undefined,
])('%j is not a base path', (given) => {
  expect(normalizeBasePath(given)).toBeUndefined();
});

it('a text cannot leave an element or an attribute in either quotes', () => {
  expect(escapeHtml(`a"b'c<d>e&f&quot;`)).toBe('a&quot;b&#39;c&lt;d&gt;e&amp;f&amp;quot;');
});

it('the length of a query string is that without the value of its cursor, and of no other', () => {
  const value = 'x'.repeat(1_000);
  for (const query of [`cursor=${value}`, `?cursor=${value}`, `sort=a&cursor=${value}&perPage=2`]) {
    expect([query, queryLength(query)]).toEqual([query, query.length - value.length]);
  }
  const endless = 'x'.repeat(longestCursor + 1);
  for (const query of [
    `nextcursor=${value}`,
    `next.cursor=${value}`,
    `filter[cursor]=${value}`,
    `a=cursor=${value}`,
    `Cursor=${value}`,
    `cursor=${endless}`,
  ]) {
    expect(queryLength(query)).toBe(query.length);
  }
});
