/** Arrays in JSON as answers show them: digits that a double does not hold, and members that do not fit the kind. */

import { expect, it } from 'vitest';
import { presentJsonArray } from '../../../src/relational/read/json-arrays.ts';

it.each([
  [
    'bigint',
    '[9007199254740993, 1e2, 1.5, "7", null, -0, 9223372036854775808]',
    ['9007199254740993', '100', null, null, null, '0', null],
  ],
  [
    'decimal',
    '[0.10, 1e400, 12345678901234567890.123, 1E-3, "1"]',
    ['0.1', null, '12345678901234567890.123', '0.001', null],
  ],
  ['integer', '[1, 2147483648, 1.0, 1e2]', [1, null, 1, 100]],
  ['date', '["2024-01-01", "2024-1-1"]', ['2024-01-01', null]],
  ['boolean', '[true, 1, "true"]', [true, null, null]],
  ['string', '["a", 1, ["a"]]', ['a', null, null]],
  ['string', '{"a": 1}', null],
  ['string', 'not JSON', null],
] as const)('an array of kind %s: %s', (kind, text, shown) => {
  expect(presentJsonArray(kind)(text)).toEqual(shown);
});
