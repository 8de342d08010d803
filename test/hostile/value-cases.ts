/** Named hostile values, pages, cursors and sorts. */

import { filter } from './hostile-case.ts';
import type { HostileCase } from './hostile-case.ts';

const refusedValues: readonly (readonly [
  name: string,
  path: string,
  operator: string,
  value: string,
])[] = [
  ['a NUL in text', 'name', 'eq', 'a%00b'],
  ['a NUL in a term', 'name', 'like', '%00'],
  ['a NUL in a list', 'name', 'in', 'a,%00'],
  ['text beyond the limit', 'name', 'eq', 'a'.repeat(1001)],
  ['a term beyond the limit', 'name', 'ilike', 'a'.repeat(1001)],
  ['a list beyond the limit', 'id', 'in', `${'1,'.repeat(1000)}1`],
  ['an integer beyond 32 bits', 'age', 'eq', '2147483648'],
  ['an integer below 32 bits', 'age', 'eq', '-2147483649'],
  ['an integer with a fraction', 'age', 'eq', '1.0'],
  ['an integer with an exponent', 'age', 'eq', '1e3'],
  ['an integer with a plus sign', 'age', 'eq', '%2B1'],
  ['an integer with a leading zero', 'age', 'eq', '01'],
  ['an integer with letters after it', 'age', 'eq', '10abc'],
  ['an integer between blanks', 'age', 'eq', '%201%20'],
  ['no integer at all', 'age', 'eq', ''],
  ['digits of another script', 'age', 'eq', '%D9%A1'],
  ['a bigint beyond 64 bits', 'visits', 'eq', '9223372036854775808'],
  ['a bigint below 64 bits', 'visits', 'eq', '-9223372036854775809'],
  ['a decimal of 66 digits', 'balance', 'eq', '9'.repeat(66)],
  ['a decimal with 31 digits of fraction', 'balance', 'eq', `0.${'1'.repeat(31)}`],
  ['a decimal with an exponent', 'balance', 'eq', '1e5'],
  ['NaN', 'balance', 'eq', 'NaN'],
  ['Infinity', 'balance', 'gt', '-Infinity'],
  ['a boolean in capitals', 'active', 'eq', 'TRUE'],
  ['yes', 'active', 'eq', 'yes'],
  ['30 February', 'born', 'eq', '2024-02-30'],
  ['29 February of a common year', 'born', 'eq', '1900-02-29'],
  ['the year 0', 'born', 'eq', '0000-01-01'],
  ['the year 10000', 'born', 'eq', '10000-01-01'],
  ['a word for a day', 'born', 'gt', 'yesterday'],
  ['an instant without offset', 'seenAt', 'gt', '2024-01-01T00:00:00'],
  ['an instant with a blank', 'seenAt', 'gt', '2024-01-01%2000:00:00Z'],
  ['hour 24', 'seenAt', 'gt', '2024-01-01T24:00:00Z'],
  ['a leap second', 'seenAt', 'gt', '2016-12-31T23:59:60Z'],
  ['an instant pushed out of the years by its offset', 'seenAt', 'gt', '9999-12-31T23:59:59-01:00'],
  ['a UUID with a letter too far', 'code', 'eq', '0000000g-0000-4000-8000-000000000001'],
  ['a UUID in braces', 'code', 'eq', '%7B00000001-0000-4000-8000-000000000001%7D'],
  ['no member of the enum', 'role', 'eq', 'root'],
  ['a member of the enum in capitals', 'role', 'eq', 'ADMIN'],
  ['a prototype name as member', 'role', 'eq', 'constructor'],
  ['between with one value', 'age', 'between', '1'],
  ['between with three values', 'age', 'between', '1,2,3'],
  ['between with nothing', 'age', 'between', ''],
  ['a word for a flag', 'firm', 'isNull', 'maybe'],
];

/** Values that do not fit. */
export const values: readonly HostileCase[] = [
  ...refusedValues.map(([name, path, operator, value]) => ({
    name,
    request: filter(path, operator, value),
    details: { path, operator },
  })),
  { name: 'an unpaired surrogate of an object', request: { filter: { name: { eq: '\ud800' } } } },
  {
    name: 'an unpaired surrogate in a query string that was never encoded',
    request: 'filter[name]=\udfff',
  },
  { name: 'a term with a NUL', request: 'search=a%00' },
  { name: 'null of an object', request: { filter: { age: { eq: null } } } },
  { name: 'null in a list of an object', request: { filter: { age: { in: [1, null] } } } },
  { name: 'a number of an object beyond 2^53', request: { filter: { visits: { eq: 1e300 } } } },
  { name: 'a fraction of an object', request: { filter: { age: { eq: 1.5 } } } },
  { name: 'NaN of an object', request: { filter: { age: { eq: Number.NaN } } } },
].map((row) => ({ ...row, code: 'FILTER_VALUE_INVALID' }));

/** Pages that cannot be. */
export const pages: readonly HostileCase[] = [
  ...[
    '',
    '0',
    '-1',
    '1.5',
    '01',
    '%2B1',
    '1e3',
    'NaN',
    '9007199254740992',
    '9'.repeat(400),
  ].flatMap((text) => [
    { name: `page ${text.slice(0, 20)}`, request: `page=${text}`, details: { param: 'page' } },
    {
      name: `perPage ${text.slice(0, 20)}`,
      request: `perPage=${text}`,
      details: { param: 'perPage' },
    },
  ]),
  {
    name: 'a page beyond every offset',
    request: 'page=9007199254740991&perPage=500',
    details: { param: 'page', maxOffset: Number.MAX_SAFE_INTEGER },
  },
  {
    name: 'perPage above its limit',
    request: 'perPage=501',
    details: { param: 'perPage', maxPerPage: 500 },
  },
  {
    name: 'perPage above its limit without pages',
    request: 'perPage=501&paginate=false',
    details: { param: 'perPage', maxPerPage: 500 },
  },
  { name: 'a word for paginate', request: 'paginate=no', details: { param: 'paginate' } },
  { name: 'a page beside a cursor', request: 'page=1&cursor=', details: { param: 'page' } },
].map((row) => ({ ...row, code: 'PAGINATION_INVALID' }));

/** Cursors that nobody made. */
export const cursors: readonly HostileCase[] = [
  'x',
  '%00',
  'AAAA',
  'eyJ9',
  '../',
  '1'.repeat(9000),
].map((text) => ({
  name: `the cursor ${text.slice(0, 20)}`,
  request: `cursor=${text}`,
  code: 'CURSOR_INVALID',
  details: { param: 'cursor' },
}));

/** Sorts that contradict themselves. */
export const conflicts: readonly HostileCase[] = [
  {
    name: 'one path up and down',
    request: 'sort=name,-name',
    code: 'SORT_CONFLICT',
    details: { path: 'name' },
  },
  {
    name: 'one path down and up, far apart',
    request: 'sort=-age&sort=id&sort=age',
    code: 'SORT_CONFLICT',
    details: { path: 'age' },
  },
];
