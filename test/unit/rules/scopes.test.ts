/** Scopes of models: what is refused at boot, what a request without values causes, and what a plan holds. */

import { describe, expect, it } from 'vitest';
import { defineQueryRules, planQuery, runQuery } from '../../../src/index.ts';
import type {
  ModelScopes,
  Predicate,
  QueryRulesDeclaration,
  QuerySettings,
  QuerySource,
} from '../../../src/index.ts';
import { cursorKeys } from '../../cursor-keys.ts';
import { refusalOf, thawedParts } from '../refusal.ts';
import { condition } from './shop-rules.ts';
import { shopRegistry } from './shop.ts';

const declaration = {
  filters: [
    { path: 'name', operators: ['eq'] },
    { path: 'labels.text', operators: ['eq'] },
  ],
  sorts: ['name'],
  fields: {
    root: { allowed: ['id', 'name'], default: ['id'] },
    relations: { maker: { allowed: ['name'], default: ['name'] } },
  },
  includes: ['maker'],
  pagination: { mode: 'both' },
} as const;

interface Tenant {
  readonly tenant: number | undefined;
}

const scopes = {
  article: ({ tenant }: Tenant) => condition('stock', 'eq', tenant as number),
  maker: ({ tenant }: Tenant) => condition('articles.stock', 'eq', tenant as number),
  label: 'unscoped',
} as const;

const define = (given: unknown, settings: QuerySettings = {}) =>
  defineQueryRules(shopRegistry, 'article', declaration, {
    ...settings,
    scopes: given as ModelScopes,
  });
const refused = (given: unknown) => refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => define(given));

