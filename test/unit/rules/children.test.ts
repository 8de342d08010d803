/** The children of included relations: how requests ask for them, and what is refused at boot and of requests. */

import qs from 'qs';
import { describe, expect, it } from 'vitest';
import {
  type CompiledQueryRules,
  type ListRequestInput,
  QueryError,
  bodyRequest,
  buildQuery,
  defineQueryRules,
  explainCost,
  openApiOperation,
  openApiParameters,
  planQuery,
} from '../../../src/index.ts';
import { compareDescriptions } from '../../../src/cli/rules/compare.ts';
import { describeRules } from '../../../src/rules/client/index.ts';
import { parseRequest } from '../../../src/rules/request/parse-request.ts';
import { transformedPlan } from '../../../src/rules/plan/transform-plan.ts';
import { shopRegistry } from './shop.ts';

const plain = {
  filters: [{ path: 'name', operators: ['eq', 'like'] }],
  sorts: ['name'],
  fields: {
    root: { allowed: ['id', 'name'], default: ['id'] },
    relations: {
      maker: { allowed: ['maker.*'], default: ['name'] },
      'maker.articles': { allowed: ['id', 'name'], default: ['id'], maxChildren: 9 },
      labels: { allowed: ['id', 'text'], default: ['text'] },
    },
  },
  includes: ['maker', 'maker.articles', 'labels'],
  pagination: { mode: 'both' },
} as const;
const declaration = {
  ...plain,
  children: {
    labels: {
      filters: [{ path: 'text', operators: ['eq', 'in', 'like'] }],
      groups: { depth: 1, terms: 2 },
      sorts: ['text'],
    },
    'maker.articles': {
      filters: [
        { path: 'name', operators: ['eq'] },
        { path: 'stock', operators: ['gte', 'isNull'] },
        { path: 'labels.text', operators: ['eq'] },
      ],
      quantifiers: ['labels'],
      sorts: ['name', 'maker.name'],
      maxPerPage: 5,
    },
  },
} as const;
const rules = defineQueryRules(shopRegistry, 'article', declaration);
const without = defineQueryRules(shopRegistry, 'article', plain);

const refused = (request: ListRequestInput, of: CompiledQueryRules = rules): QueryError => {
  try {
    planQuery(request, of);
  } catch (error) {
    if (error instanceof QueryError && error.status === 400) return error;
    throw error;
  }
  throw new Error('The request was accepted.');
};
const shownOf = (request: ListRequestInput): unknown =>
  JSON.parse(JSON.stringify(planQuery(request, rules).projection));

describe('a request for children', () => {
  it('leaves nothing to later requests with the same fields', () => {
    expect(shownOf('fields=name')).toMatchObject({ relations: [] });
    const asked = shownOf('fields=name&include[labels][perPage]=2');
    expect(asked).toMatchObject({ relations: [{ path: 'labels' }] });
    expect(shownOf('fields=name')).toMatchObject({ relations: [] });
  });

  const request =
    'include[labels][filter][text][like]=a&include[labels][sort]=-text&include[labels][perPage]=5';

  it('is a part of the projection', () => {
    expect(shownOf(request)).toEqual({
      model: 'article',
      fields: ['id'],
      relations: [
        {
          path: 'labels',
          cardinality: 'many',
          maxChildren: 5,
          node: { model: 'label', fields: ['text'], relations: [] },
          where: { type: 'condition', path: 'text', operator: 'like', value: 'a' },
          order: [
            { path: 'text', direction: 'desc', nulls: 'last' },
            { path: 'id', direction: 'desc', nulls: 'last' },
          ],
        },
      ],
    });
  });

  it.each([
    request,
    'include[labels][filter][text][in]=a,b&includes=labels',
    'include[labels][filter][$or][0][text]=a&include[labels][filter][$or][1][text]=b',
    'includes=maker&include[maker.articles][filter][labels][$some][text]=a&include[maker.articles][perPage]=2',
  ])('means the same in every form: %s', (query) => {
    const expected = shownOf(query);
    const forms: ListRequestInput[] = [
      new URLSearchParams(query),
      qs.parse(query, { depth: 9 }),
      Object.fromEntries(new URLSearchParams(query)),
      bodyRequest(query),
      encodeURI(query),
    ];
    for (const form of forms) expect(shownOf(form)).toEqual(expected);
  });

  it('takes lists as items', () => {
    const expected = shownOf('include[labels][sort]=-text&include[labels][filter][text][in]=a,b');
    const names = 'include[labels][sort][]=-text&include[labels][filter][text][in][]=a';
    expect(shownOf(`${names}&include[labels][filter][text][in][]=b`)).toEqual(expected);
    expect(
      shownOf({ include: { labels: { sort: ['-text'], filter: { text: { in: ['a', 'b'] } } } } }),
    ).toEqual(expected);
  });

  it('leaves the cursors of the list valid', () => {
    const bindingOf = (text: string) => {
      const { page } = planQuery(`cursor=&${text}`, rules);
      return page.mode === 'keyset' ? page.binding : '';
    };
    expect(bindingOf(request)).toBe(bindingOf('includes=labels'));
    expect(bindingOf(request)).not.toBe(bindingOf('filter[name]=a'));
  });

  it('is kept where a hook narrows the projection', () => {
    const plan = planQuery(request, rules);
    const [before] = plan.projection.relations;
    const narrowed = transformedPlan(plan, rules, (given) => ({
      ...given,
      projection: {
        ...given.projection,
        relations: given.projection.relations.map(({ path, cardinality, node }) => ({
          path,
          cardinality,
          node,
        })),
      },
    }));
    const [after] = narrowed.projection.relations;
    expect(after).toMatchObject({ maxChildren: 5 });
    expect(after?.where).toBe(before?.where);
    expect(after?.order).toBe(before?.order);
  });

  it('shows up to the usual limit where it names no number', () => {
    expect(planQuery('include[labels][sort]=text', rules).projection.relations).toMatchObject([
      { maxChildren: 100 },
    ]);
  });
});

