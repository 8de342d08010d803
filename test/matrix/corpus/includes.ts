/** Includes and projections: exactly the selected fields and rows, in their order. */

import { body, page, rows } from './case.ts';
import type { CorpusCase } from './case.ts';

export const includes: readonly CorpusCase[] = [
  rows('users', 'the default projection', 'filter[id]=1', [{ id: 1, name: 'abc' }]),
  rows('users', 'a projection without the key', 'filter[id]=1&fields=name', [{ name: 'abc' }]),
  rows('users', 'fields in the requested order', 'filter[id]=1&fields=score,name', [
    { score: -2, name: 'abc' },
  ]),
  rows(
    'users',
    'every kind',
    'filter[id]=3&fields=id,name,nickname,token,referrer,role,mood,score,age,views,debt,balance,rate,fortune,active,verified,joinedOn,bornOn,createdAt,seenAt,profile,settings,digest,avatar',
    [
      {
        id: 3,
        name: 'Abc',
        nickname: '',
        token: 'daa66d13-0000-4000-8000-000000000003',
        referrer: null,
        role: 'owner',
        mood: 'Happy',
        score: 0,
        age: 31,
        views: '3000',
        debt: null,
        balance: '0',
        rate: '0.375',
        fortune: '-0.1',
        active: false,
        verified: true,
        joinedOn: '2020-02-29',
        bornOn: '1953-04-04',
        createdAt: '2024-05-04T12:00:00.000Z',
        seenAt: '2024-06-01T03:30:00.250Z',
        profile: ['plain', 3],
        settings: null,
        digest: 'AP8DJ1w=',
        avatar: 'iVBORwM=',
      },
    ],
  ),
  rows(
    'users',
    'JSON and bytes are returned unchanged',
    'filter[id][in]=1,2,4,5&fields=profile,settings,avatar',
    [
      { profile: ['plain', 1], settings: 'text', avatar: '' },
      {
        profile: { a: 2, bb: ['x', null, 1.5], ccc: { d: 'é😀' } },
        settings: { on: true },
        avatar: null,
      },
      {
        profile: { a: 4, bb: ['x', null, 1.5], ccc: { d: 'é😀' } },
        settings: 'text',
        avatar: null,
      },
      { profile: ['plain', 5], settings: { on: true }, avatar: 'iVBORwU=' },
    ],
  ),
  rows('users', 'a one relation, present and absent', 'filter[id][in]=5,6&includes=company', [
    { id: 5, name: ' abc', company: { id: 5, name: 'Umbrella 100%' } },
    { id: 6, name: 'abd', company: null },
  ]),
  rows(
    'users',
    'one relations nested',
    'filter[id][in]=1,3,6&includes=company,company.country,company.country.region',
    [
      {
        id: 1,
        name: 'abc',
        company: {
          id: 1,
          name: 'Acme',
          country: { code: 'DE', name: 'Deutschland', region: { name: 'Europe' } },
        },
      },
      { id: 3, name: 'Abc', company: { id: 3, name: 'Ölwerke', country: null } },
      { id: 6, name: 'abd', company: null },
    ],
  ),
  rows(
    'users',
    'fields of a relation',
    'filter[id]=2&includes=company&fields=id,company.motto,company.foundedOn',
    [{ id: 2, company: { motto: null, foundedOn: null } }],
  ),
  rows(
    'users',
    'fields of a relation keep the default of the root',
    'filter[id]=2&includes=company&fields=company.name',
    [{ id: 2, name: 'ABC', company: { name: 'acme' } }],
  ),
  rows(
    'users',
    'a wildcard in the rules allows every field of the relation',
    'filter[id]=3&includes=company&fields=id,company.id,company.name,company.motto,company.foundedOn,company.countryCode',
    [
      {
        id: 3,
        company: {
          id: 3,
          name: 'Ölwerke',
          motto: 'Profit %',
          foundedOn: '2000-02-29',
          countryCode: null,
        },
      },
    ],
  ),
  rows('users', 'a many relation with and without rows', 'filter[id][in]=1,2,9&includes=orders', [
    {
      id: 1,
      name: 'abc',
      orders: [
        { id: 1, title: 'first order' },
        { id: 2, title: 'Second ORDER' },
        { id: 3, title: 'zebra crossing' },
      ],
    },
    {
      id: 2,
      name: 'ABC',
      orders: [
        { id: 4, title: 'ZEBRA' },
        { id: 5, title: 'back\\slash' },
      ],
    },
    { id: 9, name: '', orders: [] },
  ]),
  rows(
    'users',
    'many relations nested, in the order of their keys',
    'filter[id][in]=1,3,6&fields=id&includes=orders,orders.lines,orders.lines.notes',
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
      {
        id: 3,
        orders: [
          {
            id: 6,
            title: 'a_b',
            lines: [
              { lineNo: 2, product: 'pear', notes: [] },
              { lineNo: 10, product: 'Äpfel', notes: [{ text: null }] },
            ],
          },
        ],
      },
      { id: 6, orders: [{ id: 10, title: 'no lines', lines: [] }] },
    ],
  ),
  rows(
    'users',
    'a one relation of a many relation',
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
  rows('users', 'a join table', 'filter[id][in]=1,8&fields=id&includes=teams', [
    {
      id: 1,
      teams: [
        { id: 1, name: 'Red' },
        { id: 2, name: 'red' },
        { id: 6, name: 'Everyone' },
      ],
    },
    { id: 8, teams: [] },
  ]),
  rows(
    'users',
    'a join table in both directions',
    'filter[id]=3&fields=id,teams.name&includes=teams,teams.users',
    [
      {
        id: 3,
        teams: [
          { name: 'red', users: [{ id: 1 }, { id: 3 }] },
          { name: 'Everyone', users: [{ id: 1 }, { id: 2 }, { id: 3 }, { id: 5 }, { id: 7 }] },
        ],
      },
    ],
  ),
  rows(
    'users',
    'a many relation behind a one relation',
    'filter[id][in]=2,3,6&fields=id&includes=company,company.country,company.country.languages',
    [
      {
        id: 2,
        company: {
          id: 2,
          name: 'acme',
          country: {
            code: 'AT',
            name: 'Österreich',
            languages: [{ code: 'bar' }, { code: 'deu' }],
          },
        },
      },
      { id: 3, company: { id: 3, name: 'Ölwerke', country: null } },
      { id: 6, company: null },
    ],
  ),
  rows(
    'users',
    'the same model in both directions',
    'filter[id][in]=2,10&fields=id,reports.id&includes=manager,manager.manager,reports',
    [
      {
        id: 2,
        manager: { id: 1, manager: null },
        reports: [{ id: 6 }, { id: 7 }, { id: 8 }, { id: 9 }],
      },
      {
        id: 10,
        manager: { id: 10, manager: { id: 10 } },
        reports: [{ id: 10 }, { id: 11 }, { id: 12 }],
      },
    ],
  ),
  rows(
    'users',
    'a filter does not restrict included rows',
    'filter[orders.title]=zebra crossing&fields=id,orders.id&includes=orders',
    [{ id: 1, orders: [{ id: 1 }, { id: 2 }, { id: 3 }] }],
  ),
  rows(
    'users',
    'a filter on an included relation joins once',
    'filter[company.name]=Umbrella 100%25&filter[id][lt]=6&fields=id&includes=company',
    [{ id: 5, company: { id: 5, name: 'Umbrella 100%' } }],
  ),
  rows(
    'users',
    'bigints, decimals and instants inside a many relation',
    'filter[id]=5&fields=id,orders.total,orders.placedAt,orders.status,orders.coupon&includes=orders',
    [
      {
        id: 5,
        orders: [
          { total: '2', placedAt: '2024-05-05T05:05:05.005Z', status: 'placed', coupon: 'X' },
          { total: '3', placedAt: '2024-06-06T06:06:06.600Z', status: 'sent', coupon: null },
        ],
      },
    ],
  ),
  body(
    'users',
    'a many relation does not change the page',
    'filter[id][lte]=8&perPage=2&page=2&fields=id,orders.id&includes=orders',
    {
      data: [
        { id: 3, orders: [{ id: 6 }] },
        { id: 4, orders: [{ id: 7 }] },
      ],
      page: 2,
      perPage: 2,
      total: 8,
      lastPage: 4,
    },
  ),
  rows(
    'countries',
    'names of countries and languages',
    'filter[code][in]=CW,IN,JP&includes=languages,region',
    [
      {
        code: 'CW',
        name: 'Pais Kòrsou',
        languages: [
          { code: 'eng', name: 'English' },
          { code: 'nld', name: 'Nederlands' },
          { code: 'pap', name: 'Papiamentu' },
        ],
        region: { name: 'Americas' },
      },
      {
        code: 'IN',
        name: 'भारत',
        languages: [
          { code: 'eng', name: 'English' },
          { code: 'hin', name: 'हिन्दी' },
          { code: 'tam', name: 'தமிழ்' },
        ],
        region: { name: 'Asia' },
      },
      {
        code: 'JP',
        name: '日本',
        languages: [{ code: 'jpn', name: '日本語' }],
        region: { name: 'Asia' },
      },
    ],
  ),
  rows(
    'countries',
    'many in the order of the uuid companion',
    'filter[code]=IS&fields=code&includes=cities',
    [
      {
        code: 'IS',
        cities: [{ name: 'Reykjavík' }, { name: 'Ísafjörður' }, { name: 'Siglufjörður' }],
      },
    ],
  ),
  rows('lines', 'a composite key', 'filter[product]=Zebra&includes=order,notes', [
    {
      orderId: 4,
      lineNo: 1,
      order: { title: 'ZEBRA' },
      notes: [
        { id: 4, text: 'striped' },
        { id: 5, text: 'ripe' },
      ],
    },
  ]),
  rows(
    'orders',
    'column names with reserved words and special characters',
    'filter[id]=12&includes=user,approver,lines',
    [
      {
        id: 12,
        group: 'A',
        title: '😀 order',
        user: { name: 'ÄBC' },
        approver: { name: 'ÄBC' },
        lines: [{ lineNo: 1 }],
      },
    ],
  ),
  page('regions', 'an endpoint with only a projection', '', [1, 2, 3, 4, 5, 6]),
];
