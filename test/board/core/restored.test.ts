/** An edit of data that a formatter of the host has changed stores the changes of the client, and the rest as it was. */

import { expect, it } from 'vitest';
import { restored } from '../../../src/board/core/values/restored.ts';

const stored = { pin: '4711', n: 1, inner: { pin: '12', left: 'out' }, list: [{ pin: '7' }, 2] };
/** Replaces, leaves out and adds members. */
const shown = {
  pin: '****',
  n: 1,
  inner: { pin: '**', total: 3 },
  list: [{ pin: '*' }, 2],
  label: 'one',
};

it.each<readonly [string, unknown, unknown]>([
  ['all as shown', shown, stored],
  ['a member beside a hidden one', { ...shown, n: 2 }, { ...stored, n: 2 }],
  ['a hidden member', { ...shown, pin: '5' }, { ...stored, pin: '5' }],
  [
    'a member that the formatter has added',
    { ...shown, label: 'two' },
    { ...stored, label: 'two' },
  ],
  ['a new member', { ...shown, more: null }, { ...stored, more: null }],
  [
    'a member beside an added one and one left out',
    { ...shown, inner: { ...shown.inner, more: 1 } },
    { ...stored, inner: { ...stored.inner, more: 1 } },
  ],
  ['a list', { ...shown, list: [{ pin: '*' }, 3] }, { ...stored, list: [{ pin: '7' }, 3] }],
  ['all but one member away', { n: 1 }, { n: 1 }],
  ['the whole', 'text', 'text'],
])('of %s', (_change, sent, expected) => {
  expect(restored(sent, shown, stored, 'data')).toEqual(expected);
});

it('of the length of a list is refused, unless all of its items are shown', () => {
  const shorter = { ...shown, list: [{ pin: '*' }] };
  expect(() => restored(shorter, shown, stored, 'data')).toThrow('INVALID_REQUEST_BODY');
  expect(restored([1], [1, 2], [1, 2], 'data')).toEqual([1]);
});
