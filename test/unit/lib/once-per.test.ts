/** `oncePer`: one call for each list of arguments. */

import { expect, it, vi } from 'vitest';
import { oncePer } from '../../../src/lib/index.ts';

it('calls the function once for each list of arguments, of any types', () => {
  const make = vi.fn<(...given: readonly unknown[]) => unknown[]>((...given) => [...given]);
  const kept = oncePer(make);
  const key = {};
  const lists = [[], [key], [key, 1], [key, '1'], [key, undefined], [key, null], [1, key], [make]];
  const made = lists.map((list) => kept(...list));
  expect(made).toEqual(lists);
  expect(lists.map((list) => kept(...list))).toEqual(made);
  expect(kept(key)).toBe(made[1]);
  expect(kept({})).not.toBe(made[1]);
  expect(make).toHaveBeenCalledTimes(lists.length + 1);
});

it('keeps a result of `undefined`, but not a failure', () => {
  const make = vi.fn<(name: string) => undefined>();
  make.mockImplementationOnce(() => {
    throw new Error('not yet');
  });
  const kept = oncePer(make);
  expect(() => kept('a')).toThrow('not yet');
  expect([kept('a'), kept('a')]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledTimes(2);
});
