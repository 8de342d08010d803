/** Enums whose members the database names differently: patterns look for the names that lists show, wherever they are. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type ModelScopes,
  type Predicate,
  type QueryRulesDeclaration,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type Shop, openShop } from './fixtures/open-shop.ts';

describe.each(['sqlite', 'postgresql', 'mysql'] as const)('on %s', (family) => {
  let shop: Shop;
  beforeAll(async () => {
    const opened = await openShop(family, 'prisma_mapped_enums');
    if (opened) shop = opened;
  });
  beforeEach((context) => void (shop || context.skip()));
  afterAll(() => shop?.close());

  const shown = (...allowed: string[]) => ({ allowed, default: allowed });
  const rows = async (
    model: string,
    declaration: QueryRulesDeclaration,
    request: string,
    scopes?: ModelScopes,
  ): Promise<readonly object[]> => {
    const rules = defineQueryRules(shop.registry, model, declaration, {
      cursorKeys,
      ...(scopes && { scopes }),
    });
    const options = scopes ? { scope: {} } : {};
    return (await runQuery(shop.source(model), request, rules, options)).data;
  };

  // The database has the text `light green`.
  const green = (): Predicate => ({
    type: 'condition',
    path: 'colour',
    operator: 'like',
    value: 'REEN',
  });

  it('are found by a pattern of a scope, alone and beside another scope', async () => {
    const declaration: QueryRulesDeclaration = {
      filters: [{ path: 'tenant.id', operators: ['eq'] }],
      fields: { root: shown('id') },
    };
    const alone = { fields: { root: shown('id') } };
    const first = [1, 5, 9].map((id) => ({ id }));
    expect(await rows('thing', alone, 'perPage=3', { thing: green })).toEqual(first);
    const scopes: ModelScopes = { thing: green, tenant: 'unscoped' };
    expect(await rows('thing', declaration, 'perPage=3', scopes)).toEqual(first);
    const one: Predicate = { type: 'condition', path: 'id', operator: 'eq', value: 1 };
    const both: ModelScopes = { thing: green, tenant: () => one };
    expect(await rows('thing', declaration, 'filter[tenant.id]=1', both)).toEqual(
      [9, 21].map((id) => ({ id })),
    );
  });

  const liked = (pattern: string) => pattern.replaceAll('*', '[filter][colour][like]');

  it('are found by a pattern that a request has for included rows', async () => {
    const declaration: QueryRulesDeclaration = {
      fields: { root: shown('id'), relations: { things: shown('id') } },
      includes: ['things'],
      children: { things: { filters: [{ path: 'colour', operators: ['like'] }] } },
    };
    const request = liked('includes=things&include[things]*=REEN');
    expect(await rows('tenant', declaration, request)).toEqual([
      { id: 1, things: [9, 21].map((id) => ({ id })) },
      { id: 2, things: [1, 13, 25].map((id) => ({ id })) },
      { id: 3, things: [5, 17, 29].map((id) => ({ id })) },
    ]);
  });

  it('are found so behind another relation and beside one without such a pattern', async () => {
    const declaration: QueryRulesDeclaration = {
      filters: [{ path: 'id', operators: ['eq'] }],
      fields: {
        root: shown('id'),
        relations: {
          things: shown('id'),
          'things.tags': shown('id'),
          'things.likedBy': shown('id'),
        },
      },
      includes: ['things', 'things.tags', 'things.likedBy'],
      children: {
        things: { filters: [{ path: 'id', operators: ['lte'] }] },
        'things.likedBy': { filters: [{ path: 'colour', operators: ['like'] }] },
      },
    };
    const request = liked(
      'filter[id]=3&includes=things,things.tags,things.likedBy&include[things][filter][id][lte]=5&include[things.likedBy]*=REEN',
    );
    // The thing 1 is green, and likes 2 and 3.
    expect(await rows('tenant', declaration, request)).toEqual([
      {
        id: 3,
        things: [
          { id: 2, tags: [{ id: 3 }], likedBy: [{ id: 1 }] },
          { id: 5, tags: [], likedBy: [] },
        ],
      },
    ]);
  });

  it('are merged as parts of one page', async () => {
    const declaration: QueryRulesDeclaration = {
      filters: [{ path: 'colour', operators: ['in'] }],
      sorts: ['id'],
      fields: { root: shown('id') },
      pagination: { mode: 'keyset', mergeBy: 'colour' },
    };
    shop.statements.splice(0);
    const request = 'filter[colour][in]=RED,GREEN&sort=id&perPage=3';
    expect(await rows('thing', declaration, request)).toEqual([1, 4, 5].map((id) => ({ id })));
    expect(shop.statements.some((text) => /union all/i.test(text))).toBe(true);
  });
});
