/** Fields that the database computes: shown, filtered, sorted by, in pages by cursor, and of rows behind relations. */

import { type CorpusCase, page, refused, rows } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersComputed', name, request, keys, total);
const shown = (name: string, request: string, data: readonly unknown[]) =>
  rows('usersComputed', name, request, data);
const cursor = (
  name: string,
  request: string,
  keys: readonly unknown[],
  next = true,
): CorpusCase => ({
  name,
  endpoint: 'usersComputed',
  request: `${request}&cursor=`,
  expect: { keys, next, prev: false },
});
const only = (...ids: readonly number[]): string => `&filter[id][in]=${ids.join()}`;
const upTo = (id: number): string => `&filter[id][lte]=${id}`;

export const computed: readonly CorpusCase[] = [
  shown('shown: a text of a text and a number', `fields=label${only(1, 4, 9)}`, [
    { label: 'abc #1' },
    { label: 'abc  #4' },
    { label: ' #9' },
  ]),
  shown('shown: null', `fields=id,handle,decade,surplus,adult${only(1, 3, 6)}`, [
    { id: 1, handle: 'zoë', decade: 1, surplus: null, adult: false },
    { id: 3, handle: null, decade: 3, surplus: '0.275', adult: true },
    { id: 6, handle: 'ÉCLAIR', decade: null, surplus: '0.15', adult: null },
  ]),
  shown('shown: 64-bit integers', `fields=half${only(50, 52, 53, 56)}`, [
    { half: '4503599627370496' },
    { half: '4611686018427387903' },
    { half: '-4611686018427387904' },
    { half: '0' },
  ]),
  shown('shown: exact decimals', `fields=surplus${only(2, 5, 9)}`, [
    { surplus: '-0.35' },
    { surplus: '0.525' },
    { surplus: '1.025' },
  ]),
  shown('shown: floats', `fields=size${only(1, 2, 3, 5, 53)}`, [
    { size: 0.1 },
    { size: 0 },
    { size: 0.09999999999999998 },
    { size: null },
    { size: 1.797e308 },
  ]),
  shown('shown: days and instants', `fields=since,lastSeen${only(1, 5)}`, [
    { since: '1951-02-02', lastSeen: '2024-06-01T01:30:00.250Z' },
    { since: '2020-06-15', lastSeen: '2024-05-06T12:00:00.000Z' },
  ]),
  shown('shown: in the order of the request', `fields=decade,id,label,name${only(2)}`, [
    { decade: 2, id: 2, label: 'ABC #2', name: 'ABC' },
  ]),
  shown('shown: in an included row', `fields=id&includes=company,manager${only(2, 4, 6)}`, [
    { id: 2, company: { id: 2, slogan: 'none' }, manager: { label: 'abc #1' } },
    { id: 4, company: { id: 4, slogan: '' }, manager: { label: 'abc #1' } },
    { id: 6, company: null, manager: { label: 'ABC #2' } },
  ]),
  shown('shown: in the rows of a list', `fields=id&includes=orders,orders.lines${only(1, 9)}`, [
    {
      id: 1,
      orders: [
        {
          id: 1,
          grade: 'High',
          cents: '1050',
          lines: [
            { lineNo: 1, raised: '1.5' },
            { lineNo: 2, raised: '5.5' },
            { lineNo: 3, raised: null },
          ],
        },
        { id: 2, grade: 'High', cents: '2000', lines: [{ lineNo: 1, raised: '1.5' }] },
        { id: 3, grade: 'low', cents: '0', lines: [{ lineNo: 1, raised: '1' }] },
      ],
    },
    { id: 9, orders: [] },
  ]),
  shown(
    'shown: in children as asked for',
    `fields=id,orders.heading&includes=orders&include[orders][filter][grade]=High&include[orders][sort]=-cents${only(1)}`,
    [{ id: 1, orders: [{ heading: 'A/Second ORDER' }, { heading: 'A/first order' }] }],
  ),
  shown(
    'values over relations: of computed fields',
    `fields=id,orders.$sum.cents,orders.$max.grade,orders.$count.high${only(1, 2, 5, 9)}`,
    [
      { id: 1, 'orders.$sum.cents': '3050', 'orders.$max.grade': 'low', 'orders.$count.high': 2 },
      { id: 2, 'orders.$sum.cents': '10499', 'orders.$max.grade': 'high', 'orders.$count.high': 1 },
      { id: 5, 'orders.$sum.cents': '500', 'orders.$max.grade': 'low', 'orders.$count.high': 0 },
      { id: 9, 'orders.$sum.cents': null, 'orders.$max.grade': null, 'orders.$count.high': 0 },
    ],
  ),
  users('equality: a text', 'filter[label]=abc %231', [1]),
  users(
    'equality: case and trailing blanks count',
    'filter[label][in]=ABC %231,abc %234,abc  %234',
    [4],
  ),
  users('equality: a text without a column', 'filter[orders.grade]=high', [2, 3, 7, 8]),
  users('equality: another text, null is left out', `filter[handle][ne]=Sam${upTo(6)}`, [1, 2, 6]),
  users('equality: not in a list', `filter[decade][notIn]=1,3${upTo(10)}`, [2, 5, 8, 10]),
  users('equality: a 64-bit integer', 'filter[half]=4611686018427387903', [52]),
  users('equality: a decimal', 'filter[surplus]=0.275', [3, 23, 33, 53]),
  users('equality: a decimal in a list', `filter[surplus][in]=0.1500,1.025${upTo(10)}`, [6, 9]),
  users('equality: a float', `filter[size]=0.1${upTo(10)}`, [1, 8]),
  users('equality: a truth value', `filter[adult]=false${upTo(24)}`, [1, 23]),
  users('equality: a day', 'filter[since]=2020-06-15', [5]),
  users('equality: an instant', 'filter[lastSeen]=2024-05-06T12:00:00Z', [5]),
  users('equality: a whole day', `filter[lastSeen]=2024-06-01${upTo(6)}`, [1, 3, 4, 6]),
  users('null', `filter[handle][isNull]=true${upTo(10)}`, [3, 4, 8]),
  users('not null', `filter[surplus][isNull]=false${upTo(10)}`, [2, 3, 5, 6, 8, 9]),
  users('order: greater', `filter[decade][gt]=3${upTo(10)}`, [5, 10]),
  users('order: between decimals', `filter[surplus][between]=0.15,0.4${upTo(10)}`, [3, 6, 8]),
  users('order: texts by code points', `filter[label][lt]=B${upTo(10)}`, [2, 3, 5, 9, 10]),
  users('order: before a day', `filter[since][lt]=1952-03-03${upTo(10)}`, [1, 4]),
  users(
    'order: after an instant',
    `filter[lastSeen][gte]=2024-06-01T09:30:00.250Z${upTo(10)}`,
    [9, 10],
  ),
  users('text: contains', 'filter[label][like]=%25 %23', [10]),
  users('text: starts with, case counts', `filter[label][startsWith]=ab${upTo(10)}`, [1, 4, 6]),
  users('text: ends with', 'filter[label][endsWith]=%2310', [10]),
  users('text: does not contain', `filter[handle][notLike]=a${upTo(7)}`, [1, 6, 7]),
  users('text: in any case', `filter[handle][ilike]=éclair${upTo(12)}`, [6, 11]),
  users('text: of an absent row', `filter[company.slogan]=none${upTo(15)}`, [2, 5, 9, 12]),
  users(
    'text: not of an absent row',
    `filter[company.slogan][ne]=none${upTo(10)}`,
    [1, 3, 4, 8, 10],
  ),
  users('through one row', `filter[manager.label]=abc %231${upTo(10)}`, [2, 3, 4, 5]),
  users(
    'through one row: null, also where it is absent',
    `filter[manager.decade][isNull]=true${upTo(16)}`,
    [1, 13, 14, 15, 16],
  ),
  users('in some row of a list', `filter[orders.lines.raised][gt]=5`, [1, 2]),
  users(
    'in a quantifier',
    'filter[orders][$some][grade]=High&filter[orders][$some][heading][startsWith]=B',
    [2],
  ),
  users(
    'in a quantifier: every row',
    'filter[orders][$every][grade]=low&filter[orders][isNull]=false',
    [4, 5, 6],
  ),
  users('in a quantifier: none', `filter[orders][$none][cents][gte]=500${upTo(9)}`, [4, 5, 6, 9]),
  users(
    'in alternatives',
    'filter[$or][0][label]=abc %231&filter[$or][1][half]=4611686018427387903',
    [1, 52],
  ),
  users('negated, null is left out', `filter[$not][decade][lte]=2${upTo(10)}`, [3, 4, 5, 9, 10]),
  users('beside a value over a relation', 'filter[orders.$sum.cents][gt]=3000', [1, 2]),
  users('search', `search=none${upTo(10)}`, [2, 5, 9]),
  users('search: in any case', `search=SAM${upTo(20)}`, [5, 10, 17]),
  users('sort: a number, null first', `sort=decade${upTo(10)}`, [6, 1, 7, 2, 8, 3, 4, 9, 5, 10]),
  users('sort: descending', `sort=-surplus,id${upTo(10)}`, [9, 5, 8, 3, 6, 2, 1, 4, 7, 10]),
  users('sort: texts by code points', `sort=label${upTo(8)}`, [5, 2, 3, 4, 1, 6, 8, 7]),
  users('sort: nulls fixed last', `sort=handle${upTo(8)}`, [5, 2, 1, 6, 7, 3, 4, 8]),
  users('sort: days', `sort=since${upTo(6)}`, [4, 1, 2, 3, 5, 6]),
  users('sort: instants', `sort=-lastSeen${upTo(6)}`, [6, 4, 3, 1, 5, 2]),
  users('sort: through one row', `sort=company.slogan${upTo(9)}`, [6, 7, 4, 3, 1, 8, 2, 5, 9]),
  users('sort: a later page', `sort=-half&perPage=3&page=2${upTo(8)}`, [5, 4, 3], 8),
  cursor(
    'pages by cursor: a number with nulls',
    `sort=decade&perPage=3${upTo(10)}&fields=id`,
    [6, 1, 7],
  ),
  cursor('pages by cursor: a text', `sort=-label&perPage=4${upTo(10)}&fields=id`, [7, 8, 6, 1]),
  refused('usersComputed', 'a value of another kind', 'filter[decade]=1.5', 'FILTER_VALUE_INVALID'),
  refused('usersComputed', 'an internal one', 'fields=handleFolded', 'FIELD_NOT_ALLOWED'),
  refused('users', 'one that the rules do not name', 'filter[label]=a', 'FIELD_NOT_ALLOWED'),
];
