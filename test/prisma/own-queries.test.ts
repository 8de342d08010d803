/**
 * Lists whose rows Prisma's own queries read, because the client has query extensions: scopes hold for every related row,
 * and what result extensions show does not reach cursors.
 */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type CompiledQueryRules,
  type KeysetResult,
  type ModelScopes,
  type Predicate,
  type QueryPlan,
  type QuerySource,
  type QueryRulesDeclaration,
  assertSource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type AnyCustomize, type Shop, openShop } from './fixtures/open-shop.ts';

const is = (
  path: string,
  operator: 'eq' | 'ne' | 'lte' | 'gt',
  value: number | string,
): Predicate => ({
  type: 'condition',
  path,
  operator,
  value,
});

describe.each(['sqlite', 'postgresql', 'mysql'] as const)("Prisma's queries on %s", (family) => {
  let shop: Shop;
  /** The operations of the client. */
  const asked: string[] = [];
  const watching = {
    query: {
      $allModels: {
        $allOperations: ({
          operation,
          args,
          query,
        }: {
          operation: string;
          args: object;
          query: (args: object) => Promise<unknown>;
        }) => {
          asked.push(operation);
          return query(args);
        },
      },
    },
  };
  beforeAll(async () => {
    const opened = await openShop(family, 'prisma_own');
    if (opened) shop = opened;
  });
  beforeEach((context) => {
    if (!shop) context.skip();
    asked.splice(0);
  });
  afterAll(() => shop?.close());

  const own = (model: string, result: object = {}): QuerySource<object, AnyCustomize> =>
    shop.source(model, shop.client.$extends({ ...watching, result }), {
      bypassQueryExtensions: true,
    });
  const shown = (...allowed: string[]) => ({ allowed, default: allowed });
  const rulesOf = (
    model: string,
    declaration: QueryRulesDeclaration,
    scopes?: ModelScopes,
  ): CompiledQueryRules =>
    defineQueryRules(shop.registry, model, declaration, {
      cursorKeys,
      ...(scopes && { scopes }),
    });
  const scope = { scope: {} };

  it('meet filters by the related rows of their scopes alone', async () => {
    const rules = rulesOf(
      'thing',
      {
        filters: [
          { path: 'tags.label', operators: ['eq'] },
          { path: 'tags', operators: ['isNull'] },
          { path: 'tenant.name', operators: ['eq'] },
        ],
        fields: { root: shown('id') },
      },
      {
        thing: () => is('id', 'lte', 9),
        tag: () => is('label', 'ne', 'new'),
        tenant: () => is('id', 'ne', 2),
      },
    );
    for (const [request, ids] of [
      ['filter[tags.label]=new', []],
      ['filter[tags.label]=old', [1]],
      ['filter[tags][isNull]=false', [1, 2]],
      ['filter[tenant.name]=Tenant%202', []],
      ['filter[tenant.name]=Tenant%203', [2, 5, 8]],
    ] as const) {
      asked.splice(0);
      const page = await runQuery(own('thing'), request, rules, scope);
      expect([request, page]).toMatchObject([
        request,
        { data: ids.map((id) => ({ id })), total: ids.length },
      ]);
      // A page without keys has no rows to read.
      expect([request, asked]).toEqual([request, ids.length > 0 ? ['findMany'] : []]);
    }
  });

  it('show every row where one of several alternatives is met by all', async () => {
    const rules = rulesOf('thing', { fields: { root: shown('id') } });
    const everything = { type: 'condition', path: 'id', operator: 'notIn', value: [] } as const;
    const where: Predicate = { type: 'or', predicates: [is('id', 'eq', 1), everything] };
    const transformPlan = (plan: QueryPlan) => ({ ...plan, where });
    const page = await runQuery(own('thing'), 'perPage=2', rules, { transformPlan });
    expect(page).toMatchObject({ data: [{ id: 1 }, { id: 2 }], total: 30 });
    expect(asked).toEqual(['findMany']);
  });

  it('are not ordered by related rows behind one that is outside of its scope', async () => {
    const rules = rulesOf(
      'place',
      { sorts: ['thing.tenant.name', 'id'], fields: { root: shown('id') } },
      { place: 'unscoped', thing: () => is('id', 'gt', 2), tenant: 'unscoped' },
    );
    const { data } = await runQuery(own('place'), 'sort=thing.tenant.name,id', rules, scope);
    // The first two have no thing, whose place is that of the family's nulls.
    const ids = family === 'postgresql' ? [3, 4, 1, 2] : [1, 2, 3, 4];
    expect(data).toEqual(ids.map((id) => ({ id })));
  });

  it('count by the related rows of their scopes where customize adds a condition on these', async () => {
    const rules = rulesOf(
      'thing',
      { sorts: ['tenant.name'], fields: { root: shown('id') } },
      { thing: 'unscoped', tenant: () => is('id', 'ne', 2) },
    );
    const customize: AnyCustomize = () => ({
      where: { tenant: { name: { in: ['Tenant 2', 'Tenant 3'] } } },
    });
    const page = runQuery(own('thing'), 'perPage=2', rules, { ...scope, customize });
    expect(await page).toMatchObject({ data: [{ id: 2 }, { id: 5 }], total: 10 });
  });

  it('show the rows of an include behind another one, each within its scope', async () => {
    const rules = rulesOf(
      'place',
      {
        fields: {
          root: shown('id'),
          relations: {
            thing: shown('id'),
            'thing.tenant': shown('id'),
            'thing.tags': shown('label'),
          },
        },
        includes: ['thing', 'thing.tenant', 'thing.tags'],
      },
      {
        place: 'unscoped',
        thing: () => is('id', 'lte', 3),
        tenant: () => is('id', 'ne', 2),
        tag: () => is('label', 'ne', 'new'),
      },
    );
    const request = 'includes=thing,thing.tenant,thing.tags';
    expect((await runQuery(own('place'), request, rules, scope)).data).toEqual([
      { id: 1, thing: { id: 1, tenant: null, tags: [{ label: 'old' }] } },
      { id: 2, thing: { id: 2, tenant: { id: 3 }, tags: [{ label: '50%' }] } },
      { id: 3, thing: { id: 3, tenant: { id: 1 }, tags: [] } },
      { id: 4, thing: null },
    ]);
  });

  it('show what result extensions make of a field of an included model', async () => {
    const masked = {
      tag: { label: { needs: { id: true }, compute: ({ id }: { id: number }) => `masked ${id}` } },
      tenant: {
        name: { needs: { id: true }, compute: ({ id }: { id: number }) => `hidden ${id}` },
      },
    };
    const rules = rulesOf('thing', {
      filters: [{ path: 'id', operators: ['eq', 'in'] }],
      fields: { root: shown('id'), relations: { tags: shown('label'), tenant: shown('name') } },
      includes: ['tags', 'tenant'],
    });
    const clients = [
      own('thing', masked),
      shop.source('thing', shop.client.$extends({ result: masked })),
    ];
    for (const source of clients) {
      const { data } = await runQuery(source, 'filter[id]=1&includes=tags', rules);
      expect(data).toEqual([{ id: 1, tags: [{ label: 'masked 1' }, { label: 'masked 2' }] }]);
      // The first and the last have the same one.
      const shared = await runQuery(source, 'filter[id][in]=1,2,4&includes=tenant', rules);
      expect(shared.data).toEqual([
        { id: 1, tenant: { name: 'hidden 2' } },
        { id: 2, tenant: { name: 'hidden 3' } },
        { id: 4, tenant: { name: 'hidden 2' } },
      ]);
    }
  });

  it('show such a field beside a stored one, of a row that several have in common once', async () => {
    const name = { needs: { id: true }, compute: ({ id }: { id: number }) => `hidden ${id}` };
    const found: unknown[] = [];
    const seeing = ({
      args,
      query,
    }: {
      args: { where?: object };
      query(args: object): unknown;
    }) => {
      found.push(args.where);
      return query(args);
    };
    const client = shop.client.$extends({
      result: { tenant: { name } },
      query: { tenant: { findMany: seeing } },
    });
    const rules = rulesOf('thing', {
      filters: [{ path: 'id', operators: ['in'] }],
      fields: { root: shown('id'), relations: { tenant: shown('id', 'name') } },
      includes: ['tenant'],
    });
    const request = 'filter[id][in]=1,2,4&includes=tenant';
    expect((await runQuery(shop.source('thing', client), request, rules)).data).toEqual([
      { id: 1, tenant: { id: 2, name: 'hidden 2' } },
      { id: 2, tenant: { id: 3, name: 'hidden 3' } },
      { id: 4, tenant: { id: 2, name: 'hidden 2' } },
    ]);
    expect(found).toEqual([{ id: { in: [2, 3] } }]);
  });

  it('are read in one statement of parts in SQL alone, where the rules say so', async () => {
    const rules = rulesOf('thing', {
      filters: [{ path: 'tenantId', operators: ['in'] }],
      sorts: ['id'],
      fields: { root: shown('id') },
      pagination: { mode: 'keyset', mergeBy: 'tenantId' },
    });
    for (const [source, isMerged] of [
      [shop.source('thing'), true],
      [own('thing'), false],
    ] as const) {
      shop.statements.splice(0);
      const page = await runQuery(source, 'filter[tenantId][in]=1,2&sort=id&perPage=3', rules);
      expect(page.data).toEqual([{ id: 1 }, { id: 3 }, { id: 4 }]);
      expect(shop.statements.some((text) => /union all/i.test(text))).toBe(isMerged);
    }
  });

  it('show values over relations, which are not fields of the client', async () => {
    const rules = rulesOf('thing', {
      aggregates: { tags: { count: true } },
      fields: { root: shown('id', 'tags.$count') },
    });
    assertSource(own('thing'), rules);
    const { data } = await runQuery(own('thing'), 'perPage=2', rules);
    expect(data).toEqual([
      { id: 1, 'tags.$count': 2 },
      { id: 2, 'tags.$count': 1 },
    ]);
  });

  it('leave out the related rows that the client does not find', async () => {
    const masked = { needs: { id: true }, compute: ({ id }: { id: number }) => `masked ${id}` };
    const hidden =
      (id: number) =>
      ({ args, query }: { args: { where?: object }; query: (args: object) => Promise<unknown> }) =>
        query({ ...args, where: { AND: [args.where ?? {}, { id: { not: id } }] } });
    const client = shop.client.$extends({
      result: { tag: { label: masked }, tenant: { name: masked } },
      query: { tag: { findMany: hidden(1) }, tenant: { findMany: hidden(2) } },
    });
    const source = shop.source('thing', client, { bypassQueryExtensions: true });
    const rules = rulesOf('thing', {
      filters: [{ path: 'id', operators: ['in'] }],
      fields: { root: shown('id'), relations: { tags: shown('label'), tenant: shown('name') } },
      includes: ['tags', 'tenant'],
    });
    const request = 'filter[id][in]=1,3&includes=tags,tenant';
    expect((await runQuery(source, request, rules)).data).toEqual([
      { id: 1, tags: [{ label: 'masked 2' }], tenant: null },
      { id: 3, tags: [], tenant: { name: 'masked 1' } },
    ]);
  });

  it('continue at stored values where an extension computes one field of an order', async () => {
    const rules = rulesOf('thing', {
      sorts: ['name', 'price'],
      fields: { root: shown('id', 'name') },
      pagination: { mode: 'keyset' },
    });
    const compute = () => 'M';
    const source = own('thing', { thing: { name: { needs: { id: true }, compute } } });
    expect(await walked(source, rules, 'sort=-name')).toEqual(
      await walked(shop.source('thing'), rules, 'sort=-name'),
    );
  });

  it('reach the rows without a value where nulls are last', async () => {
    const rules = rulesOf('thing', {
      sorts: [{ path: 'label', nulls: 'last' }, 'id'],
      fields: { root: shown('id') },
      pagination: { mode: 'keyset' },
    });
    for (const sort of ['sort=label', 'sort=-label', 'sort=label,-id']) {
      const ids = await walked(own('thing'), rules, sort);
      expect(ids).toHaveLength(30);
      expect(ids).toEqual(await walked(shop.source('thing'), rules, sort));
    }
  });
});

/** The keys of all pages. */
async function walked(
  source: QuerySource<object, AnyCustomize>,
  rules: CompiledQueryRules,
  sort: string,
): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (let cursor: string | null = ''; cursor !== null && seen.length < 60;) {
    const page = (await runQuery(
      source,
      `${sort}&perPage=4&cursor=${cursor}`,
      rules,
    )) as KeysetResult;
    seen.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor;
  }
  return seen;
}
