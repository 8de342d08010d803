/** The key of a repeated request, and the digest by which two bodies are equal. */

import { expect, it } from 'vitest';
import { digestOf } from '../../../src/board/core/idempotency-key.ts';

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
