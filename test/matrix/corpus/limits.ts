/** Bounded lists of included rows, every visible field without a list of them, and whole days on instants. */

import { body, page, refused, rows } from './case.ts';
import type { CorpusCase } from './case.ts';

const days = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersAll', name, `fields=id&${request}`, keys, total);

const listOf = (name: string, value: string) =>
  refused('usersAll', name, `filter[createdAt][in]=${value}`, 'FILTER_VALUE_INVALID', {
    path: 'createdAt',
    operator: 'in',
    rule: value.includes('T')
      ? 'a list of whole days, or a list of instants'
      : 'at most 3 runs of whole days',
  });

const notAnInstant =
  'an instant as YYYY-MM-DDTHH:MM:SS with an optional fraction down to microseconds, and Z or an offset';

export const limits: readonly CorpusCase[] = [
  rows('usersAll', 'every field of a relation', 'filter[id]=3&fields=id&includes=company', [
    {
      id: 3,
      company: {
        id: 3,
        name: 'Ölwerke',
        motto: 'Profit %',
        foundedOn: '2000-02-29',
        countryCode: null,
        slogan: 'Profit %',
      },
    },
  ]),
  rows(
    'usersAll',
    'the first rows of a relation, and the sign of more',
    'filter[id][in]=1,2,9&fields=id,orders.id&includes=orders',
    [
      { id: 1, orders: [{ id: 1 }, { id: 2 }], $truncated: ['orders'] },
      { id: 2, orders: [{ id: 4 }, { id: 5 }] },
      { id: 9, orders: [] },
    ],
  ),
  rows(
    'usersAll',
    'several cut relations of one row',
    'filter[id][in]=1,2&fields=id,teams.id,orders.id,reports.id&includes=teams,orders,reports',
    [
      {
        id: 1,
        teams: [{ id: 1 }, { id: 2 }],
        orders: [{ id: 1 }, { id: 2 }],
        reports: [{ id: 2 }, { id: 3 }],
        $truncated: ['teams', 'orders', 'reports'],
      },
      {
        id: 2,
        teams: [{ id: 1 }, { id: 6 }],
        orders: [{ id: 4 }, { id: 5 }],
        reports: [{ id: 6 }, { id: 7 }],
        $truncated: ['reports'],
      },
    ],
  ),
  rows(
    'usersAll',
    'cut lists within cut lists, and rows that several parents share',
    'filter[id][in]=1,2,7&fields=id,teams.id,teams.users.id&includes=teams,teams.users',
    [
      {
        id: 1,
        teams: [
          { id: 1, users: [{ id: 1 }, { id: 2 }], $truncated: ['users'] },
          { id: 2, users: [{ id: 1 }, { id: 3 }] },
        ],
        $truncated: ['teams'],
      },
      {
        id: 2,
        teams: [
          { id: 1, users: [{ id: 1 }, { id: 2 }], $truncated: ['users'] },
          { id: 6, users: [{ id: 1 }, { id: 2 }], $truncated: ['users'] },
        ],
      },
      { id: 7, teams: [{ id: 6, users: [{ id: 1 }, { id: 2 }], $truncated: ['users'] }] },
    ],
  ),
  rows(
    'usersAll',
    'a list through a one relation',
    'filter[id][in]=1,6&fields=id,company.id,company.country.code,company.country.languages.code&includes=company,company.country,company.country.languages',
    [
      { id: 1, company: { id: 1, country: { code: 'DE', languages: [{ code: 'deu' }] } } },
      { id: 6, company: null },
    ],
  ),
  body(
    'ordersBounded',
    'a limit of its own, by composite keys',
    'includes=lines,lines.notes&perPage=6',
    {
      data: [
        {
          id: 1,
          lines: [{ lineNo: 1, notes: [{ id: 1 }, { id: 2 }] }],
          $truncated: ['lines'],
        },
        { id: 2, lines: [{ lineNo: 1, notes: [] }] },
        { id: 3, lines: [{ lineNo: 1, notes: [] }] },
        {
          id: 4,
          lines: [{ lineNo: 1, notes: [{ id: 4 }, { id: 5 }] }],
          $truncated: ['lines'],
        },
        { id: 5, lines: [{ lineNo: 1, notes: [] }] },
        { id: 6, lines: [{ lineNo: 2, notes: [] }], $truncated: ['lines'] },
      ],
      page: 1,
      perPage: 6,
      total: 12,
      lastPage: 2,
    },
  ),
  days('a whole day', 'filter[createdAt]=2024-05-02', [1, 21, 41]),
  days('ne of a day', 'filter[createdAt][ne]=2024-05-02&filter[id][lte]=3', [2, 3]),
  days('gt is after the day', 'filter[createdAt][gt]=2024-05-19', [15, 19, 39, 59]),
  days('gte begins with the day', 'filter[createdAt][gte]=2024-05-20', [15, 19, 39, 59]),
  days('lt ends before the day', 'filter[createdAt][lt]=1969-12-31', [14, 16]),
  days('lte ends with the day', 'filter[createdAt][lte]=1969-12-31', [13, 14, 16]),
  days('between includes both days', 'filter[createdAt][between]=1900-01-01,1969-12-31', [13, 14]),
  days(
    'between a day and an instant',
    'filter[createdAt][between]=2024-03-10,2024-03-10T06:59:59.999Z',
    [11],
  ),
  days(
    'days that follow each other',
    'filter[createdAt][in]=2024-05-02,2024-05-01,2024-05-02',
    [1, 20, 21, 40, 41, 60],
  ),
  days('days apart', 'filter[createdAt][in]=2024-03-10,1969-12-31,0001-01-01', [11, 12, 13, 16]),
  days('the first and the last day', 'filter[createdAt][in]=0001-01-01,9999-12-31', [15, 16]),
  days(
    'notIn of days',
    'filter[createdAt][notIn]=2024-05-02,2024-05-03,2024-05-05&filter[id][lte]=5',
    [3, 5],
  ),
  days('notIn excludes nulls', 'filter[seenAt][notIn]=2024-06-02&filter[id][lte]=4', [1, 3, 4]),
  days('an instant as before', 'filter[createdAt]=2024-03-10T07:00:00Z', [12]),
  days(
    'a list of instants as before',
    'filter[createdAt][in]=2024-05-02T12:00:00Z,2024-05-02T12:00:00.5Z',
    [1, 41],
  ),
  days('isNull as before', 'filter[seenAt][isNull]=true&filter[id][lte]=5', [2, 5]),
  days('a day of rows of a many relation', 'filter[orders.placedAt]=2024-11-03', [6, 7]),
  days(
    'ne of a day through a many relation',
    'filter[orders.placedAt][ne]=2024-01-31',
    [1, 2, 3, 4, 5, 6, 7, 8],
  ),
  days(
    'notIn of days through a many relation',
    'filter[orders.placedAt][notIn]=2024-11-03,2024-01-31',
    [1, 2, 3, 4, 5, 8],
  ),
  days('a day in a json field', 'filter[settings.at]=2024-02-29', [39]),
  refused(
    'usersAll',
    'a day that no calendar has',
    'filter[createdAt]=2023-02-29',
    'FILTER_VALUE_INVALID',
    {
      path: 'createdAt',
      operator: 'eq',
      rule: `${notAnInstant}, or a whole day in UTC as YYYY-MM-DD`,
    },
  ),
  refused(
    'users',
    'a day where the rules do not allow it',
    'filter[createdAt]=2024-05-02',
    'FILTER_VALUE_INVALID',
    { path: 'createdAt', operator: 'eq', rule: notAnInstant },
  ),
  listOf('days beside instants', '2024-05-02,2024-05-03T00:00:00Z'),
  listOf('too many days apart', '2024-05-02,2024-05-04,2024-05-06,2024-05-08'),
];
