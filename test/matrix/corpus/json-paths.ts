/** Typed paths of a json field: the operators of their kinds, and values that do not fit the kind. */

import { page } from './case.ts';
import type { CorpusCase } from './case.ts';

const users = (name: string, request: string, keys: readonly number[], total?: number) =>
  page('users', name, request, keys, total);

/** Sorted by a path; those without a value come first, or last backwards. */
const sorted = (name: string, sort: string, keys: readonly number[]) => {
  const path = sort.replace('-', '');
  return page(
    'users',
    name,
    `filter[${path}][isNull]=false&filter[id][between]=30,45&sort=${sort}`,
    keys,
  );
};

export const jsonPaths: readonly CorpusCase[] = [
  users('eq on a text', 'filter[settings.name]=ann', [30]),
  users('ne on a text leaves out null', 'filter[settings.name][ne]=ann', [31, 32, 35, 36, 39]),
  users('a text is not a number', 'filter[settings.name]=42', [32]),
  users('a text keeps its spaces', 'filter[settings.name]=ann%20', [36]),
  users('an empty text', 'filter[settings.name][in]=%22%22,none', [35]),
  users('in on a text', 'filter[settings.name][in]=ann,Ann', [30, 31]),
  users('notIn on a text', 'filter[settings.name][notIn]=ann,Ann,42', [35, 36, 39]),
  users('texts in the order of code points', 'filter[settings.name][gt]=42', [30, 31, 36, 39]),
  users('between on a text', 'filter[settings.name][between]=A,ann', [30, 31]),
  users('like is literal', 'filter[settings.name][like]=%25_!%5C', [39]),
  users('like is case-sensitive', 'filter[settings.name][like]=nn', [30, 31, 36]),
  users('like on other planes', 'filter[settings.name][like]=%C3%A9%F0%9F%98%80', [39]),
  users('notLike leaves out null', 'filter[settings.name][notLike]=nn', [32, 35, 39]),
  users('eq on an integer', 'filter[settings.count]=42', [30]),
  users('ne on an integer', 'filter[settings.count][ne]=42', [31, 36]),
  users('in on an integer', 'filter[settings.count][in]=41,42,43', [30, 31]),
  users('gte on an integer', 'filter[settings.count][gte]=42', [30]),
  users('lt on an integer', 'filter[settings.count][lt]=42', [31, 36]),
  users('the smallest integer', 'filter[settings.count]=-2147483648', [36]),
  users('an integer is not null', 'filter[settings.count][isNull]=false', [30, 31, 36]),
  users('a deep path', 'filter[settings.deep.er.id]=7', [30]),
  users('order on a deep path', 'filter[settings.deep.er.id][between]=-7,7', [30, 31]),
  users('eq on a bigint', 'filter[settings.large]=2147483648', [35]),
  users('order on a bigint', 'filter[settings.large][lte]=9007199254740990', [35, 42]),
  users('the longest exact bigint', 'filter[settings.large]=9007199254740991', [36]),
  users('eq on a decimal', 'filter[settings.price]=0.1', [39]),
  users('eq on a decimal with zeros', 'filter[settings.price]=10.000', [40]),
  users('order on a decimal', 'filter[settings.price][lte]=0.1', [39, 41]),
  users('a decimal between two', 'filter[settings.price][gt]=0.10000000000000000001', [40]),
  users('eq on a boolean', 'filter[settings.on]=true&filter[id][between]=30,45', [30]),
  users(
    'in on a boolean',
    'filter[settings.on][in]=false,true&filter[id][gte]=30&filter[id][lt]=46',
    [30, 31],
  ),
  users('eq on a date', 'filter[settings.day]=2024-02-29', [39]),
  users('order on a date', 'filter[settings.day][gt]=2024-01-01', [39, 41]),
  users('eq on an instant', 'filter[settings.at]=2024-02-29T12:00:00.5Z', [39]),
  users('an instant in another zone', 'filter[settings.at][gte]=2024-03-01T01:00:00%2B01:00', [41]),
  users('an instant between two', 'filter[settings.at][gt]=2024-02-29T12:00:00.499999Z', [39, 41]),
  users(
    'isNull covers what is missing or does not fit',
    'filter[settings.name][isNull]=true&filter[id][between]=30,45',
    [33, 34, 37, 38, 40, 41, 42, 43, 44, 45],
  ),
  sorted('texts are sorted by code points', 'settings.name', [35, 32, 31, 30, 36, 39]),
  sorted('texts backwards', '-settings.name', [39, 36, 30, 31, 32, 35]),
  sorted('whole numbers are sorted as numbers', 'settings.count', [36, 31, 30]),
  sorted('whole numbers backwards', '-settings.count', [30, 31, 36]),
  sorted('numbers of 64 bits', 'settings.large', [42, 35, 36]),
  sorted('decimals', '-settings.price', [40, 39, 41]),
  sorted('booleans: false before true', 'settings.on', [31, 30]),
  sorted('dates', '-settings.day', [41, 39]),
  sorted('instants', 'settings.at', [39, 41]),
  sorted('a deep path', 'settings.deep.er.id', [31, 30]),
  users(
    'nulls come first, in the order of the key',
    'filter[id][between]=30,38&sort=settings.name',
    [33, 34, 37, 38, 35, 32, 31, 30, 36],
  ),
  users(
    'nulls come last backwards, in the same direction',
    'filter[id][between]=30,38&sort=-settings.name',
    [36, 30, 31, 32, 35, 38, 37, 34, 33],
  ),
  users(
    'two paths',
    'filter[id][between]=30,34&sort=settings.on,-settings.count',
    [34, 33, 32, 31, 30],
  ),
  users('startsWith on a text', 'filter[settings.name][startsWith]=ann', [30, 36]),
  users('startsWith is literal', 'filter[settings.name][startsWith]=%25', []),
  users(
    'notStartsWith leaves out null',
    'filter[settings.name][notStartsWith]=ann',
    [31, 32, 35, 39],
  ),
  users('endsWith on a text', 'filter[settings.name][endsWith]=nn', [30, 31]),
  users('notEndsWith on a text', 'filter[settings.name][notEndsWith]=nn', [32, 35, 36, 39]),
  users(
    'paths beside other filters',
    'filter[settings.count][gte]=-2147483648&filter[id][gt]=30',
    [31, 36],
  ),
];
