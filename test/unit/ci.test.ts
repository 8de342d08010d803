/** One reading of the variable `CI` decides what tests may leave out. */

import { expect, it } from 'vitest';
import { saysCi } from '../setup/ci.ts';

it.each([
  ['true', true],
  ['1', true],
  ['TRUE', true],
  ['github', true],
  ['false', false],
  ['0', false],
  ['', false],
  [undefined, false],
])('CI=%s: %s', (value, isOn) => {
  expect(saysCi(value)).toBe(isOn);
});
