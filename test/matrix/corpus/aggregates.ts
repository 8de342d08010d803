/** Values over the rows of a relation: shown, filtered, sorted by, with named conditions and through other relations. */

import { type CorpusCase, body, page, refused, rows } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersCounted', name, request, keys, total);
const shown = (name: string, request: string, data: readonly unknown[]) =>
  rows('usersCounted', name, request, data);
const only = (...ids: readonly number[]): string => `&filter[id][in]=${ids.join()}`;
const upTo = (id: number): string => `&filter[id][lte]=${id}`;

export const aggregates: readonly CorpusCase[] = [
  shown('count: shown, 0 without rows', `fields=id,orders.$count${only(1, 2, 3, 9)}`, [
    { id: 1, 'orders.$count': 3 },
    { id: 2, 'orders.$count': 2 },
    { id: 3, 'orders.$count': 1 },
    { id: 9, 'orders.$count': 0 },
  ]),
  shown(
    'count: rows that meet a named condition',
    `fields=id,orders.$count.small${only(1, 2, 5)}`,
    [
      { id: 1, 'orders.$count.small': 2 },
      { id: 2, 'orders.$count.small': 0 },
      { id: 5, 'orders.$count.small': 1 },
    ],
  ),
  shown(
    'count: a named condition with a quantifier',
    `fields=id,orders.$count.unnoted${only(2, 6)}`,
    [
      { id: 2, 'orders.$count.unnoted': 1 },
      { id: 6, 'orders.$count.unnoted': 1 },
    ],
  ),
  shown('count: rows behind a join table', `fields=id,teams.$count${only(1, 2, 8)}`, [
    { id: 1, 'teams.$count': 3 },
    { id: 2, 'teams.$count': 2 },
    { id: 8, 'teams.$count': 0 },
  ]),
  shown('count: rows of the model itself', `fields=id,reports.$count${only(1, 2, 3)}`, [
    { id: 1, 'reports.$count': 4 },
    { id: 2, 'reports.$count': 4 },
    { id: 3, 'reports.$count': 0 },
  ]),
  shown('sum: exact decimals, null without rows', `fields=id,orders.$sum.total${only(1, 2, 9)}`, [
    { id: 1, 'orders.$sum.total': '30.5' },
    { id: 2, 'orders.$sum.total': '104.99' },
    { id: 9, 'orders.$sum.total': null },
  ]),
  shown(
    'sum: of rows that meet a named condition',
    `fields=id,orders.$sum.total.small${only(1, 2, 5)}`,
    [
      { id: 1, 'orders.$sum.total.small': '30.5' },
      { id: 2, 'orders.$sum.total.small': null },
      { id: 5, 'orders.$sum.total.small': '3' },
    ],
  ),
  shown('sum: of integers as a 64-bit integer', `fields=id,reports.$sum.score${only(1, 2, 3)}`, [
    { id: 1, 'reports.$sum.score': '2' },
    { id: 2, 'reports.$sum.score': '-3' },
    { id: 3, 'reports.$sum.score': null },
  ]),
  shown(
    'min and max: of instants',
    `fields=id,orders.$min.placedAt,orders.$max.placedAt${only(1, 9)}`,
    [
      {
        id: 1,
        'orders.$min.placedAt': '2024-01-31T23:59:59.999Z',
        'orders.$max.placedAt': '2024-02-29T12:00:00.000Z',
      },
      { id: 9, 'orders.$min.placedAt': null, 'orders.$max.placedAt': null },
    ],
  ),
  shown('max: of decimals', `fields=id,orders.$max.total${only(1, 2)}`, [
    { id: 1, 'orders.$max.total': '20' },
    { id: 2, 'orders.$max.total': '99.99' },
  ]),
  shown('min: of texts, in the order of code points', `fields=id,orders.$min.title${only(1, 2)}`, [
    { id: 1, 'orders.$min.title': 'Second ORDER' },
    { id: 2, 'orders.$min.title': 'ZEBRA' },
  ]),
  shown(
    'max: of 64-bit integers and dates',
    `fields=id,reports.$max.views,reports.$max.joinedOn${only(1)}`,
    [{ id: 1, 'reports.$max.views': '5000', 'reports.$max.joinedOn': '9999-12-31' }],
  ),
  shown('shown in an included row', `fields=id&includes=company,company.country${only(2)}`, [
    {
      id: 2,
      company: { id: 2, 'users.$count': 9, country: { code: 'AT', 'languages.$count': 2 } },
    },
  ]),
  shown('shown in the rows of a list', `fields=id&includes=orders${only(1)}`, [
    {
      id: 1,
      orders: [
        { id: 1, 'lines.$count': 3 },
        { id: 2, 'lines.$count': 1 },
        { id: 3, 'lines.$count': 1 },
      ],
    },
  ]),
  shown(
    'shown in the rows of a list: sums',
    `fields=id,orders.id,orders.lines.$sum.qty,orders.lines.$sum.price&includes=orders${only(1)}`,
    [
      {
        id: 1,
        orders: [
          { id: 1, 'lines.$sum.qty': '6', 'lines.$sum.price': '5' },
          { id: 2, 'lines.$sum.qty': '10', 'lines.$sum.price': '0.5' },
          { id: 3, 'lines.$sum.qty': '1', 'lines.$sum.price': '0' },
        ],
      },
    ],
  ),
  shown(
    'shown in children as asked for, beside others',
    `fields=id,orders.$count&include[reports][filter][name]=abc&include[orders][filter][group]=A${only(1)}`,
    [
      {
        id: 1,
        'orders.$count': 3,
        reports: [],
        orders: [
          { id: 1, 'lines.$count': 3 },
          { id: 2, 'lines.$count': 1 },
        ],
      },
    ],
  ),
  shown(
    'shown in sorted children, one of each parent',
    `fields=id&include[teams][filter][name]=Red&include[orders][filter][approver.name][ne]=x&include[orders][sort]=-total&include[orders][perPage]=1&filter[orders.$count][gte]=2&sort=-orders.$count,id${only(1, 2)}`,
    [
      {
        id: 1,
        teams: [{ id: 1, name: 'Red' }],
        orders: [{ id: 1, 'lines.$count': 3 }],
        $truncated: ['orders'],
      },
      { id: 2, teams: [{ id: 1, name: 'Red' }], orders: [{ id: 5, 'lines.$count': 1 }] },
    ],
  ),
  users(
    'filter: beside a filter through another relation',
    `filter[orders.$count][gte]=2&filter[teams.name]=Red`,
    [1, 2],
  ),
  users('filter: at least so many', 'filter[orders.$count][gte]=2', [1, 2, 5]),
  users('filter: none', `filter[orders.$count]=0${upTo(10)}`, [9, 10]),
  users('filter: between', `filter[orders.$count][between]=2,3`, [1, 2, 5]),
  users('filter: one of several', 'filter[orders.$count][in]=2,3', [1, 2, 5]),
  users('filter: other numbers', `filter[orders.$count][notIn]=0,1${upTo(9)}`, [1, 2, 5]),
  users('filter: with a named condition', 'filter[orders.$count.small][gte]=2', [1]),
  users('filter: a sum', 'filter[orders.$sum.total][gt]=30', [1, 2]),
  users('filter: a sum that equals', 'filter[orders.$sum.total]=30.5', [1]),
  users(
    'filter: a sum without values',
    `filter[orders.$sum.total][isNull]=true${upTo(10)}`,
    [9, 10],
  ),
  users('filter: null is not less', `filter[orders.$sum.total][lt]=5${upTo(10)}`, [4, 6]),
  users(
    'filter: the last instant',
    'filter[orders.$max.placedAt][gte]=2024-11-01T00:00:00Z',
    [6, 7, 8],
  ),
  users('filter: a text', 'filter[orders.$min.title][startsWith]=Z', [2]),
  users('filter: rows behind a join table', 'filter[teams.$count][gte]=3', [1]),
  users(
    'filter: through one row, which may be absent',
    `filter[company.users.$count][lt]=9${upTo(9)}`,
    [5],
  ),
  users('filter: in some row of another relation', 'filter[orders.lines.$count][gte]=3', [1]),
  users(
    'filter: in a quantifier',
    'filter[orders][$some][lines.$count][gte]=2&filter[orders][$some][group]=B',
    [2],
  ),
  users(
    'filter: in alternatives',
    'filter[$or][0][orders.$count][gte]=3&filter[$or][1][id]=9',
    [1, 9],
  ),
  users('filter: negated', `filter[$not][orders.$count][lt]=2${upTo(9)}`, [1, 2, 5]),
  users(
    'filter: negated, null is left out',
    `filter[$not][orders.$sum.total][lt]=30${upTo(10)}`,
    [1, 2],
  ),
  users(
    'filter: negated in another relation',
    `filter[$not][orders.lines.$count][lt]=2${upTo(10)}`,
    [3, 9, 10],
  ),
  users(
    'sort: ascending, ties by the key',
    `sort=orders.$count${upTo(9)}`,
    [9, 3, 4, 6, 7, 8, 2, 5, 1],
  ),
  users('sort: descending', `sort=-orders.$count,id${upTo(9)}`, [1, 2, 5, 3, 4, 6, 7, 8, 9]),
  users(
    'sort: a sum, null first ascending',
    `sort=orders.$sum.total${upTo(9)}`,
    [9, 4, 6, 5, 7, 8, 3, 1, 2],
  ),
  users('sort: nulls fixed last', `sort=orders.$max.total${upTo(9)}`, [4, 5, 6, 7, 8, 3, 1, 2, 9]),
  users('sort: a later page', `sort=-orders.$count&perPage=2&page=2${upTo(9)}`, [2, 8], 9),
  {
    name: 'sort: pages by cursor',
    endpoint: 'usersCounted',
    request: `sort=-orders.$count&fields=id,orders.$count&perPage=3&cursor=${upTo(9)}`,
    expect: { keys: [1, 5, 2], next: true, prev: false },
  },
  body('usersCounted', 'all rows', `fields=orders.$count&paginate=false${only(1, 9)}`, {
    data: [{ 'orders.$count': 3 }, { 'orders.$count': 0 }],
  }),
  refused(
    'usersCounted',
    'a value that is not declared',
    'filter[orders.$sum.id][gt]=1',
    'FIELD_NOT_ALLOWED',
    {
      param: 'filter',
      path: 'orders.$sum.id',
    },
  ),
  refused(
    'usersCounted',
    'a condition that is not declared',
    'sort=orders.$count.large',
    'FIELD_NOT_ALLOWED',
    {
      param: 'sort',
      path: 'orders.$count.large',
    },
  ),
  refused(
    'usersCounted',
    'a value of another form',
    'fields=orders.$avg.total',
    'QUERY_SYNTAX_INVALID',
  ),
  refused(
    'usersCounted',
    'a number that is not whole',
    'filter[orders.$count]=1.5',
    'FILTER_VALUE_INVALID',
  ),
  refused(
    'usersCounted',
    'a row that is not included',
    'fields=company.users.$count',
    'FIELD_NOT_ALLOWED',
  ),
  refused(
    'usersGrouped',
    'an endpoint without values: filter',
    'filter[orders.$count]=1',
    'QUERY_SYNTAX_INVALID',
    { param: 'filter' },
  ),
  refused(
    'usersGrouped',
    'an endpoint without values: sort',
    'sort=orders.$count',
    'QUERY_SYNTAX_INVALID',
    { param: 'sort' },
  ),
  refused(
    'usersGrouped',
    'an endpoint without values: fields',
    'fields=orders.$count',
    'QUERY_SYNTAX_INVALID',
    { param: 'fields' },
  ),
];
