/**
 * Schemas as other frameworks and well-known scripts create them, unchanged, as each tool sees them: every model by every
 * field, and walks in both directions. A few answers are compared with SQL by hand.
 */

import Sqlite from 'better-sqlite3';
import { createConnection } from 'mysql2/promise';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DatabaseFamily, defineQueryRules } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { checkEveryField, checkEveryWalk, list } from './listing.ts';
import { type Opened, type Opening, byCatalogueWith, byDrizzleKit, byPrisma } from './openings.ts';
import { djangoSite } from './schemas/django-site.ts';
import { laravelPrisma } from './schemas/laravel-prisma.ts';
import { laravelShop } from './schemas/laravel-shop.ts';
import { railsApp } from './schemas/rails-app.ts';
import { sakila } from './schemas/sakila.ts';

interface Application {
  readonly family: DatabaseFamily;
  readonly statements: readonly string[];
  readonly tools: { readonly [tool: string]: Opening };
  /** Fields with values that no request can name: instants with microseconds, which are shown with milliseconds. */
  readonly unnamed: readonly string[];
  /** Requests, in the names of the catalogue, and what they answer. */
  readonly answers: readonly (readonly [model: string, request: string, rows: readonly object[]])[];
}

const applications: { readonly [name: string]: Application } = {
  'a shop of a PHP framework on MySQL': {
    family: 'mysql',
    statements: laravelShop,
    tools: {
      introspect: byCatalogueWith({ keys: { order_totals: 'id', failed_log: 'at' } }),
      Prisma: byPrisma('laravel', laravelPrisma),
    },
    unnamed: ['products.shownAt', 'products.shown_at'],
    answers: [
      // Unsigned numbers beyond 63 bits, and text that the collation takes for equal.
      [
        'users',
        'filter[name]=JOSE&fields=id,name',
        [
          { id: '2', name: 'José' },
          { id: '3', name: 'jose' },
        ],
      ],
      [
        'products',
        'filter[views][gte]=-1&sort=-views&fields=views',
        ['18446744073709551615', '9223372036854775808', '0'].map((views) => ({ views })),
      ],
      ['products', 'filter[rating][lte]=0.1&fields=rating', [{ rating: 0.1 }]],
      [
        'products',
        'filter[state][in]="sold out",draft&sort=-state&fields=state',
        [{ state: 'sold out' }, { state: 'draft' }],
      ],
      ['users', 'filter[deletedAt][isNull]=false&fields=isAdmin', [{ isAdmin: false }]],
      ['orders', 'filter[user.name]=zoë &fields=number', [{ number: 'C-1' }]],
      ['orderDetails', 'filter[unitPrice]=1.5&fields=itS', [{ itS: 'a' }]],
    ],
  },
  'Sakila on MySQL': {
    family: 'mysql',
    statements: sakila,
    tools: {
      introspect: byCatalogueWith({ keys: { film_list: 'fid' } }),
      'drizzle-kit pull': byDrizzleKit('sakila', { filmList: { fid: { primaryKey: true } } }),
    },
    unnamed: [],
    answers: [
      [
        'film',
        'filter[rating][gte]=PG-13&sort=title&fields=title,specialFeatures',
        [{ title: 'ADAPTATION HOLES', specialFeatures: null }],
      ],
      [
        'film',
        'filter[filmActor.actorId]=1&filter[language.name]=English&sort=-title&fields=filmId',
        [{ filmId: 2 }, { filmId: 1 }],
      ],
      ['payment', 'filter[rental][isNull]=true&fields=amount', [{ amount: '0' }]],
    ],
  },
  'an application of Rails on PostgreSQL': {
    family: 'postgresql',
    statements: [railsApp],
    tools: {
      introspect: byCatalogueWith({ keys: { active_accounts: 'id' } }),
      'introspect, another schema': byCatalogueWith({ schema: 'billing' }),
      'prisma db pull': byPrisma('rails'),
    },
    unnamed: ['created_at', 'createdAt', 'updated_at', 'updatedAt', 'lastSignIn'].flatMap((path) =>
      ['accounts', 'activeAccounts', 'users'].map((model) => `${model}.${path}`),
    ),
    answers: [
      [
        'accounts',
        'filter[slug]=ACME&fields=tags,trial,extra',
        [
          {
            tags: ['x', 'y z'],
            trial: '["2024-01-01 00:00:00+00","2024-02-01 00:00:00+00")',
            extra: { a: '1', b: null },
          },
        ],
      ],
      [
        'users',
        'filter[group][isNull]=false&sort=-order&fields=email,order',
        [
          { email: 'Ada@Example.org', order: 1 },
          { email: 'eve@x.org', order: -5 },
        ],
      ],
      [
        'users',
        'filter[manager][isNull]=false&sort=-id&fields=id',
        [{ id: '9007199254740993' }, { id: '3' }],
      ],
      ['memberships', 'filter[level]=2&fields=userId', [{ userId: '9007199254740993' }]],
      [
        'events',
        'filter[at][gte]=2024-01-01T00:00:00Z&sort=-at&fields=id,kind',
        [
          { id: '1', kind: 'view' },
          { id: '2', kind: 'view' },
        ],
      ],
    ],
  },
  'a site of Django on SQLite, and loose tables': {
    family: 'sqlite',
    statements: [djangoSite],
    tools: { introspect: byCatalogueWith({ keys: { staff: 'id', nokey: 'x' } }) },
    unnamed: [],
    answers: [
      ['shopProduct', 'search=cap&sort=-name&fields=id', [{ id: '3' }, { id: '2' }]],
      [
        'authUser',
        'filter[isSuperuser]=true&fields=username,dateJoined',
        [{ username: 'ada', dateJoined: '2024-01-01 10:00:00' }],
      ],
      ['pairs', 'filter[b]=x&sort=-a&fields=note', [{ note: 'two' }, { note: 'one' }]],
      [
        'orderDetails',
        'filter[unitPrice][gt]=9.5&sort=unitPrice&fields=unitPrice,sayHi',
        [
          { unitPrice: '10', sayHi: null },
          { unitPrice: '100.25', sayHi: 'x' },
        ],
      ],
    ],
  },
};

