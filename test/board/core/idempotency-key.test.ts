/** The key of a repeated request, and the digest by which two bodies are equal. */

import { expect, it } from 'vitest';
import type { HookRequest } from '../../../src/board/core/index.ts';
import { digestOf, idempotencyKeyOf } from '../../../src/board/core/idempotency-key.ts';

it('is equal for equal values in any order of their members, and for no others', () => {
  const value = { data: { a: 1, b: [{ c: 1, d: null }, 2] }, name: 'mail' };
  const reordered = { name: 'mail', data: { b: [{ d: null, c: 1 }, 2], a: 1 } };
  expect(digestOf(reordered)).toBe(digestOf(value));
  for (const other of [
    { ...value, data: { ...value.data, a: '1' } },
    { ...value, data: { ...value.data, b: [2, { c: 1, d: null }] } },
    { ...value, data: { ...value.data, b: [{ c: 1 }, 2] } },
    { ...value, more: undefined, name: 'Mail' },
    [value],
  ]) {
    expect([other, digestOf(other)]).not.toEqual([other, digestOf(value)]);
  }
});

it('is a digest, which shows nobody the key that was sent', () => {
  const asked = (headers: HookRequest['headers']): HookRequest => ({
    params: {},
    query: {},
    body: {},
    headers,
    queues: new Map(),
    uiConfig: {},
    native: undefined,
  });
  const key = 'order-7';
  expect(idempotencyKeyOf(asked({ 'idempotency-key': key }))).toBe(digestOf(key));
  expect(digestOf(key)).toMatch(/^[\da-f]{64}$/);
  expect(idempotencyKeyOf(asked({}))).toBeUndefined();
  for (const wrong of ['', 'a b', 'ä', 'x'.repeat(256)]) {
    expect(() => idempotencyKeyOf(asked({ 'idempotency-key': wrong }))).toThrow(
      'INVALID_REQUEST_BODY',
    );
  }
});
