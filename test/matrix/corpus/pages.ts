/** Pagination: offset, no pages, keyset, and the modes of counting. */

import { body, page, refused } from './case.ts';
import type { CorpusCase } from './case.ts';
import type { EndpointName } from './endpoints.ts';

const shown = (from: number, to: number): { id: number }[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at }));

const keyset = (
  endpoint: EndpointName,
  name: string,
  request: string,
  keys: readonly unknown[],
  next: boolean,
  prev: boolean,
): CorpusCase => ({ name, endpoint, request, expect: { keys, next, prev } });

export const pages: readonly CorpusCase[] = [
  body('users', 'the first page by default', 'fields=id', {
    data: shown(1, 10),
    page: 1,
    perPage: 10,
    total: 60,
    lastPage: 6,
  }),
  body('users', 'the last page, full', 'fields=id&page=6', {
    data: shown(51, 60),
    page: 6,
    perPage: 10,
    total: 60,
    lastPage: 6,
  }),
  body('users', 'the last page, not full', 'fields=id&page=3&perPage=25', {
    data: shown(51, 60),
    page: 3,
    perPage: 25,
    total: 60,
    lastPage: 3,
  }),
  body('users', 'a page past the end', 'fields=id&page=7', {
    data: [],
    page: 7,
    perPage: 10,
    total: 60,
    lastPage: 6,
  }),
  body('users', 'far past the end', 'fields=id&page=900000000&perPage=500', {
    data: [],
    page: 900000000,
    perPage: 500,
    total: 60,
    lastPage: 1,
  }),
  body('users', 'an offset beyond 32 bits', 'fields=id&page=4294967297&perPage=1', {
    data: [],
    page: 4294967297,
    perPage: 1,
    total: 60,
    lastPage: 60,
  }),
  body('users', 'no rows', 'filter[id]=999', {
    data: [],
    page: 1,
    perPage: 10,
    total: 0,
    lastPage: 1,
  }),
  body('users', 'all rows on one page', 'fields=id&perPage=60', {
    data: shown(1, 60),
    page: 1,
    perPage: 60,
    total: 60,
    lastPage: 1,
  }),
  page(
    'users',
    'ties across pages, first page',
    'sort=active&perPage=20',
    [3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 33, 36, 39, 42, 45, 48, 51, 54, 57, 60],
    60,
  ),
  page(
    'users',
    'ties across pages, second page',
    'sort=active&perPage=20&page=2&filter[id][lt]=40',
    [11, 13, 14, 16, 17, 19, 20, 22, 23, 25, 26, 28, 29, 31, 32, 34, 35, 37, 38],
    39,
  ),
  page('usersBounded', 'the default page size of an endpoint', '', [1, 2, 3], 60),
  page('usersBounded', 'a parameter declared by the host', 'tenant=x&page=14', [40, 41, 42], 60),
  body('users', 'without pages', 'paginate=false&filter[id][lte]=3&fields=id', {
    data: shown(1, 3),
  }),
  body('users', 'without pages, as 0', 'paginate=0&filter[id][lte]=2&fields=id', {
    data: shown(1, 2),
  }),
  body('users', 'without pages, up to the largest page', 'paginate=false&fields=id', {
    data: shown(1, 60),
  }),
  body('usersCap', 'without pages, exactly the cap', 'paginate=false&filter[id][lte]=5&fields=id', {
    data: shown(1, 5),
  }),
  refused(
    'usersCap',
    'without pages, one over the cap',
    'paginate=false&filter[id][lte]=6',
    'PAGINATION_INVALID',
    { param: 'paginate', maxRows: 5 },
  ),
  body(
    'usersCap',
    'the cap counts root rows',
    'paginate=false&filter[id][lte]=2&fields=id,orders.id&includes=orders',
    {
      data: [
        { id: 1, orders: [{ id: 1 }, { id: 2 }, { id: 3 }] },
        { id: 2, orders: [{ id: 4 }, { id: 5 }] },
      ],
    },
  ),
  refused(
    'usersPagedOnly',
    'without pages if not allowed',
    'paginate=false',
    'PAGINATION_INVALID',
    { param: 'paginate', maxRows: 500 },
  ),
  page('usersPagedOnly', 'with pages by paginate=true', 'paginate=true&perPage=1', [1], 60),
  body('usersCapped', 'a count that stops at its cap', 'fields=id&perPage=2', {
    data: shown(1, 2),
    page: 1,
    perPage: 2,
    total: 7,
    lastPage: 4,
    totalCapped: true,
  }),
  body('usersCapped', 'a count below its cap', 'fields=id&perPage=2&filter[id][lte]=6', {
    data: shown(1, 2),
    page: 1,
    perPage: 2,
    total: 6,
    lastPage: 3,
  }),
  body('usersCapped', 'a count equal to its cap', 'fields=id&perPage=2&filter[id][lte]=7', {
    data: shown(1, 2),
    page: 1,
    perPage: 2,
    total: 7,
    lastPage: 4,
  }),
  body('usersUncounted', 'no count, more rows follow', 'fields=id&perPage=2', {
    data: shown(1, 2),
    page: 1,
    perPage: 2,
    hasNextPage: true,
  }),
  body('usersUncounted', 'no count, the last page', 'fields=id&perPage=2&page=30', {
    data: shown(59, 60),
    page: 30,
    perPage: 2,
    hasNextPage: false,
  }),
  keyset('usersKeyset', 'the first keyset page', 'perPage=3', [1, 2, 3], true, false),
  keyset(
    'usersKeyset',
    'a keyset page with exactly all rows',
    'perPage=5&filter[id][gt]=55',
    [56, 57, 58, 59, 60],
    false,
    false,
  ),
  keyset(
    'usersKeyset',
    'a keyset page larger than the rest',
    'perPage=6&filter[id][gt]=55',
    [56, 57, 58, 59, 60],
    false,
    false,
  ),
  keyset('usersKeyset', 'instants', 'sort=createdAt&perPage=4', [16, 14, 13, 11], true, false),
  keyset(
    'usersKeyset',
    'nullable instants, descending',
    'sort=-seenAt&perPage=2',
    [46, 22],
    true,
    false,
  ),
  keyset('usersKeyset', 'no rows', 'filter[id]=999', [], false, false),
  keyset('usersKeyset', 'nulls first', 'sort=nickname,-id&perPage=3', [60, 56, 52], true, false),
  keyset(
    'usersKeyset',
    'mixed directions through a relation',
    'sort=-company.name,-age&perPage=4',
    [17, 45, 10, 38],
    true,
    false,
  ),
  keyset('usersBoth', 'mode both, with an empty cursor', 'cursor=&perPage=2', [1, 2], true, false),
  page('usersBoth', 'mode both, without a cursor', 'perPage=2', [1, 2], 60),
  refused('usersKeyset', 'a page number in mode keyset', 'page=2', 'PAGINATION_INVALID', {
    param: 'page',
  }),
  refused('usersKeyset', 'an invalid cursor', 'cursor=abc', 'CURSOR_INVALID', {
    param: 'cursor',
  }),
  refused('users', 'a cursor in mode offset', 'cursor=abc', 'QUERY_SYNTAX_UNKNOWN_PARAM', {
    param: 'cursor',
  }),
];