describe('is refused:', () => {
  it.each([
    ['include[labels][perPage]=101', 'PAGINATION_INVALID', { maxPerPage: 100 }],
    ['includes=maker&include[maker.articles][perPage]=6', 'PAGINATION_INVALID', { maxPerPage: 5 }],
    ['include[labels][perPage]=', 'PAGINATION_INVALID', { param: 'include[labels][perPage]' }],
    ['include[maker][perPage]=1', 'FIELD_NOT_ALLOWED', { param: 'include', path: 'maker' }],
    ['include[constructor][perPage]=1', 'FIELD_NOT_ALLOWED', { path: 'constructor' }],
    ['include[maker.articles][perPage]=1', 'FIELD_NOT_ALLOWED', { path: 'maker.articles' }],
    [
      'include[labels][filter][id]=1',
      'FIELD_NOT_ALLOWED',
      { param: 'include[labels][filter]', path: 'labels.id' },
    ],
    [
      'includes=maker&include[maker.articles][filter][labels][$some][id]=1',
      'FIELD_NOT_ALLOWED',
      { param: 'include[maker.articles][filter]', path: 'maker.articles.labels.id' },
    ],
    [
      'includes=maker&include[maker.articles][filter][stock][gte]=x',
      'FILTER_VALUE_INVALID',
      { param: 'include[maker.articles][filter]', path: 'maker.articles.stock' },
    ],
    ['include[labels][filter][text][gt]=1', 'OPERATOR_NOT_ALLOWED', { path: 'labels.text' }],
    ['include[labels][sort]=id', 'FIELD_NOT_ALLOWED', { param: 'include[labels][sort]' }],
    ['include[labels][sort]=text,-text', 'SORT_CONFLICT', { path: 'labels.text' }],
    ['include[labels][sort]=a"b', 'QUERY_SYNTAX_INVALID', { param: 'include[labels][sort]' }],
    [
      'include[labels][filter][text][in]=a,"b',
      'QUERY_SYNTAX_INVALID',
      { param: 'include[labels][filter][text][in]' },
    ],
    ['include[labels][cursor]=1', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
    ['include[labels][include][labels][perPage]=1', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
    ['include[__proto__]=1', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
    ['include[labels][perPage][0]=1', 'QUERY_SYNTAX_INVALID', {}],
    [
      'include[labels][filter][$or][0][text]=a&include[labels][filter][$or][1][text]=b&include[labels][filter][$or][2][text]=c',
      'QUERY_SYNTAX_INVALID',
      { maxTerms: 2 },
    ],
    ['filter[$or][0][name]=a', 'QUERY_SYNTAX_INVALID', {}],
    ['include[labels][filter]x=1', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
    ['include[labels][sort]x=text', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
    ['include[labels][perPage]x=1', 'QUERY_SYNTAX_INVALID', { param: 'include' }],
  ])('%s', (request, code, details) => {
    expect(refused(request)).toMatchObject({ code, details });
  });

  it.each([
    { include: [] },
    { include: {} },
    { include: 'labels' },
    { include: { labels: 'a' } },
    { include: { labels: {} } },
    { include: { labels: { page: '1' } } },
    { include: { labels: { perPage: ['1'] } } },
    { include: { labels: { perPage: { a: '1' } } } },
    { include: { labels: { filter: 'a' } } },
    { include: { labels: { filter: {} } } },
    { include: { labels: { sort: { a: 'b' } } } },
    { include: { 'a b': { perPage: '1' } } },
    { include: [{ perPage: '1' }] },
  ])('the object %j', (request) => {
    expect(refused(request).code).toBe('QUERY_SYNTAX_INVALID');
  });

  it('more filters than a request may have, with those of children', () => {
    const few = defineQueryRules(shopRegistry, 'article', declaration, {
      limits: { maxFilters: 2 },
    });
    const two =
      'include[labels][filter][text]=a&includes=maker&include[maker.articles][filter][name]=a';
    expect(() => planQuery(two, few)).not.toThrow();
    expect(refused(`${two}&filter[name]=a`, few).details).toMatchObject({ maxFilters: 2 });
    expect(refused(`filter[name]=a&${two}`, few).details).toMatchObject({ maxFilters: 2 });
  });

  it.each(['includes=,labels', 'includes=labels,', 'includes=,maker,labels'])(
    'the list %s, whatever was compiled before it',
    (list) => {
      const warm = defineQueryRules(shopRegistry, 'article', declaration);
      const cold = refused(list, warm);
      expect(cold.code).toBe('QUERY_SYNTAX_INVALID');
      planQuery('include[labels][perPage]=2', warm);
      planQuery('includes=maker&include[labels][perPage]=2', warm);
      expect(refused(list, warm)).toEqual(cold);
    },
  );

  it('thousands of relations, of which none is kept', () => {
    const many = Array.from({ length: 500 }, (_, at) => `include[r${at}][perPage]=1`).join('&');
    const { children } = parseRequest(many, rules);
    expect([...(children?.keys() ?? [])]).toEqual(['r0']);
    expect(refused(many).code).toBe('FIELD_NOT_ALLOWED');
  });

  it('terms beyond the budget', () => {
    const tight = defineQueryRules(shopRegistry, 'article', declaration, { limits: { cost: 8 } });
    const filter = 'include[labels][filter][text][like]=a';
    expect(refused(`${filter}`, tight)).toMatchObject({
      code: 'QUERY_TOO_EXPENSIVE',
      details: { term: 'includes=labels', cost: 10, maxCost: 8 },
    });
    const exact = 'include[labels][filter][text]=a&include[labels][sort]=text';
    expect(() => planQuery(exact, tight)).not.toThrow();
    const rows = explainCost(rules).map(({ term }) => term);
    expect(rows).toContain('include[labels][filter][text][like]');
    expect(rows).toContain('include[maker.articles][sort]=maker.name');
    expect(rules.limits.cost).toBe(100);
    expect(without.limits.cost).toBeUndefined();
  });
});

describe('an endpoint without such rules', () => {
  it.each(['include[labels][perPage]=1', 'include=labels', 'include[labels]=%', 'include[%zz]=1'])(
    'has no parameter %s',
    (request) => {
      expect(refused(request, without).message).toBe(
        refused(request.replaceAll('include', 'inculde'), without).message.replaceAll(
          'inculde',
          'include',
        ),
      );
    },
  );

  it('leaves such a parameter to the host', () => {
    const lax = defineQueryRules(shopRegistry, 'article', plain, {
      passthroughParams: ['include'],
    });
    for (const request of ['include[a][b]=%zz', 'include=1', 'include[a]=1&include[a]=2']) {
      expect(() => planQuery(request, lax)).not.toThrow();
    }
    expect(() => planQuery({ include: { a: { b: { c: '1' } } } }, lax)).not.toThrow();
  });

  it('describes nothing of it', () => {
    expect(JSON.stringify(describeRules(without))).not.toContain('maxPerPage":9');
    expect(openApiParameters(without).some(({ name }) => name.startsWith('include['))).toBe(false);
  });
});

describe('at boot', () => {
  const compiled = (children: unknown): string => {
    try {
      defineQueryRules(shopRegistry, 'article', { ...plain, children } as never);
    } catch (error) {
      return error instanceof QueryError ? error.message : '';
    }
    return 'accepted';
  };

  it.each([
    [{ nothing: {} }, 'includes does not list the relation'],
    [{ maker: {} }, 'has one row'],
    [{ 'maker.articles': { maxPerPage: 10 } }, 'maxPerPage is above maxChildren, which is 9'],
    [{ labels: { maxPerPage: 0 } }, 'maxPerPage'],
    [{ labels: { sorts: ['nothing'] } }, 'rules.children["labels"].sorts "nothing"'],
    [
      { labels: { filters: [{ path: 'text', operators: ['isNull'] }] } },
      'rules.children["labels"].filters "text"',
    ],
    [{ labels: { quantifiers: ['articles'] } }, 'rules.children["labels"].quantifiers "articles"'],
    [{ labels: { page: 1 } }, 'page'],
  ])('refuses %j', (children, message) => {
    expect(compiled(children)).toContain(message);
  });

  it('takes the largest page where children have no limit', () => {
    const unlimited = defineQueryRules(
      shopRegistry,
      'article',
      { ...plain, children: { labels: {} } },
      { maxChildren: false, maxPerPage: 77 },
    );
    expect(unlimited.children.get('labels')?.maxPerPage).toBe(77);
    expect(refused('include[labels][perPage]=78', unlimited).code).toBe('PAGINATION_INVALID');
  });
});

describe('clients', () => {
  it('write typed requests', () => {
    const text = buildQuery(rules, {
      include: { labels: { filter: { text: { in: ['a', 'b'] } }, sort: ['-text'], perPage: 2 } },
      sort: ['name'],
    });
    expect(decodeURIComponent(text)).toBe(
      'sort=name&includes=labels&include[labels][filter][text][in]=a,b&include[labels][sort]=-text&include[labels][perPage]=2',
    );
    expect(buildQuery(rules, { includes: ['labels'], include: { labels: {} } })).toBe(
      'includes=labels',
    );
    // @ts-expect-error: the children have no such path
    buildQuery(rules, { include: { labels: { filter: { id: 1 } } } });
    // @ts-expect-error: the children are not sorted so
    buildQuery(rules, { include: { labels: { sort: ['id'] } } });
    // @ts-expect-error: the endpoint has no children to choose
    buildQuery(without, { include: { labels: { perPage: 1 } } });
    expect(() => buildQuery(rules, { include: { labels: { page: 1 } as never } })).toThrow(
      '"page" is not an option of include.labels',
    );
  });

  it('read what they may ask', () => {
    const { includes } = describeRules(rules);
    const { children } = includes.find(({ path }) => path === 'maker.articles') ?? {};
    expect(children).toMatchObject({
      filters: [{ path: 'name' }, { path: 'stock' }, { path: 'labels.text' }],
      quantifiers: [{ path: 'labels', quantifiers: ['some', 'every', 'none'] }],
      sorts: [
        { path: 'name', nulls: null },
        { path: 'maker.name', nulls: null },
      ],
      maxPerPage: 5,
    });
    const names = openApiParameters(rules).map(({ name }) => name);
    expect(names.filter((name) => name.startsWith('include[labels]'))).toEqual([
      'include[labels][filter][text][eq]',
      'include[labels][filter][text][in]',
      'include[labels][filter][text][like]',
      'include[labels][filter]',
      'include[labels][sort]',
      'include[labels][perPage]',
    ]);
    const { parameters } = openApiOperation(rules, { of: 'item' });
    expect(parameters.map(({ name }) => name)).toContain('include[labels][sort]');
  });

  it('are told of changes', () => {
    const changes = (from: typeof rules | typeof without, to: typeof rules | typeof without) =>
      compareDescriptions(describeRules(from), describeRules(to)).filter(({ path }) =>
        path?.startsWith('include[labels]'),
      );
    expect(changes(rules, rules)).toEqual([]);
    expect(changes(rules, without)).toMatchObject([
      { change: 'filter-removed', breaking: true, path: 'include[labels][filter][text]' },
      { change: 'sort-removed', breaking: true, path: 'include[labels][sort][text]' },
      { change: 'limit-lowered', breaking: true, path: 'include[labels][perPage]' },
    ]);
    expect(changes(without, rules).every(({ breaking }) => !breaking)).toBe(true);
  });
});
