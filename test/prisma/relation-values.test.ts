/** Values over relations and children as asked for, on clients that the host has extended, and over mapped enums. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CompiledQueryRules, defineQueryRules, runQuery } from '../../src/index.ts';
import { databaseFamilies } from '../../src/schema/index.ts';
import { type Shop, openShop } from './fixtures/open-shop.ts';

const watching = {
  query: {
    thing: {
      findMany: ({ args, query }: { args: object; query: (args: object) => unknown }) =>
        query(args),
    },
  },
};

const shouting = {
  result: {
    thing: {
      name: {
        needs: { name: true },
        compute: ({ name }: { name: string }) => name.toUpperCase(),
      },
    },
  },
};

describe.each(databaseFamilies)('values over relations of Prisma on %s', (family) => {
  let shop: Shop | null = null;
  let rules: CompiledQueryRules;

  beforeAll(async () => {
    shop = await openShop(family, 'prisma_relation_values');
    if (!shop) return;
    rules = defineQueryRules(shop.registry, 'thing', {
      aggregates: {
        likes: {
          count: true,
          where: {
            withE: { type: 'condition', path: 'colour', operator: 'like', value: 'E' },
          },
        },
        'likes.likedBy': { count: true },
      },
      filters: [
        { path: 'id', operators: ['in'] },
        { path: 'likes.$count.withE', operators: ['gte'] },
      ],
      sorts: ['likes.$count'],
      fields: {
        root: {
          allowed: ['id', 'name', 'likes.$count', 'likes.$count.withE'],
          default: ['id', 'likes.$count', 'likes.$count.withE'],
        },
        relations: {
          likes: {
            allowed: ['id', 'name', 'likedBy.$count'],
            default: ['name', 'likedBy.$count'],
          },
          tags: { allowed: ['id', 'label'], default: ['id'] },
        },
      },
      includes: ['likes', 'tags'],
      children: {
        likes: { filters: [{ path: 'colour', operators: ['like'] }], sorts: ['name'] },
        tags: { filters: [{ path: 'id', operators: ['eq'] }] },
      },
    });
  });
  beforeEach((context) => {
    if (!shop) context.skip();
  });
  afterAll(() => shop?.close());

  it.for([
    ['the client', false, []],
    ['a client that reads the rows', false, [watching]],
    ['a client that computes a field', true, [shouting]],
    ['a client that does both', true, [watching, shouting]],
  ] as const)('are the same on %s', async ([, isLoud, extensions]) => {
    if (!shop) return;
    const loud = (name: string) => (isLoud ? name.toUpperCase() : name);
    const client = extensions.reduce<Shop['client']>(
      (on, extension) => on.$extends(extension) as typeof on,
      shop.client,
    );
    const source = shop.source('thing', client, { bypassQueryExtensions: true });
    const { data } = await runQuery(
      source,
      'filter[id][in]=1,3,4&sort=-likes.$count&include[tags][filter][id]=2&include[likes][filter][colour][like]=E&include[likes][sort]=-name',
      rules,
    );
    expect(data).toEqual([
      {
        id: 1,
        'likes.$count': 2,
        'likes.$count.withE': 1,
        tags: [{ id: 2 }],
        likes: [{ name: loud('Thing 2'), 'likedBy.$count': 1 }],
      },
      {
        id: 4,
        'likes.$count': 1,
        'likes.$count.withE': 1,
        tags: [],
        likes: [{ name: loud('Thing 1'), 'likedBy.$count': 1 }],
      },
      { id: 3, 'likes.$count': 0, 'likes.$count.withE': 0, tags: [], likes: [] },
    ]);
    const filtered = await runQuery(source, 'filter[likes.$count.withE][gte]=1', rules);
    expect(filtered).toMatchObject({ total: 2 });
  });
});