/** Runs the statements with the driver of the family. */
async function filled({ family, url }: ScratchDatabase, statements: readonly string[]) {
  if (family === 'sqlite') {
    const file = new Sqlite(url);
    for (const statement of statements) file.exec(statement);
    file.close();
  } else if (family === 'mysql') {
    const connection = await createConnection({ uri: url, timezone: 'Z' });
    for (const statement of statements) await connection.query(statement);
    await connection.end();
  } else {
    const client = new pg.Client(url);
    await client.connect();
    for (const statement of statements) await client.query(statement);
    await client.end();
  }
}

describe.each(Object.entries(applications))('%s', (_, application) => {
  const { family, statements, tools, unnamed, answers } = application;
  let database: ScratchDatabase | null = null;
  beforeAll(async () => {
    const made = await scratchDatabase(family, 'other');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    await filled(made, statements);
  });
  afterAll(() => database?.drop());

  describe.each(Object.entries(tools))('by %s', (tool, open) => {
    let listing: Opened | null = null;
    beforeAll(async () => {
      if (database) listing = await open(database);
    });
    afterAll(() => listing?.close());

    it('lists every model by every field', { timeout: 120_000 }, async (context) => {
      if (!listing) return context.skip();
      const seen = { ...listing, unfound: new Set(unnamed) };
      await checkEveryField(seen, async (model) => (await list(seen, model, 'perPage=500')).length);
      await checkEveryWalk(listing);
    });

    it.runIf(tool === 'introspect')('answers as SQL by hand', async (context) => {
      if (!listing) return context.skip();
      for (const [model, request, rows] of answers) {
        expect([model, request, await list(listing, model, request)]).toEqual([
          model,
          request,
          rows,
        ]);
      }
    });

    it.runIf(tool === 'Prisma')('looks for the names of members', async (context) => {
      if (!listing) return context.skip();
      for (const operator of ['like', 'ilike']) {
        const request = `filter[state][${operator}]=d_out&fields=state`;
        expect(await list(listing, 'products', request)).toEqual([{ state: 'sold_out' }]);
      }
    });
  });
});

it('says that a binary key orders no list', () => {
  const registry = new Map([
    [
      'shipment',
      {
        model: 'shipment',
        primaryKey: ['id'],
        fields: [{ path: 'id', kind: 'binary', nullable: false, primaryKey: true }],
        relations: [],
      },
    ],
  ] as const);
  expect(() => defineQueryRules(registry as never, 'shipment', { fields: 'all' })).toThrow(
    'Primary key part "id" of shipment is binary, which has no order',
  );
});
