/** The board's own check of writes: what a browser says of other origins is refused, and scripts go on. */

import { expect, it } from 'vitest';
import { isOwnWrite } from '../../src/board/core/authority/board-auth.ts';

const host = 'board.test:8080';

it.each([
  {},
  { 'sec-fetch-site': 'same-origin' },
  { 'sec-fetch-site': 'none' },
  { origin: `http://${host}` },
  { origin: `https://${host}` },
  { origin: 'https://a.test', 'x-forwarded-host': 'a.test, inner.test' },
  { origin: 'https://a.test', 'x-forwarded-host': 'a.test:443', 'x-forwarded-proto': 'https' },
])('a write with %j goes on', (headers) => {
  expect(isOwnWrite({ host, ...headers })).toBe(true);
});

it.each([
  { 'sec-fetch-site': 'cross-site' },
  { 'sec-fetch-site': 'same-site' },
  { 'sec-fetch-site': 'same-site', origin: `http://${host}` },
  { 'sec-fetch-site': 'anything' },
  { origin: 'http://board.test:9090' },
  { origin: 'http://board.test' },
  { origin: `http://other.${host}` },
  { origin: 'null' },
  { origin: 'file://' },
  { origin: `http://${host}`, 'x-forwarded-proto': 'https' },
  { origin: `http://${host}`, 'x-forwarded-host': 'a.test' },
])('a write with %j is refused', (headers) => {
  expect(isOwnWrite({ host, ...headers })).toBe(false);
});
