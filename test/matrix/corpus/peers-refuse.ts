/** Features that comparable tools refuse, or support in some cells only. */

import { page, rows } from './case.ts';
import type { CorpusCase } from './case.ts';

/** Cases by feature. */
export const peersRefuse = {
  'patterns with % _ and \\': [
    page('users', 'like with a percent sign', 'filter[name][like]=%25&sort=-id', [13, 10]),
    page(
      'users',
      'like with an underscore',
      'filter[nickname][like]=_&sort=-id',
      [57, 45, 33, 21, 9],
    ),
    page('users', 'like with a backslash', 'filter[name][like]=\\&sort=-name', [15, 14]),
    page('users', 'like with all three', 'filter[name][like]=%25_\\', []),
    page(
      'users',
      'notLike with a percent sign',
      'filter[name][notLike]=%25&filter[id][between]=9,14',
      [9, 11, 12, 14],
    ),
    page(
      'users',
      'notLike with an underscore',
      'filter[name][notLike]=_&filter[id][between]=11,14',
      [11, 13, 14],
    ),
    page(
      'users',
      'notLike with a backslash',
      'filter[name][notLike]=\\&filter[id][between]=12,16',
      [12, 13, 16],
    ),
    page('users', 'ilike with a percent sign ignores only case', 'filter[name][ilike]=A%25C', [13]),
    page('users', 'ilike with an underscore', 'filter[name][ilike]=A_C', [12]),
    page('users', 'ilike with a backslash', 'filter[name][ilike]=BACK\\', [15]),
    page(
      'users',
      'notIlike with a percent sign',
      'filter[nickname][notIlike]=%25&filter[id][lte]=6',
      [1, 2, 3, 5, 6],
    ),
    page(
      'users',
      'like through a one relation',
      'filter[company.motto][like]=%25&perPage=3',
      [3, 10, 17],
      9,
    ),
    page(
      'users',
      'ilike through a one relation',
      'filter[company.name][ilike]=100%25&perPage=3',
      [5, 12, 19],
      8,
    ),
    page('users', 'like through a many relation', 'filter[orders.title][like]=_', [3]),
    page('users', 'like over three hops', 'filter[orders.lines.notes.text][like]=%26', [1]),
    page('users', 'like with a percent sign distinguishes case', 'filter[name][like]=A%25', []),
    page('users', 'search for a percent sign', 'search=%25', [10, 13]),
    page('users', 'search for an underscore', 'search=_&sort=-id', [57, 46, 45, 33, 21, 12, 9]),
    page('users', 'search for a backslash', 'search=\\', [14, 15]),
    page('users', 'like with a quote and a backslash', "filter[name][like]=\\'", []),
  ],
  'many-to-many as existence': [
    page('users', 'eq', 'filter[teams.name]=Red&perPage=5', [1, 2, 50]),
    page('users', 'two matches give one root', 'filter[teams.id][gt]=0&perPage=4', [1, 2, 3, 4], 8),
    page(
      'users',
      'ne matches if one differs',
      'filter[teams.name][ne]=Red&perPage=5',
      [1, 2, 3, 4, 5],
      7,
    ),
    page('users', 'notIn', 'filter[teams.name][notIn]=Red,Blue&perPage=5', [1, 2, 3, 4, 5], 7),
    page('users', 'ilike', 'filter[teams.name][ilike]=RED&sort=-id&perPage=4', [50, 3, 2, 1]),
    page('users', 'none', 'filter[teams][isNull]=true&perPage=4', [8, 9, 10, 11], 52),
    page('users', 'any', 'filter[teams][isNull]=false&perPage=4', [1, 2, 3, 4], 8),
    page(
      'users',
      'each filter is independent',
      'filter[teams.name]=Red&filter[teams.id][ne]=1&perPage=5',
      [1, 2],
    ),
    page(
      'users',
      'back through the same join table',
      'filter[teams.users.name]=abc&perPage=5',
      [1, 2, 3, 5, 7],
      6,
    ),
    page(
      'users',
      'after a chain of one relations',
      'filter[company.country.languages.name]=English&perPage=5',
      [4, 11, 18, 25, 32],
      9,
    ),
    page('teams', 'from the other side', 'filter[users.name]=abc', [1, 2, 6]),
    page('countries', 'with text keys', 'filter[languages.name][in]=Deutsch,English', [
      'AT',
      'CW',
      'DE',
      'IN',
      'US',
    ]),
    page('usersSearch', 'search', 'search=red&perPage=5', [1, 2, 3, 50]),
  ],
  'chains of three hops': [
    page(
      'users',
      'one, one, one',
      'filter[company.country.region.name]=Asia&perPage=5',
      [5, 12, 19, 26, 33],
      8,
    ),
    page(
      'users',
      'sorted by one, one, one',
      'sort=-company.country.region.name,id&perPage=5',
      [1, 2, 8, 9, 15],
      60,
    ),
    page(
      'users',
      'folded',
      'filter[company.country.region.name][ilike]=EUROPE&perPage=3',
      [1, 2, 8],
      18,
    ),
    page(
      'users',
      'one, one, many through a join table',
      'filter[company.country.languages.name][like]=e&perPage=5',
      [1, 2, 8, 9, 15],
      18,
    ),
    page('users', 'many, many, many', 'filter[orders.lines.notes.text][ilike]=RIPE', [1, 2]),
    page(
      'users',
      'many, many, many, absent',
      'filter[orders.lines.notes][isNull]=true&perPage=5',
      [1, 2, 3, 4, 5],
    ),
    page('users', 'many, many, many, null', 'filter[orders.lines.notes.text][isNull]=true', [1, 3]),
    page(
      'companies',
      'many, many, many from a company',
      'filter[users.orders.lines.product]=apple',
      [5],
    ),
    page(
      'users',
      'two chains at once',
      'filter[orders.lines.notes.text][isNull]=false&filter[company.country.region.name]=Europe',
      [1, 2, 8],
    ),
    page('orders', 'one, one after one', 'filter[user.company.name]=Acme&perPage=3', [1, 2, 3], 4),
  ],
  'collections nested two deep': [
    rows(
      'users',
      'a collection in a collection',
      'filter[id]=1&fields=id&includes=orders,orders.lines',
      [
        {
          id: 1,
          orders: [
            {
              id: 1,
              title: 'first order',
              lines: [
                { lineNo: 1, product: 'Apple' },
                { lineNo: 2, product: 'apple pie' },
                { lineNo: 3, product: 'Pear' },
              ],
            },
            { id: 2, title: 'Second ORDER', lines: [{ lineNo: 1, product: 'Apple' }] },
            { id: 3, title: 'zebra crossing', lines: [{ lineNo: 1, product: 'zebra' }] },
          ],
        },
      ],
    ),
    rows(
      'users',
      'three collections deep',
      'filter[id]=1&fields=id&includes=orders,orders.lines,orders.lines.notes',
      [
        {
          id: 1,
          orders: [
            {
              id: 1,
              title: 'first order',
              lines: [
                { lineNo: 1, product: 'Apple', notes: [{ text: 'ripe' }, { text: null }] },
                { lineNo: 2, product: 'apple pie', notes: [{ text: 'Ripe & sweet' }] },
                { lineNo: 3, product: 'Pear', notes: [{ text: 'soft' }] },
              ],
            },
            { id: 2, title: 'Second ORDER', lines: [{ lineNo: 1, product: 'Apple', notes: [] }] },
            { id: 3, title: 'zebra crossing', lines: [{ lineNo: 1, product: 'zebra', notes: [] }] },
          ],
        },
      ],
    ),
    rows(
      'users',
      'a collection in a collection through a join table, twice',
      'filter[id]=4&fields=id&includes=teams,teams.users',
      [{ id: 4, teams: [{ id: 3, name: 'Blue 50%', users: [{ id: 4 }, { id: 6 }] }] }],
    ),
    rows(
      'users',
      'two branches',
      'filter[id][in]=1,3&fields=id,orders.id,orders.lines.lineNo&includes=orders,orders.lines,teams',
      [
        {
          id: 1,
          orders: [
            { id: 1, lines: [{ lineNo: 1 }, { lineNo: 2 }, { lineNo: 3 }] },
            { id: 2, lines: [{ lineNo: 1 }] },
            { id: 3, lines: [{ lineNo: 1 }] },
          ],
          teams: [
            { id: 1, name: 'Red' },
            { id: 2, name: 'red' },
            { id: 6, name: 'Everyone' },
          ],
        },
        {
          id: 3,
          orders: [{ id: 6, lines: [{ lineNo: 2 }, { lineNo: 10 }] }],
          teams: [
            { id: 2, name: 'red' },
            { id: 6, name: 'Everyone' },
          ],
        },
      ],
    ),
    rows(
      'users',
      'a collection under two one relations',
      'filter[id][in]=1,3&fields=id,company.id&includes=company,company.country,company.country.languages',
      [
        {
          id: 1,
          company: {
            id: 1,
            country: { code: 'DE', name: 'Deutschland', languages: [{ code: 'deu' }] },
          },
        },
        { id: 3, company: { id: 3, country: null } },
      ],
    ),
    rows(
      'users',
      'a one relation in a collection',
      'filter[id]=1&fields=id,orders.id&includes=orders,orders.approver',
      [
        {
          id: 1,
          orders: [
            { id: 1, approver: { id: 2 } },
            { id: 2, approver: null },
            { id: 3, approver: { id: 1 } },
          ],
        },
      ],
    ),
    rows(
      'users',
      'empty at every level',
      'filter[id][in]=6,9&fields=id,orders.id&includes=orders,orders.lines',
      [
        { id: 6, orders: [{ id: 10, lines: [] }] },
        { id: 9, orders: [] },
      ],
    ),
    rows(
      'companies',
      'a filter does not restrict included rows',
      'filter[users.name]=abc&fields=id&includes=users',
      [
        {
          id: 1,
          users: [
            { id: 1 },
            { id: 8 },
            { id: 15 },
            { id: 22 },
            { id: 29 },
            { id: 36 },
            { id: 43 },
            { id: 50 },
            { id: 57 },
          ],
        },
      ],
    ),
  ],
  'renamed columns': [
    page('users', 'filter', 'filter[name]=abc', [1]),
    page(
      'users',
      'range of a renamed bigint',
      'filter[views][gte]=9007199254740991&perPage=4',
      [50, 51, 52, 54],
    ),
    page('users', 'sort', 'sort=-name&perPage=3', [59, 19, 20], 60),
    page('users', 'sort by a renamed instant', 'sort=-createdAt&perPage=3', [15, 59, 39], 60),
    rows(
      'users',
      'a projection uses paths, not column names',
      'filter[id]=1&fields=name,nickname,views,active,joinedOn,createdAt',
      [
        {
          name: 'abc',
          nickname: 'zoë',
          views: '1000',
          active: true,
          joinedOn: '0001-01-01',
          createdAt: '2024-05-02T12:00:00.000Z',
        },
      ],
    ),
    rows(
      'orders',
      'a column name beyond ASCII',
      'filter[title][like]=zebra&fields=id,title,group',
      [
        { id: 3, title: 'zebra crossing', group: 'B' },
        { id: 9, title: 'zebra again', group: 'A' },
      ],
    ),
    page(
      'orders',
      'a table and a column named by reserved words',
      'filter[group][in]=select,from,C&sort=-group',
      [5, 6, 11, 10],
    ),
    page(
      'lines',
      'a composite key of renamed columns',
      'filter[lineNo]=2&sort=-orderId&perPage=3&fields=orderId,lineNo',
      [6, 4, 1],
    ),
    rows(
      'lines',
      'joined by two columns with different names on each side',
      'filter[notes.text][isNull]=false&fields=orderId,lineNo&includes=notes',
      [
        {
          orderId: 1,
          lineNo: 1,
          notes: [
            { id: 1, text: 'ripe' },
            { id: 2, text: null },
          ],
        },
        { orderId: 1, lineNo: 2, notes: [{ id: 3, text: 'Ripe & sweet' }] },
        { orderId: 1, lineNo: 3, notes: [{ id: 8, text: 'soft' }] },
        {
          orderId: 4,
          lineNo: 1,
          notes: [
            { id: 4, text: 'striped' },
            { id: 5, text: 'ripe' },
          ],
        },
        { orderId: 12, lineNo: 1, notes: [{ id: 7, text: '😀😀' }] },
      ],
    ),
    page(
      'users',
      'a renamed key of a relation',
      'filter[manager.name]=abc&perPage=3',
      [2, 3, 4],
      4,
    ),
    page('users', 'keys of join tables', 'filter[teams.id]=1&perPage=3&fields=id', [1, 2, 50]),
  ],
} as const satisfies { readonly [thing: string]: readonly CorpusCase[] };