describe('scopes at boot', () => {
  it('need an entry for every model that the rules reach', () => {
    const { article, label } = scopes;
    const error = refused({ article, label });
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.details).toEqual({ setting: 'scopes', model: 'maker' });
    expect(error.message).toContain("write 'unscoped'");
    expect(define(scopes).scopes?.reached.toSorted()).toEqual(['article', 'label', 'maker']);
  });

  it.each<readonly [string, Partial<QueryRulesDeclaration>]>([
    ['a filter', { filters: [{ path: 'maker.name', operators: ['eq'] }] }],
    ['a filter by the relation', { filters: [{ path: 'maker', operators: ['isNull'] }] }],
    ['a sort', { sorts: ['maker.name'] }],
    ['the search', { search: ['maker.name'] }],
    ['an include', { fields: declaration.fields, includes: ['maker'] }],
  ])('need an entry for a model that only %s reaches', (_, reaching) => {
    const { root } = declaration.fields;
    const compile = (given: object) =>
      defineQueryRules(
        shopRegistry,
        'article',
        { fields: { root }, ...reaching },
        { scopes: given as ModelScopes },
      );
    const { article } = scopes;
    const error = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => compile({ article }));
    expect(error.details).toEqual({ setting: 'scopes', model: 'maker' });
    expect(compile({ article, maker: 'unscoped' }).scopes?.reached).toContain('maker');
  });

  it('need an entry for a model that only a request about children reaches', () => {
    const compile = (given: object) =>
      defineQueryRules(
        shopRegistry,
        'maker',
        {
          fields: {
            root: { allowed: ['id'], default: ['id'] },
            relations: { articles: { allowed: ['id'], default: ['id'] } },
          },
          includes: ['articles'],
          children: { articles: { filters: [{ path: 'labels.text', operators: ['eq'] }] } },
        },
        { scopes: given as ModelScopes },
      );
    const { article, maker, label } = scopes;
    const error = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => compile({ article, maker }));
    expect(error.details).toEqual({ setting: 'scopes', model: 'label' });
    expect(compile({ article, maker, label }).scopes?.reached).toContain('label');
  });

  it.each([
    ['a model that does not exist', { ...scopes, shelf: scopes.article }, 'no model "shelf"'],
    ['a text', { ...scopes, maker: 'everyone' }, `a function or 'unscoped'`],
    ['a list', [scopes.article], 'must be an object'],
    [
      'a path that does not exist',
      { ...scopes, maker: () => condition('owner', 'eq', 1) },
      'owner',
    ],
    [
      'an operator that does not exist',
      { ...scopes, maker: () => ({ ...condition('id', 'eq', 1), operator: 'is' }) },
      'not an operator',
    ],
    [
      'an operator that the kind does not have',
      { ...scopes, article: () => condition('stock', 'like', 'a') },
      'like needs',
    ],
    [
      'a comparison of a relation',
      { ...scopes, article: () => condition('maker', 'eq', 1) },
      'only isNull',
    ],
    [
      'a wrong path within a tree',
      {
        ...scopes,
        article: ({ tenant }: Tenant): Predicate => ({
          type: 'or',
          predicates: [condition('stock', 'eq', tenant as number), condition('oops', 'eq', 1)],
        }),
      },
      'oops',
    ],
    ['a function that returns nothing', { ...scopes, article: () => undefined }, 'predicate'],
    ['an asynchronous function', { ...scopes, article: async () => condition('id', 'eq', 1) }, ''],
  ])('refuse %s', (_, given, message) => {
    const error = refused(given);
    expect(error.code).toBe('SOURCE_CONFIGURATION_INVALID');
    expect(error.message).toContain(message);
  });

  it('are called with placeholders that every use of a value accepts', () => {
    const calls: Predicate[] = [];
    const keep = (predicate: Predicate) => {
      calls.push(predicate);
      return predicate;
    };
    define({
      article: ({ user }: { user: { tenants: { id: number }[]; name: string } }) =>
        keep({
          type: 'and',
          predicates: [
            condition(
              'stock',
              'in',
              user.tenants.map(({ id }) => Number(id)),
            ),
            condition('name', 'eq', `${user.name.trim()}!`),
            condition('maker.id', 'in', user.tenants.map(({ id }) => id) as never),
          ],
        }),
      maker: ({ list }: { list: Predicate[] }) => keep({ type: 'or', predicates: list }),
      label: ({ predicate }: { predicate: Predicate }) => keep(predicate),
    });
    expect(calls).toHaveLength(3);
  });

  it('leave a function that cannot run without values to the first request', () => {
    const rules = define({
      ...scopes,
      article: ({ tenant }: Tenant) => {
        if (typeof tenant !== 'number') throw new TypeError('No tenant.');
        return condition('oops', 'eq', tenant);
      },
    });
    const error = refusalOf(() => planQuery('', rules, { scope: { tenant: 1 } }));
    expect([error.code, error.status]).toEqual(['SOURCE_CONFIGURATION_INVALID', 500]);
  });
});

