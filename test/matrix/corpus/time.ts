/** Dates without time zone, and instants in UTC with milliseconds. */

import { page, rows } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('users', name, request, keys, total);

export const time: readonly CorpusCase[] = [
  users('the first date', 'filter[joinedOn]=0001-01-01', [1]),
  users('the last date', 'filter[joinedOn]=9999-12-31', [2]),
  users('a leap day', 'filter[joinedOn]=2020-02-29', [3]),
  users('lt on dates', 'filter[joinedOn][lt]=2020-01-15', [1]),
  users(
    'between on dates includes both ends',
    'filter[joinedOn][between]=2020-01-15,2020-02-29',
    [3, 12, 13, 24, 25, 36, 37, 48, 49, 60],
  ),
  users('ne excludes nulls', 'filter[bornOn][ne]=1951-02-02&filter[id][lte]=6', [2, 3, 4, 6]),
  users('in on dates', 'filter[bornOn][in]=0001-01-01,9999-12-31,2000-01-01', [4, 6]),
  users('isNull on dates', 'filter[bornOn][isNull]=true&filter[id][lt]=20', [5, 10, 15]),
  users('an instant', 'filter[createdAt]=2024-03-10T07:00:00Z', [12]),
  users('an instant with an offset', 'filter[createdAt]=2024-03-10T03:00:00-04:00', [12]),
  users(
    'an instant with an offset east of UTC',
    'filter[createdAt]=2024-03-10T12:30:00.000%2B05:30',
    [12],
  ),
  users('the millisecond before', 'filter[createdAt]=2024-03-10T06:59:59.999Z', [11]),
  users(
    'lt distinguishes milliseconds',
    'filter[createdAt][lt]=2024-03-10T07:00:00Z',
    [11, 13, 14, 16],
  ),
  users(
    'lte includes the instant',
    'filter[createdAt][lte]=2024-03-10T07:00:00Z',
    [11, 12, 13, 14, 16],
  ),
  users(
    'before 1970',
    'filter[createdAt][between]=1899-12-31T23:59:59Z,1969-12-31T23:59:59.999Z',
    [13, 14],
  ),
  users('the first instant', 'filter[createdAt]=0001-01-01T00:00:00Z', [16]),
  users(
    'a microsecond after the first instant',
    'filter[createdAt][lt]=0001-01-01T00:00:00.000001Z',
    [16],
  ),
  users(
    'a microsecond after the first instant is not equal to it',
    'filter[createdAt][in]=0001-01-01T00:00:00.000001Z,0001-01-01T00:00:00.000999Z',
    [],
  ),
  users(
    'a microsecond after the last millisecond',
    'filter[createdAt][gte]=9999-12-31T23:59:59.999001Z',
    [],
  ),
  users('the last millisecond', 'filter[createdAt][gte]=9999-12-31T23:59:59.999Z', [15]),
  users(
    'one millisecond of several rows',
    'filter[createdAt][in]=2024-05-02T12:00:00Z,2024-05-02T12:00:00.001Z,2024-05-02T12:00:00.5Z',
    [1, 21, 41],
  ),
  users(
    'more digits than milliseconds',
    'filter[createdAt][gt]=2024-05-02T12:00:00.4999Z&filter[createdAt][lt]=2024-05-02T12:00:00.5001Z',
    [41],
  ),
  users(
    'ne on instants excludes nulls',
    'filter[seenAt][ne]=2024-06-01T01:30:00.250Z&filter[id][lte]=6',
    [3, 4, 6],
  ),
  users('isNull on instants', 'filter[seenAt][isNull]=true&filter[id][lte]=9', [2, 5, 8]),
  page(
    'orders',
    'a day of a time zone as two instants',
    'filter[placedAt][gte]=2024-11-03T00:00:00-04:00&filter[placedAt][lt]=2024-11-04T00:00:00-05:00',
    [10, 11],
  ),
  page('orders', 'the end of a month', 'filter[placedAt][lt]=2024-02-01T00:00:00Z', [1]),
  rows(
    'users',
    'dates and instants are returned in one form',
    'filter[id][in]=1,4,11,14,16&fields=joinedOn,bornOn,createdAt,seenAt',
    [
      {
        joinedOn: '0001-01-01',
        bornOn: '1951-02-02',
        createdAt: '2024-05-02T12:00:00.000Z',
        seenAt: '2024-06-01T01:30:00.250Z',
      },
      {
        joinedOn: '2020-05-15',
        bornOn: '0001-01-01',
        createdAt: '2024-05-05T12:00:00.000Z',
        seenAt: '2024-06-01T04:30:00.000Z',
      },
      {
        joinedOn: '2020-12-15',
        bornOn: '1961-12-12',
        createdAt: '2024-03-10T06:59:59.999Z',
        seenAt: null,
      },
      {
        joinedOn: '2020-03-15',
        bornOn: '1964-03-15',
        createdAt: '1900-01-01T00:00:00.000Z',
        seenAt: null,
      },
      {
        joinedOn: '2020-05-15',
        bornOn: '1966-05-17',
        createdAt: '0001-01-01T00:00:00.000Z',
        seenAt: '2024-06-01T16:30:00.000Z',
      },
    ],
  ),
  rows('users', 'the last instant is returned', 'filter[id][in]=6,15&fields=bornOn,createdAt', [
    { bornOn: '9999-12-31', createdAt: '2024-05-07T12:00:00.000Z' },
    { bornOn: null, createdAt: '9999-12-31T23:59:59.999Z' },
  ]),
];
