/** Decimals and bigints: exact with every driver, compared by value. */

import { page, refused, rows } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('users', name, request, keys, total);

const aboveSeven = `7.${'0'.repeat(27)}1`;
const belowSeventy = `69.${'9'.repeat(28)}`;

export const numbers: readonly CorpusCase[] = [
  users('one tenth is exact', 'filter[balance]=0.1&filter[id][lte]=10', [5, 10]),
  users('trailing zeros are ignored', 'filter[balance]=0.10000&filter[id][lte]=10', [5, 10]),
  users('a decimal without a fraction', 'filter[balance]=10&filter[id][lte]=10', [4, 9]),
  users('a whole decimal with zeros', 'filter[balance]=10.00&filter[id][lte]=10', [4, 9]),
  users('a small negative decimal', 'filter[balance]=-0.05&filter[id][lte]=10', [2, 7]),
  users('negative zero', 'filter[balance]=-0.0&filter[id][lte]=10', [3, 8]),
  users('the smallest step', 'filter[balance]=0.00001', [43]),
  users('a value below the smallest step equals nothing', 'filter[balance]=0.000010000000001', []),
  users(
    'between decimals',
    'filter[balance][between]=-0.00001,0.00001&filter[id][gte]=38',
    [38, 43, 44, 53, 58],
  ),
  users('fifteen digits', 'filter[balance]=1234567890.12345', [40]),
  users('fifteen nines', 'filter[balance]=9999999999.99999', [41]),
  users('in on decimals', 'filter[balance][in]=0.3,2.0,100', [45, 47, 48]),
  users('ne on decimals', 'filter[balance][ne]=0.1&filter[id][lte]=6', [1, 2, 3, 4, 6]),
  users(
    'gt on decimals',
    'filter[balance][gt]=9.99999&filter[id][gte]=40',
    [40, 41, 45, 49, 54, 59],
  ),
  users(
    'more digits than the column stores',
    'filter[balance][lt]=-99999999999999999999999999999999999999999999',
    [],
  ),
  users(
    'a float by range',
    'filter[height][between]=-0.1,0.15&filter[id][lte]=10',
    [1, 2, 3, 8, 9],
  ),
  users('a float in exponent notation', 'filter[height][gt]=3.5e-1&filter[id][lte]=20', [6, 13]),
  users('a sort by a float', 'sort=-height,id&filter[id][lte]=9', [6, 4, 3, 2, 9, 1, 8, 7, 5]),
  rows('users', 'a float as a number', 'filter[id]=3&fields=height', [
    { height: 0.09999999999999998 },
  ]),
  refused('users', 'NaN is not a float', 'filter[height]=NaN', 'FILTER_VALUE_INVALID'),
  refused('users', 'an infinite float', 'filter[height][lt]=1e999', 'FILTER_VALUE_INVALID'),
  users('a nullable decimal', 'filter[rate]=0.125', [11, 21, 41, 51]),
  users('ne excludes nulls', 'filter[rate][ne]=0.125&filter[id][lte]=11', [2, 3, 5, 6, 8, 9]),
  users('a wide decimal is exact', 'filter[fortune]=12345678901234567890.1234567891', [5, 25, 45]),
  users('its neighbour differs', 'filter[fortune]=12345678901234567890.123456789', [7, 27, 47]),
  users(
    'a wide decimal with trailing zeros',
    'filter[fortune]=12345678901234567890.12345678900',
    [7, 27, 47],
  ),
  users(
    'wide decimals compare by value',
    'filter[fortune][gt]=9007199254740992.5',
    [5, 7, 11, 25, 27, 31, 45, 47, 51],
  ),
  users('negative wide decimals', 'filter[fortune][lt]=-0.1', [9, 29, 49]),
  users(
    'wide decimals are not compared as text',
    'filter[fortune][between]=7,70&filter[id][lte]=20',
    [15, 17],
  ),
  users('in on wide decimals', 'filter[fortune][in]=70.0,7', [15, 17, 35, 37, 55, 57]),
  // A column of 40 whole digits leaves 25 of 65 for the fraction of what it is compared with.
  users('no wide decimal equals one of more digits', `filter[fortune]=${aboveSeven}`, []),
  users(
    'nor is one in a list of them',
    `filter[fortune][in]=${aboveSeven},70,${belowSeventy}`,
    [17, 37, 57],
  ),
  users(
    'all differ from one of more digits',
    `filter[fortune][ne]=${aboveSeven}&filter[fortune][lte]=7&filter[fortune][gt]=6`,
    [15, 35, 55],
  ),
  users(
    'notIn on wide decimals of more digits',
    `filter[fortune][notIn]=${aboveSeven},${belowSeventy}&filter[fortune][between]=7,70`,
    [15, 17, 35, 37, 55, 57],
  ),
  ...(
    [
      ['gt', aboveSeven, false],
      ['gte', aboveSeven, false],
      ['lt', aboveSeven, true],
      ['lte', aboveSeven, true],
    ] as const
  ).map(([operator, value, isKept]) =>
    users(
      `${operator} on wide decimals of more digits`,
      `filter[fortune][${operator}]=${value}&filter[fortune][between]=6,8`,
      isKept ? [15, 35, 55] : [],
    ),
  ),
  users(
    'between bounds of more digits',
    `filter[fortune][between]=${aboveSeven},${belowSeventy}&filter[id][lte]=20`,
    [],
  ),
  users(
    'negative ones round the other way',
    `filter[fortune][between]=-0.1${'0'.repeat(27)}1,-0.1&filter[id][lte]=20`,
    [3],
  ),
  users(
    'more whole digits than a wide column stores',
    `filter[fortune][gte]=-${'9'.repeat(61)}&filter[fortune][lt]=-0.1`,
    [9, 29, 49],
  ),
  users('a bigint beyond 2^53', 'filter[views]=9007199254740993', [50]),
  users('its neighbour', 'filter[views]=9007199254740992', [51]),
  users('gt beyond 2^53', 'filter[views][gt]=9007199254740992', [50, 52]),
  users(
    'between beyond 2^53',
    'filter[views][between]=9007199254740991,9007199254740992',
    [51, 54],
  ),
  users('in beyond 2^53', 'filter[views][in]=9007199254740993,9007199254740991', [50, 54]),
  users('the largest bigint', 'filter[views][gte]=9223372036854775807', [52]),
  users('the smallest bigint', 'filter[views]=-9223372036854775808', [53]),
  users('a bigint of a few digits', 'filter[views][lte]=1000', [1, 53, 55, 56]),
  users('a nullable bigint', 'filter[debt][isNull]=true&filter[id][lte]=9', [3, 6, 9]),
  rows(
    'users',
    'bigints and decimals are returned as text',
    'filter[id][in]=5,50,52,53&fields=id,views,debt,balance,rate,fortune',
    [
      {
        id: 5,
        views: '5000',
        debt: '5',
        balance: '0.1',
        rate: '0.625',
        fortune: '12345678901234567890.1234567891',
      },
      {
        id: 50,
        views: '9007199254740993',
        debt: '9007199254740993',
        balance: '0.1',
        rate: '-0.5',
        fortune: null,
      },
      {
        id: 52,
        views: '9223372036854775807',
        debt: '-9223372036854775808',
        balance: '-0.05',
        rate: null,
        fortune: null,
      },
      {
        id: 53,
        views: '-9223372036854775808',
        debt: '53',
        balance: '0',
        rate: '0.375',
        fortune: '9007199254740992.5',
      },
    ],
  ),
  rows(
    'users',
    'decimals are returned exact and without trailing zeros',
    'filter[id][in]=9,40,41,42,43,44,46&fields=balance,fortune',
    [
      { balance: '10', fortune: '-12345678901234567890.5' },
      { balance: '1234567890.12345', fortune: null },
      { balance: '9999999999.99999', fortune: '0.1' },
      { balance: '-9999999999.99999', fortune: null },
      { balance: '0.00001', fortune: '-0.1' },
      { balance: '-0.00001', fortune: null },
      { balance: '9.99999', fortune: null },
    ],
  ),
  rows(
    'users',
    'the smallest and largest integers are returned as numbers',
    'filter[id][between]=57,60&fields=age',
    [{ age: 0 }, { age: 2147483647 }, { age: -2147483648 }, { age: null }],
  ),
];