describe('the scopes of a request', () => {
  const rules = define(scopes);
  const plan = (scope: object | undefined, request = '') => planQuery(request, rules, { scope });

  it('are conditions with its values, in the plan of the request', () => {
    const { scopes: bound } = plan({ tenant: 7 });
    expect(bound).toEqual({
      article: condition('stock', 'eq', 7),
      maker: condition('articles.stock', 'eq', 7),
      label: null,
    });
    expect(thawedParts(bound)).toEqual([]);
    expect('scopes' in planQuery('', define(undefined))).toBe(false);
  });

  it.each([
    ['no scope', undefined],
    ['a scope without the value', {}],
    ['a value that is undefined', { tenant: undefined }],
    ['a value that is null', { tenant: null }],
  ])('are an error of the host for %s', (_, scope) => {
    const error = refusalOf<'SCOPE_MISSING'>(() => plan(scope));
    expect([error.code, error.status]).toEqual(['SCOPE_MISSING', 500]);
    expect(error.details.model).toBe('article');
  });

  it('are an error of the host where one value of a list is missing', () => {
    const several = define({
      ...scopes,
      article: ({ tenant }: Tenant) => condition('stock', 'in', [1, tenant as number]),
    });
    for (const tenant of [undefined, null]) {
      const error = refusalOf<'SCOPE_MISSING'>(() =>
        planQuery('', several, { scope: { tenant } as object }),
      );
      expect([error.code, error.details]).toEqual([
        'SCOPE_MISSING',
        { model: 'article', path: 'stock' },
      ]);
    }
  });

  it('are an error of the host where a function returns no condition or an invalid value', () => {
    const nothing = define({
      ...scopes,
      maker: ({ tenant }: Tenant) => (tenant === 1 ? undefined : condition('id', 'eq', 1)),
    });
    const missing = refusalOf<'SCOPE_MISSING'>(() =>
      planQuery('', nothing, { scope: { tenant: 1 } }),
    );
    expect([missing.code, missing.details]).toEqual(['SCOPE_MISSING', { model: 'maker' }]);
    for (const tenant of ['x', 1.5, {}, [1], Number.NaN]) {
      const error = refusalOf(() => plan({ tenant }));
      expect([error.code, error.status]).toEqual(['SOURCE_CONFIGURATION_INVALID', 500]);
    }
  });

  it('are refused where the rules have none', () => {
    const error = refusalOf(() => planQuery('', define(undefined), { scope: { tenant: 1 } }));
    expect([error.code, error.status]).toEqual(['SOURCE_CONFIGURATION_INVALID', 500]);
    expect(error.message).toContain('settings.scopes');
  });

  it('come before the request is looked at, so that its errors tell nothing', () => {
    expect(refusalOf(() => plan(undefined, 'oops=1')).code).toBe('SCOPE_MISSING');
  });

  it('bind cursors, unless cursorScope does', () => {
    for (const keys of [undefined, cursorKeys]) {
      const own = define(scopes, keys === undefined ? {} : { cursorKeys: keys });
      const bindingOf = (tenant: number, cursorScope?: string): unknown => {
        const { page } = planQuery('cursor=&sort=name', own, { scope: { tenant }, cursorScope });
        return page.mode === 'keyset' ? page.binding : null;
      };
      expect(bindingOf(1)).toBe(bindingOf(1));
      expect(bindingOf(1)).not.toBe(bindingOf(2));
      expect(bindingOf(1, 'a')).toBe(bindingOf(2, 'a'));
      expect(bindingOf(1, 'a')).not.toBe(bindingOf(1, 'b'));
    }
  });

  it('cannot be changed by transformPlan, and hold for the models that its conditions cross', async () => {
    const declared = {
      ...declaration,
      filters: [],
      includes: [],
      fields: { root: declaration.fields.root },
    };
    const shallow = (given: unknown) =>
      defineQueryRules(shopRegistry, 'article', declared, { scopes: given as ModelScopes });
    const seen: unknown[] = [];
    const source: QuerySource = {
      model: 'article',
      family: 'sqlite',
      registry: shopRegistry,
      servesScopes: true,
      prepare: (given) => {
        seen.push(given.scopes);
        return {
          concurrent: false,
          countKey: '',
          rows: async () => ({ rows: [], hasMore: false }),
          count: async () => 0,
        };
      },
    };
    const run = (given: unknown, change: object) =>
      runQuery(source, '', shallow(given), {
        scope: { tenant: 7 },
        transformPlan: (asked) => ({ ...asked, ...change }),
      });
    await expect(run(scopes, { scopes: {} })).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
    });
    const where = condition('maker.name', 'eq', 'a');
    await run(scopes, { where });
    await run(scopes, { where: { type: 'or', predicates: [where] } });
    const both = {
      article: condition('stock', 'eq', 7),
      maker: condition('articles.stock', 'eq', 7),
    };
    expect(seen).toEqual([both, both]);
    await expect(run({ article: scopes.article }, { where })).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      details: { model: 'maker' },
    });
  });

  it('do not run on a source that does not serve them', async () => {
    const source: QuerySource = {
      model: 'article',
      family: 'sqlite',
      registry: shopRegistry,
      prepare: () => expect.fail('The source was asked.'),
    };
    await expect(runQuery(source, '', rules, { scope: { tenant: 1 } })).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: expect.stringContaining('servesScopes'),
    });
  });
});
