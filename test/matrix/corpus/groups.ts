/** Groups of filters: alternatives, negations and groups within groups. Null makes a negation unknown, as in SQL. */

import { type CorpusCase, page, refused } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('usersGrouped', name, request, keys, total);
const upTo = (id: number): string => `&filter[id][lte]=${id}`;
const acme = 'filter[$or][0][company.name]=Acme';
const syntax = { param: 'filter' };

export const groups: readonly CorpusCase[] = [
  users(
    'or: through a many and a one relation',
    `filter[$or][0][orders.group]=C&filter[$or][1][company.name]=Acme${upTo(9)}`,
    [1, 6, 7, 8],
  ),
  users(
    'or: the filters of one member all hold',
    `${acme}&filter[$or][0][orders.group]=B&filter[$or][1][id]=9`,
    [1, 9],
  ),
  users('or: one member', `${acme}${upTo(9)}`, [1, 8]),
  users(
    'or: members are told apart by their numbers alone',
    `filter[$or][7][id]=3&filter[$or][2][id]=1&filter[$or][7][company.name]=Acme`,
    [1],
  ),
  users(
    'or: the key of a related row',
    `filter[$or][0][company.id]=1&filter[$or][1][id]=9${upTo(9)}`,
    [1, 8, 9],
  ),
  users(
    'or: the key of a related row that is not there',
    `filter[$or][0][company.id]=77&filter[$or][1][id]=9${upTo(9)}`,
    [9],
  ),
  users(
    'not or: the key of a related row is unknown where there is none',
    `filter[$not][$or][0][company.id]=1&filter[$not][$or][1][id]=9${upTo(9)}`,
    [2, 3, 4, 5],
  ),
  users('or: an operator and a list', 'filter[$or][0][id][in]=3,5&filter[$or][1][id]=4', [3, 4, 5]),
  users(
    'or: a list as a repeated parameter',
    'filter[$or][0][id][in][]=3&filter[$or][0][id][in][]=5&filter[$or][1][id]=4',
    [3, 4, 5],
  ),
  users(
    'or: with other filters, an order and a page',
    `${acme}&filter[$or][1][company.name]=Initech&sort=-id&perPage=3${upTo(20)}`,
    [18, 15, 11],
    6,
  ),
  {
    name: 'or: a page by cursor',
    endpoint: 'usersGrouped',
    request: `${acme}&filter[$or][1][company.name]=Initech&perPage=2&cursor=${upTo(20)}`,
    expect: { keys: [1, 4], next: true, prev: false },
  },
  users(
    'not: a row without the relation is unknown',
    `filter[$not][company.name]=Acme${upTo(9)}`,
    [2, 3, 4, 5, 9],
  ),
  users('not: null is unknown', `filter[$not][company.motto]=We%20deliver${upTo(9)}`, [3, 4]),
  users(
    'not: a pattern of null is unknown',
    `filter[$not][company.motto][like]=%25${upTo(9)}`,
    [1, 4, 8],
  ),
  users('not: null is null', `filter[$not][company.motto][isNull]=true${upTo(9)}`, [1, 3, 4, 8]),
  users('not: between', `filter[$not][id][between]=3,7${upTo(9)}`, [1, 2, 8, 9]),
  users(
    'not: between with bounds that are swapped',
    `filter[$not][id][between]=7,3${upTo(4)}`,
    [1, 2, 3, 4],
  ),
  users('not: in', `filter[$not][id][in]=1,2,3${upTo(5)}`, [4, 5]),
  users(
    'not: in nothing is every row, also without the relation',
    `filter[$not][company.name][in]=${upTo(8)}`,
    [1, 2, 3, 4, 5, 6, 7, 8],
  ),
  users('not: notIn nothing is no row', `filter[$not][company.name][notIn]=${upTo(8)}`, []),
  users('not: starts with the empty text', `filter[$not][name][startsWith]=${upTo(8)}`, []),
  users('not: none of many rows', `filter[$not][orders.group]=A${upTo(9)}`, [2, 3, 6, 7, 9]),
  users(
    'not: none of many rows has null',
    `filter[$not][orders.lines.price][isNull]=true${upTo(9)}`,
    [3, 4, 5, 6, 7, 8, 9],
  ),
  users(
    'not: none of many rows, whose null is unknown',
    `filter[$not][orders.coupon][ne]=X${upTo(9)}`,
    [3, 4, 5, 7, 8, 9],
  ),
  users(
    'not: none behind a one relation and a join table',
    `filter[$not][company.country.languages.name]=Deutsch${upTo(9)}`,
    [3, 4, 5, 6, 7],
  ),
  users(
    'not: an empty relation',
    `filter[$not][orders][isNull]=true${upTo(9)}`,
    [1, 2, 3, 4, 5, 6, 7, 8],
  ),
  users(
    'not: all of its filters together',
    `filter[$not][company.name]=Acme&filter[$not][orders.group]=B${upTo(9)}`,
    [2, 3, 4, 5, 6, 7, 8, 9],
  ),
  users(
    'not: none of its alternatives',
    `filter[$not][$or][0][company.name]=Acme&filter[$not][$or][1][orders.group]=B${upTo(9)}`,
    [3, 4, 9],
  ),
  users('not: twice', `filter[$not][$not][company.name]=Acme${upTo(9)}`, [1, 8]),
  users('not: twice, of many rows', `filter[$not][$not][orders.group]=A${upTo(9)}`, [1, 4, 5, 8]),
  users(
    'and: alternatives that all hold',
    'filter[$and][0][$or][0][id]=1&filter[$and][0][$or][1][id]=2&filter[$and][1][$or][0][orders.group]=select&filter[$and][1][$or][1][id]=9',
    [2],
  ),
  users(
    'and: the same operator twice',
    'filter[$and][0][orders.group]=A&filter[$and][1][orders.group]=B',
    [1, 5],
  ),
  users(
    'three groups within each other',
    `filter[$or][0][$not][$or][0][id][gt]=2&filter[$or][0][$not][$or][1][id][lt]=2&filter[$or][1][id]=7`,
    [2, 7],
  ),
  users(
    'with search',
    'filter[$or][0][id]=1&filter[$or][1][id]=2&filter[$or][2][id]=9&search=b',
    [1, 2],
  ),
  refused(
    'usersGrouped',
    'a path that is not allowed',
    'filter[$or][0][secret]=x',
    'FIELD_NOT_ALLOWED',
    { param: 'filter', path: 'secret' },
  ),
  refused(
    'usersGrouped',
    'an operator that is not allowed',
    'filter[$or][0][company.name][isNull]=true',
    'OPERATOR_NOT_ALLOWED',
    { path: 'company.name', operator: 'isNull' },
  ),
  refused(
    'usersGrouped',
    'a value that does not fit',
    'filter[$not][$or][0][age]=old',
    'FILTER_VALUE_INVALID',
  ),
  refused(
    'usersGrouped',
    'one filter twice',
    'filter[$or][0][id]=1&filter[$or][0][id]=2',
    'QUERY_SYNTAX_INVALID',
  ),
  refused(
    'usersGrouped',
    'members without numbers',
    'filter[$or][][id]=1',
    'QUERY_SYNTAX_INVALID',
    syntax,
  ),
  refused(
    'usersGrouped',
    'a group without filters',
    'filter[$or][0]=1',
    'QUERY_SYNTAX_INVALID',
    syntax,
  ),
  refused(
    'usersGrouped',
    'an unknown group',
    'filter[$nor][0][id]=1',
    'QUERY_SYNTAX_INVALID',
    syntax,
  ),
  refused('usersGrouped', 'a number of its own', 'filter[0][id]=1', 'QUERY_SYNTAX_INVALID', syntax),
  refused(
    'usersGrouped',
    'too many groups within each other',
    `filter${'[$not]'.repeat(4)}[id]=1`,
    'QUERY_SYNTAX_INVALID',
    { ...syntax, maxDepth: 3 },
  ),
  refused(
    'usersGrouped',
    'a name that is only groups',
    `filter${'[$not]'.repeat(2000)}[id]=1`,
    'QUERY_SYNTAX_INVALID',
    syntax,
  ),
  refused(
    'usersGrouped',
    'too many filters in groups',
    Array.from({ length: 13 }, (_, at) => `filter[$or][${at}][id]=${at}`).join('&'),
    'QUERY_SYNTAX_INVALID',
    { ...syntax, maxTerms: 12 },
  ),
  page(
    'usersThrifty',
    'terms that cost up to the budget',
    `${acme}&filter[$or][1][orders.group]=C${upTo(9)}`,
    [1, 6, 7, 8],
  ),
  refused(
    'usersThrifty',
    'terms that cost more than the budget',
    'filter[$or][0][orders][$some][lines][$some][product]=x&filter[$or][1][orders.lines.product]=x',
    'QUERY_TOO_EXPENSIVE',
    { term: 'filter[$or][1][orders.lines.product][eq]', cost: 104, maxCost: 100 },
  ),
  refused(
    'users',
    'groups where the rules have none',
    'filter[$or][0][id]=1',
    'QUERY_SYNTAX_INVALID',
    syntax,
  ),
];
