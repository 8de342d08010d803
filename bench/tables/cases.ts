/** Requests on these tables, each with the best SQL by hand that is known for a family. */

import type { Family } from '../lists/services.ts';

/** A statement by hand with its values. */
export type ByHand = readonly [sql: string, ...values: readonly unknown[]];

export interface Case {
  readonly name: string;
  readonly model: 'users' | 'events' | 'authors';
  readonly request: string;
  /** Rows before the cursor of the request. Default: it has none. */
  readonly after?: number;
  readonly byHand: (family: Family) => readonly ByHand[];
}

const perPage = 20;
/** One row more tells whether a page follows. */
const limit = `limit ${perPage + 1}`;

const through = 'users u join companies c on c.id = u.company_id';
/** The users in their order, each with its company. */
const along = (family: Family): string =>
  family === 'mysql'
    ? 'users u straight_join companies c on c.id = u.company_id'
    : family === 'sqlite'
      ? 'users u cross join companies c on c.id = u.company_id'
      : through;
const columns = 'u.id, u.name';
const newest = (family: Family): string =>
  family === 'pg' ? 'created_at desc nulls last, id desc' : 'created_at desc, id desc';

/** The newest events on PostgreSQL, whose index has those without an instant first. */
const newestEvents = (family: Family): ByHand =>
  family === 'pg'
    ? [
        `select id, note from events where created_at is not null order by created_at desc, id desc ${limit}`,
      ]
    : [`select id, note from events order by ${newest(family)} ${limit}`];

const withTitle = 'select p.author_id from posts p where p.title = ?';

export const cases: readonly Case[] = [
  {
    name: 'newest first',
    model: 'events',
    request: 'sort=-createdAt',
    byHand: (family) => [newestEvents(family)],
  },
  {
    name: 'newest first, 100,000 rows deep',
    model: 'events',
    request: 'sort=-createdAt',
    after: 100_000,
    byHand: (family) => [
      [
        `select id, note from events where created_at <= ? and (created_at < ? or (created_at = ? and id < ?)) order by created_at desc, id desc ${limit}`,
        ...(family === 'pg' ? [885_715, 885_715, 885_715, 1] : [885_715, 885_715, 885_715, 1]),
      ],
    ],
  },
  {
    name: 'newest first, page 5,000',
    model: 'events',
    request: `sort=-createdAt&page=5000&perPage=${perPage}`,
    byHand: () => [
      ['select count(*) from events'],
      [
        `select e.id, e.note from (select id from events where created_at is not null order by created_at desc, id desc limit ${perPage} offset ?) k join events e on e.id = k.id order by e.created_at desc, e.id desc`,
        4_999 * perPage,
      ],
    ],
  },
  {
    name: 'a title of two posts, counted',
    model: 'users',
    request: `filter[posts.title]=t1777&page=1`,
    byHand: () => [
      [`select count(*) from users u where u.id in (${withTitle})`, 't1777'],
      [
        `select ${columns} from users u where u.id in (${withTitle}) order by u.id limit ${perPage}`,
        't1777',
      ],
    ],
  },
  {
    name: 'posts that half of them are, cursor',
    model: 'users',
    request: 'filter[posts.published]=1',
    byHand: (family) => [
      [
        family === 'mysql'
          ? `select ${columns} from users u where (select 1 from posts p where p.author_id = u.id and p.published = ? limit 1) is not null order by u.id ${limit}`
          : `select ${columns} from users u where exists (select 1 from posts p where p.author_id = u.id and p.published = ?) order by u.id ${limit}`,
        1,
      ],
    ],
  },
  {
    name: 'a country of a quarter, cursor',
    model: 'users',
    request: 'filter[company.country]=DE',
    byHand: (family) => [
      [`select ${columns} from ${along(family)} where c.country = ? order by u.id ${limit}`, 'DE'],
    ],
  },
  {
    name: 'a country of a quarter, counted',
    model: 'users',
    request: 'filter[company.country]=DE&page=1',
    byHand: (family) => [
      [`select count(*) from ${through} where c.country = ?`, 'DE'],
      [
        `select ${columns} from ${along(family)} where c.country = ? order by u.id limit ${perPage}`,
        'DE',
      ],
    ],
  },
  {
    name: 'a company by name, cursor',
    model: 'users',
    request: 'filter[company.name]=c77',
    byHand: () => [
      [`select ${columns} from ${through} where c.name = ? order by u.id ${limit}`, 'c77'],
    ],
  },
  {
    name: 'by the name of the company, cursor',
    model: 'users',
    request: 'sort=company.name',
    byHand: () => [
      [
        `select ${columns} from (select u.id, c.name from ${through} order by c.name, u.id ${limit}) k join users u on u.id = k.id order by k.name, k.id`,
      ],
    ],
  },
  {
    name: '20 authors of 1,000 articles, 100 of each',
    model: 'authors',
    request: 'includes=articles',
    byHand: (family) =>
      family === 'pg'
        ? [
            [
              'select a.id, l.* from authors a cross join lateral (select b.id, b.title from articles b where b.author_id = a.id order by b.id limit 101) l',
            ],
          ]
        : [
            ['select id from authors order by id limit 21'],
            [
              Array.from({ length: 20 }, () => {
                const part =
                  'select id, title, author_id from articles where author_id = ? order by id limit 101';
                return family === 'mysql' ? `(${part})` : `select * from (${part})`;
              }).join(' union all '),
              ...Array.from({ length: 20 }, (_, at) => at + 1),
            ],
          ],
  },
];
