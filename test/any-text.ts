/**
 * Text of any characters, for generated suites. The unit `binary` of fast-check draws the same texts, and first makes
 * a map of all its million characters, in every process.
 */

import fc from 'fast-check';

const surrogates = { first: 0xd800, count: 0x800 };

const character = fc.integer({ min: 0, max: 0x10_ffff - surrogates.count }).map(
  (index) => String.fromCodePoint(index < surrogates.first ? index : index + surrogates.count),
  (text) => {
    const point = /^\P{Surrogate}$/u.test(String(text)) && String(text).codePointAt(0);
    if (point === false || point === undefined) throw new Error('This is not one character.');
    return point < surrogates.first ? point : point - surrogates.count;
  },
);

export const anyText = (
  constraints: Omit<fc.StringConstraints, 'unit'> = {},
): fc.Arbitrary<string> => fc.string({ ...constraints, unit: character });
