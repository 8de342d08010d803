/** Children of included relations as requests ask for them: which of them, in which order, and how many of each parent. */

import { type CorpusCase, body, refused, rows } from './case.ts';

const users = (name: string, request: string, data: readonly unknown[]) =>
  rows('usersChildren', name, request, data);
const wrong = (
  name: string,
  request: string,
  code: Parameters<typeof refused>[3],
  details: object,
) => refused('usersChildren', name, request, code, details);

export const children: readonly CorpusCase[] = [
  users('a filter of the children', 'filter[id][in]=1,2,9&include[orders][filter][status]=placed', [
    { id: 1, name: 'abc', orders: [{ id: 1, title: 'first order' }] },
    { id: 2, name: 'ABC', orders: [{ id: 4, title: 'ZEBRA' }] },
    { id: 9, name: '', orders: [] },
  ]),
  users(
    'a filter leaves the rows of the page',
    'filter[id][lte]=3&sort=id&fields=id&include[orders][filter][group]=C',
    [
      { id: 1, orders: [] },
      { id: 2, orders: [] },
      { id: 3, orders: [] },
    ],
  ),
  users('a descending sort', 'filter[id]=1&include[orders][sort]=-total', [
    {
      id: 1,
      name: 'abc',
      orders: [
        { id: 2, title: 'Second ORDER' },
        { id: 1, title: 'first order' },
        { id: 3, title: 'zebra crossing' },
      ],
    },
  ]),
  users('two sorts', 'filter[id][in]=2,5&sort=id&fields=id&include[orders][sort]=group,-total', [
    {
      id: 2,
      orders: [
        { id: 4, title: 'ZEBRA' },
        { id: 5, title: 'back\\slash' },
      ],
    },
    {
      id: 5,
      orders: [
        { id: 9, title: 'zebra again' },
        { id: 8, title: 'Straße' },
      ],
    },
  ]),
  users(
    'the first of each parent',
    'filter[id][in]=1,2,5&sort=id&fields=id&include[orders][perPage]=1',
    [
      { id: 1, orders: [{ id: 1, title: 'first order' }], $truncated: ['orders'] },
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }], $truncated: ['orders'] },
      { id: 5, orders: [{ id: 8, title: 'Straße' }], $truncated: ['orders'] },
    ],
  ),
  users('exactly as many as there are', 'filter[id]=5&fields=id&include[orders][perPage]=2', [
    {
      id: 5,
      orders: [
        { id: 8, title: 'Straße' },
        { id: 9, title: 'zebra again' },
      ],
    },
  ]),
  users(
    'filter, sort and number',
    'filter[id][in]=1,2,5&sort=id&fields=id&include[orders][filter][status][ne]=paid&include[orders][sort]=-placedAt&include[orders][perPage]=1',
    [
      { id: 1, orders: [{ id: 2, title: 'Second ORDER' }], $truncated: ['orders'] },
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }] },
      { id: 5, orders: [{ id: 9, title: 'zebra again' }], $truncated: ['orders'] },
    ],
  ),
  users(
    'nulls where the rules fix them',
    'filter[id][in]=1,5&sort=id&fields=id&include[orders][sort]=-coupon',
    [
      {
        id: 1,
        orders: [
          { id: 3, title: 'zebra crossing' },
          { id: 2, title: 'Second ORDER' },
          { id: 1, title: 'first order' },
        ],
      },
      {
        id: 5,
        orders: [
          { id: 8, title: 'Straße' },
          { id: 9, title: 'zebra again' },
        ],
      },
    ],
  ),
  users('nulls of an ascending order', 'filter[id]=1&fields=id&include[orders][sort]=coupon', [
    {
      id: 1,
      orders: [
        { id: 2, title: 'Second ORDER' },
        { id: 3, title: 'zebra crossing' },
        { id: 1, title: 'first order' },
      ],
    },
  ]),
  users(
    'a sort through a relation',
    'filter[id]=1&fields=id&include[orders][sort]=-approver.name',
    [
      {
        id: 1,
        orders: [
          { id: 3, title: 'zebra crossing' },
          { id: 1, title: 'first order' },
          { id: 2, title: 'Second ORDER' },
        ],
      },
    ],
  ),
  users(
    'a sort through two relations',
    'filter[id][in]=1,5&sort=id&fields=id&include[orders][sort]=approver.company.name',
    [
      {
        id: 1,
        orders: [
          { id: 2, title: 'Second ORDER' },
          { id: 3, title: 'zebra crossing' },
          { id: 1, title: 'first order' },
        ],
      },
      {
        id: 5,
        orders: [
          { id: 8, title: 'Straße' },
          { id: 9, title: 'zebra again' },
        ],
      },
    ],
  ),
  users(
    'a filter through a relation',
    'filter[id][in]=1,2,3&sort=id&fields=id&include[orders][filter][approver.name][like]=b',
    [
      { id: 1, orders: [{ id: 3, title: 'zebra crossing' }] },
      { id: 2, orders: [{ id: 5, title: 'back\\slash' }] },
      { id: 3, orders: [{ id: 6, title: 'a_b' }] },
    ],
  ),
  users(
    'a filter on an absent relation',
    'filter[id][in]=1,2&sort=id&fields=id&include[orders][filter][approver][isNull]=true',
    [
      { id: 1, orders: [{ id: 2, title: 'Second ORDER' }] },
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }] },
    ],
  ),
  users(
    'a filter through many rows of a child',
    'filter[id][in]=1,9&fields=id&include[orders][filter][lines.product][ilike]=PIE',
    [
      { id: 1, orders: [{ id: 1, title: 'first order' }] },
      { id: 9, orders: [] },
    ],
  ),
  users(
    'children without rows of their own',
    'filter[id][in]=6,7&fields=id&sort=id&include[orders][filter][lines][isNull]=true',
    [
      { id: 6, orders: [{ id: 10, title: 'no lines' }] },
      { id: 7, orders: [{ id: 11, title: 'no lines either' }] },
    ],
  ),
  users(
    'one row of a child that meets two filters',
    'filter[id]=1&fields=id&include[orders][filter][lines][$some][product]=Apple&include[orders][filter][lines][$some][price][lt]=1',
    [
      {
        id: 1,
        orders: [
          { id: 1, title: 'first order' },
          { id: 2, title: 'Second ORDER' },
        ],
      },
    ],
  ),
  users(
    'every row of a child',
    'filter[id][in]=1,2,6&sort=id&fields=id&include[orders][filter][lines][$every][price][isNull]=false',
    [
      {
        id: 1,
        orders: [
          { id: 2, title: 'Second ORDER' },
          { id: 3, title: 'zebra crossing' },
        ],
      },
      { id: 2, orders: [{ id: 5, title: 'back\\slash' }] },
      { id: 6, orders: [{ id: 10, title: 'no lines' }] },
    ],
  ),
  users(
    'no row through an absent relation',
    'filter[id][in]=1,2&sort=id&fields=id&include[orders][filter][approver.teams][$none][name][ilike]=red',
    [
      { id: 1, orders: [{ id: 2, title: 'Second ORDER' }] },
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }] },
    ],
  ),
  users(
    'alternatives',
    'filter[id]=1&fields=id&include[orders][filter][$or][0][total][gte]=20&include[orders][filter][$or][1][coupon][isNull]=true',
    [
      {
        id: 1,
        orders: [
          { id: 1, title: 'first order' },
          { id: 2, title: 'Second ORDER' },
        ],
      },
    ],
  ),
  users(
    'a negation meets null',
    'filter[id]=1&fields=id&include[orders][filter][$not][coupon]=SAVE10%25',
    [{ id: 1, orders: [{ id: 3, title: 'zebra crossing' }] }],
  ),
  users(
    'groups within groups',
    'filter[id][in]=2,5&sort=id&fields=id&include[orders][filter][$or][0][$and][0][group]=B&include[orders][filter][$or][0][$and][1][status]=placed&include[orders][filter][$or][1][id]=9',
    [
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }] },
      {
        id: 5,
        orders: [
          { id: 8, title: 'Straße' },
          { id: 9, title: 'zebra again' },
        ],
      },
    ],
  ),
  users(
    'text in any case',
    'filter[id][in]=1,2&sort=id&fields=id&include[orders][filter][title][ilike]=ZEBRA',
    [
      { id: 1, orders: [{ id: 3, title: 'zebra crossing' }] },
      { id: 2, orders: [{ id: 4, title: 'ZEBRA' }] },
    ],
  ),
  users('an empty list', 'filter[id]=1&fields=id&include[orders][filter][id][in]=', [
    { id: 1, orders: [] },
  ]),
  users(
    'children of children',
    'filter[id]=1&fields=id&includes=orders&include[orders.lines][filter][product][like]=pp&include[orders.lines][sort]=-price',
    [
      {
        id: 1,
        orders: [
          {
            id: 1,
            title: 'first order',
            lines: [
              { lineNo: 2, product: 'apple pie' },
              { lineNo: 1, product: 'Apple' },
            ],
          },
          { id: 2, title: 'Second ORDER', lines: [{ lineNo: 1, product: 'Apple' }] },
          { id: 3, title: 'zebra crossing', lines: [] },
        ],
      },
    ],
  ),
  users(
    'both levels',
    'filter[id]=1&fields=id&include[orders][sort]=-placedAt&include[orders][perPage]=2&include[orders.lines][perPage]=1&include[orders.lines][sort]=product',
    [
      {
        id: 1,
        orders: [
          { id: 3, title: 'zebra crossing', lines: [{ lineNo: 1, product: 'zebra' }] },
          { id: 2, title: 'Second ORDER', lines: [{ lineNo: 1, product: 'Apple' }] },
        ],
        $truncated: ['orders'],
      },
    ],
  ),
  users(
    'a sort by the parent',
    'filter[id]=1&fields=id&include[orders][filter][id]=1&include[orders.lines][sort]=-order.title,-qty',
    [
      {
        id: 1,
        orders: [
          {
            id: 1,
            title: 'first order',
            lines: [
              { lineNo: 1, product: 'Apple' },
              { lineNo: 3, product: 'Pear' },
              { lineNo: 2, product: 'apple pie' },
            ],
          },
        ],
      },
    ],
  ),
  users(
    'composite keys',
    'filter[id]=3&fields=id&include[orders][filter][id]=6&include[orders.lines][sort]=-price',
    [
      {
        id: 3,
        orders: [
          {
            id: 6,
            title: 'a_b',
            lines: [
              { lineNo: 2, product: 'pear' },
              { lineNo: 10, product: 'Äpfel' },
            ],
          },
        ],
      },
    ],
  ),
  users(
    'three levels',
    'filter[id]=1&fields=id&include[orders][perPage]=1&include[orders.lines][filter][notes.text]=ripe&include[orders.lines.notes][sort]=-text',
    [
      {
        id: 1,
        orders: [
          {
            id: 1,
            title: 'first order',
            lines: [{ lineNo: 1, product: 'Apple', notes: [{ text: 'ripe' }, { text: null }] }],
          },
        ],
        $truncated: ['orders'],
      },
    ],
  ),
  users(
    'many to many',
    'filter[id][in]=1,2&sort=id&fields=id&include[teams][filter][name][ilike]=re&include[teams][sort]=-id',
    [
      {
        id: 1,
        teams: [
          { id: 2, name: 'red' },
          { id: 1, name: 'Red' },
        ],
      },
      { id: 2, teams: [{ id: 1, name: 'Red' }] },
    ],
  ),
  users(
    'shared children',
    'filter[id][in]=1,2&sort=id&fields=id&include[teams][filter][id]=6&include[teams.users][sort]=-score&include[teams.users][perPage]=2',
    [
      {
        id: 1,
        teams: [{ id: 6, name: 'Everyone', users: [{ id: 5 }, { id: 3 }], $truncated: ['users'] }],
      },
      {
        id: 2,
        teams: [{ id: 6, name: 'Everyone', users: [{ id: 5 }, { id: 3 }], $truncated: ['users'] }],
      },
    ],
  ),
  body(
    'usersChildren',
    'a relation of the model to itself',
    'filter[reports][isNull]=false&sort=id&fields=id&include[reports][sort]=-name&include[reports][perPage]=2&perPage=3',
    {
      data: [
        {
          id: 1,
          reports: [
            { id: 4, name: 'abc ' },
            { id: 3, name: 'Abc' },
          ],
          $truncated: ['reports'],
        },
        {
          id: 2,
          reports: [
            { id: 7, name: 'äbc' },
            { id: 8, name: 'ÄBC' },
          ],
          $truncated: ['reports'],
        },
        {
          id: 10,
          reports: [
            { id: 12, name: 'a_c' },
            { id: 10, name: '100%' },
          ],
          $truncated: ['reports'],
        },
      ],
      page: 1,
      perPage: 3,
      total: 3,
      lastPage: 1,
    },
  ),
  users(
    'behind relations to one row',
    'filter[id][in]=1,6&sort=id&fields=id&includes=company,company.country&include[company.country.languages][sort]=-name&include[company.country.languages][perPage]=1',
    [
      {
        id: 1,
        company: {
          id: 1,
          name: 'Acme',
          country: { code: 'DE', name: 'Deutschland', languages: [{ code: 'deu' }] },
        },
      },
      { id: 6, company: null },
    ],
  ),
  users(
    'a parent without children',
    'filter[id]=9&fields=id&include[orders][filter][total][gt]=0&include[orders][perPage]=1',
    [{ id: 9, orders: [] }],
  ),
  users(
    'named in includes as well',
    'filter[id]=2&fields=id,orders.id&includes=orders&include[orders][sort]=-placedAt',
    [{ id: 2, orders: [{ id: 5 }, { id: 4 }] }],
  ),
  body(
    'usersChildren',
    'beside a filter of the rows',
    'filter[orders.status]=sent&sort=id&fields=id&include[orders][filter][status]=sent&include[orders][perPage]=1&perPage=2',
    {
      data: [
        { id: 1, orders: [{ id: 2, title: 'Second ORDER' }] },
        { id: 3, orders: [{ id: 6, title: 'a_b' }] },
      ],
      page: 1,
      perPage: 2,
      total: 4,
      lastPage: 2,
    },
  ),
  users(
    'fields that the order does not show',
    'filter[id]=5&fields=id,orders.title&include[orders][sort]=-placedAt',
    [{ id: 5, orders: [{ title: 'zebra again' }, { title: 'Straße' }] }],
  ),
  users(
    'an enum by its members',
    'filter[id]=1&fields=id&include[orders][filter][status][gt]=placed&include[orders][sort]=-status',
    [
      {
        id: 1,
        orders: [
          { id: 3, title: 'zebra crossing' },
          { id: 2, title: 'Second ORDER' },
        ],
      },
    ],
  ),
  wrong(
    'an include that the rules do not name',
    'include[manager][perPage]=1',
    'FIELD_NOT_ALLOWED',
    { param: 'include', path: 'manager' },
  ),
  wrong('an include that does not exist', 'include[nothing][sort]=id', 'FIELD_NOT_ALLOWED', {
    param: 'include',
    path: 'nothing',
  }),
  wrong('a parent that is not included', 'include[orders.lines][perPage]=1', 'FIELD_NOT_ALLOWED', {
    param: 'includes',
    path: 'orders.lines',
  }),
  wrong(
    'a path that the rules do not name',
    'include[orders][filter][userId]=1',
    'FIELD_NOT_ALLOWED',
    { param: 'include[orders][filter]', path: 'orders.userId' },
  ),
  wrong(
    'an operator that the rules do not name',
    'include[orders][filter][group][like]=A',
    'OPERATOR_NOT_ALLOWED',
    { path: 'orders.group', operator: 'like', param: 'include[orders][filter]' },
  ),
  wrong('a value of another kind', 'include[orders][filter][total]=much', 'FILTER_VALUE_INVALID', {
    path: 'orders.total',
    operator: 'eq',
    rule: 'a decimal number of at most 65 digits, at most 30 after the point, without exponent',
    param: 'include[orders][filter]',
  }),
  wrong('a sort that the rules do not name', 'include[orders][sort]=id', 'FIELD_NOT_ALLOWED', {
    param: 'include[orders][sort]',
    path: 'orders.id',
  }),
  wrong('a path in both directions', 'include[orders][sort]=title,-title', 'SORT_CONFLICT', {
    path: 'orders.title',
    param: 'include[orders][sort]',
  }),
  wrong('too many', 'include[reports][perPage]=4', 'PAGINATION_INVALID', {
    param: 'include[reports][perPage]',
    maxPerPage: 3,
  }),
  wrong('no number', 'include[orders][perPage]=0', 'PAGINATION_INVALID', {
    param: 'include[orders][perPage]',
  }),
  wrong('a number that is no whole one', 'include[orders][perPage]=1.5', 'PAGINATION_INVALID', {
    param: 'include[orders][perPage]',
  }),
  wrong(
    'a quantifier that the rules do not name',
    'include[orders][filter][approver][$some][name]=a',
    'FIELD_NOT_ALLOWED',
    { param: 'include[orders][filter]', path: 'orders.approver' },
  ),
  wrong(
    'groups too deep',
    'include[orders][filter][$not][$not][$not][id]=1',
    'QUERY_SYNTAX_INVALID',
    { param: 'include[orders][filter]', maxDepth: 2 },
  ),
  wrong(
    'groups where the children have none',
    'include[reports][filter][$not][name]=a',
    'QUERY_SYNTAX_INVALID',
    { param: 'include[reports][filter]' },
  ),
  wrong('another parameter', 'include[orders][page]=2', 'QUERY_SYNTAX_INVALID', {
    param: 'include',
  }),
  wrong('no parameter', 'include[orders]=2', 'QUERY_SYNTAX_INVALID', { param: 'include' }),
  wrong('a path that is none', 'include[or%20ders][perPage]=2', 'QUERY_SYNTAX_INVALID', {
    param: 'include',
  }),
  wrong(
    'two values',
    'include[orders][perPage]=1&include[orders][perPage]=2',
    'QUERY_SYNTAX_INVALID',
    { param: 'include[orders][perPage]' },
  ),
  wrong('a malformed filter', 'include[orders][filter]=2', 'QUERY_SYNTAX_INVALID', {
    param: 'include[orders][filter]',
  }),
  wrong('a malformed sort', 'include[orders][sort]=-', 'QUERY_SYNTAX_INVALID', {
    param: 'include[orders][sort]',
  }),
  wrong('the parameter by itself', 'include=orders', 'QUERY_SYNTAX_INVALID', { param: 'include' }),
];
