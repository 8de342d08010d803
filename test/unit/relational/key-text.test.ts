/** Texts by which included rows find the list of their parent: those of different keys differ. */

import { expect, it } from 'vitest';
import { keyText } from '../../../src/relational/read/reader.ts';

it('differs for different keys, whatever their parts contain', () => {
  const keys: readonly (readonly unknown[])[] = [
    ['a,b', 'c'],
    ['a', 'b,c'],
    ['a', 'b', 'c'],
    ['a"', '","b'],
    ['a","', '"b'],
    ['', ''],
    [','],
    [Buffer.from([1, 2]), 'c'],
    [Buffer.from([12]), 'c'],
    [Buffer.from([0xff]), Buffer.from([0xfe])],
    [Buffer.from([0xfe]), Buffer.from([0xff])],
  ];
  expect(new Set(keys.map(keyText)).size).toBe(keys.length);
});

it('is the same for a number as for its text, as drivers give either', () => {
  expect(keyText([7])).toBe(keyText(['7']));
  expect(keyText([7n, 1])).toBe(keyText(['7', '1']));
});
