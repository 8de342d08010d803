/** Several conditions on the same related row: some row, every row or no row meets them together. */

import { type CorpusCase, page, refused } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersGrouped', name, request, keys, total);
const upTo = (id: number): string => `&filter[id][lte]=${id}`;
const orders = (quantifier: string, rest: string): string =>
  rest.replaceAll('~', `filter[orders][$${quantifier}]`);

export const quantifiers: readonly CorpusCase[] = [
  users(
    'some: two different rows do not count',
    orders('some', '~[group]=A&~[title]=zebra%20crossing'),
    [],
  ),
  users('some: one row that meets both', orders('some', '~[group]=B&~[status]=placed'), [2, 5]),
  users(
    'some: beside a filter through the relation',
    `${orders('some', '~[group]=B&~[status]=placed')}&filter[orders.group]=A`,
    [5],
  ),
  users(
    'every: a row without any is kept',
    `${orders('every', '~[group]=A')}${upTo(9)}`,
    [4, 8, 9],
  ),
  users(
    'every: null does not meet a condition',
    `${orders('every', '~[coupon]=X')}${upTo(9)}`,
    [3, 9],
  ),
  users(
    'every: two conditions',
    `${orders('every', '~[total][gte]=5&~[status][ne]=paid')}${upTo(9)}`,
    [3, 7, 8, 9],
  ),
  users('every: by order', `${orders('every', '~[total][gte]=5')}${upTo(9)}`, [2, 3, 7, 8, 9]),
  users(
    'none: a row without any is kept',
    `${orders('none', '~[group]=A')}${upTo(9)}`,
    [2, 3, 6, 7, 9],
  ),
  users(
    'none: null does not meet a condition',
    `${orders('none', '~[coupon][ne]=X')}${upTo(9)}`,
    [3, 4, 5, 7, 8, 9],
  ),
  users(
    'none: two conditions',
    `${orders('none', '~[group]=B&~[status]=placed')}${upTo(6)}`,
    [1, 3, 4, 6],
  ),
  users(
    'two quantifiers of one relation',
    `${orders('some', '~[group]=A')}&${orders('none', '~[group]=B')}`,
    [4, 8],
  ),
  users(
    'none and every of one relation',
    `${orders('none', '~[group]=A')}&${orders('every', '~[total][gte]=5')}${upTo(9)}`,
    [2, 3, 7, 9],
  ),
  users(
    'none and every of one relation: null does not meet a condition',
    `${orders('none', '~[coupon][ne]=X')}&${orders('every', '~[coupon]=X')}${upTo(9)}`,
    [3, 9],
  ),
  users(
    'every of one relation twice, within a group',
    `filter[$and][0][orders][$every][total][gte]=5&filter[$and][1][orders][$every][coupon]=X${upTo(9)}`,
    [3, 9],
  ),
  users(
    'not none and every of one relation',
    `filter[$not][orders][$none][coupon][ne]=X&filter[$not][orders][$every][coupon]=X${upTo(9)}`,
    [1, 2, 4, 5, 6, 7, 8],
  ),
  users(
    'some within some: all of one line',
    orders('some', '~[lines][$some][product]=Apple&~[lines][$some][price][lt]=1&~[status]=sent'),
    [1],
  ),
  users(
    'some within some: no such line',
    orders('some', '~[lines][$some][product]=Apple&~[lines][$some][price][gt]=4'),
    [],
  ),
  users(
    'every within some',
    orders('some', '~[lines][$every][product][ilike]=APPLE'),
    [1, 5, 6, 7],
  ),
  users(
    'none within none',
    `${orders('none', '~[lines][$none][product][ilike]=a')}${upTo(9)}`,
    [1, 2, 3, 4, 5, 9],
  ),
  users('three relations', orders('some', '~[lines][$some][notes][$some][text]=ripe'), [1, 2]),
  users(
    'three relations, with a condition between',
    orders('some', '~[lines][$some][product]=Apple&~[lines][$some][notes][$some][text]=ripe'),
    [1],
  ),
  users(
    'three relations: every note, of which there may be none',
    orders('some', '~[lines][$some][product]=Apple&~[lines][$some][notes][$every][text]=ripe'),
    [1],
  ),
  users(
    'three relations: not every note',
    orders('some', '~[lines][$some][product]=Zebra&~[lines][$some][notes][$every][text]=ripe'),
    [],
  ),
  users(
    'a relation in place of a quantifier within',
    orders('some', '~[group]=A&~[lines.product]=Pear'),
    [1, 4],
  ),
  users('a one relation within', orders('some', '~[approver][isNull]=true&~[group]=B'), [2]),
  users('a group within', orders('some', '~[$or][0][group]=C&~[$or][1][coupon]=X'), [3, 5, 6, 7]),
  users(
    'a group and a filter within',
    orders('some', '~[$or][0][group]=C&~[$or][1][coupon]=X&~[status]=placed'),
    [5, 7],
  ),
  users('a negation within: null is unknown', orders('some', '~[$not][coupon]=X&~[group]=A'), [1]),
  users(
    'a negation within every: null does not meet it',
    `${orders('every', '~[$not][coupon]=X')}${upTo(9)}`,
    [6, 9],
  ),
  users(
    'within a group',
    'filter[$or][0][orders][$some][group]=B&filter[$or][0][orders][$some][status]=placed&filter[$or][1][id]=9',
    [2, 5, 9],
  ),
  users(
    'not some',
    `filter[$not][orders][$some][group]=B&filter[$not][orders][$some][status]=placed${upTo(6)}`,
    [1, 3, 4, 6],
  ),
  users('not every', `filter[$not][orders][$every][group]=A${upTo(9)}`, [1, 2, 3, 5, 6, 7]),
  users(
    'not every, with null',
    `filter[$not][orders][$every][coupon]=X${upTo(9)}`,
    [1, 2, 4, 5, 6, 7, 8],
  ),
  users('not none', `filter[$not][orders][$none][group]=A`, [1, 4, 5, 8]),
  users('a join table: one team', 'filter[teams][$some][name]=red&filter[teams][$some][id]=1', []),
  users(
    'a join table: every team',
    'filter[teams][$every][name][ilike]=RED&filter[id][in]=7,8,9,50',
    [8, 9, 50],
  ),
  users(
    'a join table, and back',
    'filter[teams][$some][name]=Red&filter[teams][$some][users][$none][name]=äbc',
    [1, 2, 50],
  ),
  users(
    'a join table, and back: nobody',
    'filter[teams][$some][name]=Everyone&filter[teams][$some][users][$none][name]=äbc',
    [],
  ),
  users(
    'behind a one relation, which may be absent',
    `filter[company.users][$none][name]=ÄBC${upTo(9)}`,
    [2, 3, 4, 5, 6, 7, 9],
  ),
  users(
    'behind two one relations, a join table',
    `filter[company.country.languages][$every][name]=Deutsch${upTo(9)}`,
    [1, 3, 6, 7, 8],
  ),
  refused(
    'usersGrouped',
    'a relation that is not named',
    'filter[company][$some][name]=Acme',
    'FIELD_NOT_ALLOWED',
    {
      param: 'filter',
      path: 'company',
    },
  ),
  refused(
    'usersGrouped',
    'a relation behind another one',
    'filter[orders.lines][$some][product]=x',
    'FIELD_NOT_ALLOWED',
  ),
  refused(
    'usersGrouped',
    'a path that is not allowed',
    'filter[orders][$some][id]=1',
    'FIELD_NOT_ALLOWED',
    {
      param: 'filter',
      path: 'orders.id',
    },
  ),
  refused(
    'usersGrouped',
    'a quantifier that is not allowed',
    'filter[reports][$every][name]=x',
    'OPERATOR_NOT_ALLOWED',
    {
      path: 'reports',
      operator: '$every',
    },
  ),
  refused(
    'usersGrouped',
    'an operator that is not allowed',
    'filter[orders][$some][group][gt]=1',
    'OPERATOR_NOT_ALLOWED',
    {
      path: 'orders.group',
      operator: 'gt',
    },
  ),
  refused(
    'usersGrouped',
    'a value that does not fit',
    'filter[orders][$some][total]=much',
    'FILTER_VALUE_INVALID',
    {
      path: 'orders.total',
      operator: 'eq',
      rule: 'a decimal number of at most 65 digits, at most 30 after the point, without exponent',
    },
  ),
  refused(
    'usersGrouped',
    'a quantifier without filters',
    'filter[orders][$some]=1',
    'QUERY_SYNTAX_INVALID',
  ),
  refused(
    'usersGrouped',
    'an unknown quantifier',
    'filter[orders][$most][group]=A',
    'QUERY_SYNTAX_INVALID',
  ),
  refused(
    'users',
    'quantifiers where the rules have none',
    'filter[orders][$some][group]=A',
    'QUERY_SYNTAX_INVALID',
    {
      param: 'filter',
    },
  ),
];
