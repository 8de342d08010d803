/** Filters as one text: the rows are those of the filters in brackets that say the same. */

import { type CorpusCase, page, refused } from './case.ts';

const where = (text: string): string => `where=${encodeURIComponent(text)}`;
const users = (name: string, text: string, keys: readonly number[], more = '') =>
  page('usersGrouped', name, where(text) + more, keys);
const malformed = (name: string, text: string, start: number, end: number) =>
  refused('usersGrouped', name, where(text), 'QUERY_SYNTAX_INVALID', {
    param: 'where',
    start,
    end,
  });

export const whereTexts: readonly CorpusCase[] = [
  users('one condition', 'id = 3', [3]),
  users('all of several', 'id >= 3 and id < 6', [3, 4, 5]),
  users('or', '(orders.group = C or company.name = Acme) and id <= 9', [1, 6, 7, 8]),
  users('and binds closer than or', 'company.name = Acme and orders.group = B or id = 9', [1, 9]),
  users('parentheses', 'id <= 9 and (company.name = Acme and orders.group = B or id = 9)', [1, 9]),
  users('or: lists and values', 'id in (3, 5) or id = 4', [3, 4, 5]),
  users(
    'not: a row without the relation is unknown',
    'not company.name = Acme and id <= 9',
    [2, 3, 4, 5, 9],
  ),
  users('not: null is unknown', 'not company.motto = "We deliver" and id <= 9', [3, 4]),
  users('not: null is null', 'not company.motto is null and id <= 9', [1, 3, 4, 8]),
  users('not: between', 'not id between 3 and 7 and id <= 9', [1, 2, 8, 9]),
  users('not: in nothing is every row', 'not company.name in () and id <= 3', [1, 2, 3]),
  users('not: none of many rows', 'not orders.group = A and id <= 9', [2, 3, 6, 7, 9]),
  users(
    'not: all together',
    'not (company.name = Acme and orders.group = B) and id <= 9',
    [2, 3, 4, 5, 6, 7, 8, 9],
  ),
  users(
    'not: none of its alternatives',
    'not (company.name = Acme or orders.group = B) and id <= 9',
    [3, 4, 9],
  ),
  users('not: twice', 'not not company.name = Acme and id <= 9', [1, 8]),
  users(
    'alternatives that all hold',
    '(id = 1 or id = 2) and (orders.group = select or id = 9)',
    [2],
  ),
  users('the same operator twice', 'orders.group = A and orders.group = B', [1, 5]),
  users('three groups within each other', 'not (id > 2 or id < 2) or id = 7', [2, 7]),
  users('keywords in upper case', 'id = 1 OR NOT id > 2', [1, 2]),
  users('beside filters in brackets', 'id = 1 or id = 2 or id = 9', [2, 9], '&filter[id][gte]=2'),
  users('with search', 'id = 1 or id = 2 or id = 9', [1, 2], '&search=b'),
  users('nothing', ' ', [3], '&filter[id]=3'),
  {
    name: 'a page by cursor',
    endpoint: 'usersGrouped',
    request: `${where('(company.name = Acme or company.name = Initech) and id <= 20')}&perPage=2&cursor=`,
    expect: { keys: [1, 4], next: true, prev: false },
  },
  users('a time that is told from now', 'createdAt > now + 52000w or id = 1', [1, 15]),
  users('an age', 'createdAt < 1s or id = 1', [1, 15]),
  refused(
    'usersGrouped',
    'a path that is not allowed',
    where('id = 1 or secret = x'),
    'FIELD_NOT_ALLOWED',
    {
      param: 'where',
      path: 'secret',
      start: 10,
      end: 20,
    },
  ),
  refused(
    'usersGrouped',
    'an operator that is not allowed',
    where('company.name is null'),
    'OPERATOR_NOT_ALLOWED',
    { param: 'where', path: 'company.name', operator: 'isNull', start: 0, end: 20 },
  ),
  refused(
    'usersGrouped',
    'a quantifier that is not allowed',
    where('reports.every(name = x)'),
    'OPERATOR_NOT_ALLOWED',
    {
      param: 'where',
      path: 'reports',
      operator: '$every',
      start: 14,
      end: 22,
    },
  ),
  malformed('nothing behind or', 'id = 1 or', 9, 9),
  malformed('a parenthesis that is open', '(id = 1', 0, 1),
  malformed('a quote that is open', 'name = "x', 7, 9),
  malformed('too many groups within each other', 'not not not not id = 1', 12, 15),
  refused('users', 'rules that do not say so', where('id = 1'), 'QUERY_SYNTAX_UNKNOWN_PARAM', {
    param: 'where',
  }),
];
