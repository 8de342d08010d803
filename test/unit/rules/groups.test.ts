/** Groups and quantifiers: how requests write them, what they mean, and what is refused. */

import qs from 'qs';
import { describe, expect, it } from 'vitest';
import {
  type ListRequestInput,
  type Predicate,
  QueryError,
  bodyRequest,
  buildQuery,
  defineQueryRules,
  openApiParameters,
  planQuery,
} from '../../../src/index.ts';
import { describeRules } from '../../../src/rules/client/index.ts';
import { transformedPlan } from '../../../src/rules/plan/transform-plan.ts';
import { refusalOf } from '../refusal.ts';
import { shopRegistry } from './shop.ts';

const declaration = {
  filters: [
    { path: 'name', operators: ['eq', 'ne', 'in', 'like'] },
    { path: 'stock', operators: ['eq', 'gte', 'isNull'] },
    { path: 'maker.name', operators: ['eq'] },
    { path: 'labels', operators: ['isNull'] },
    { path: 'labels.text', operators: ['eq', 'in'] },
  ],
  groups: { depth: 3, terms: 10 },
  quantifiers: ['labels'],
  fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
  pagination: { mode: 'both' },
} as const;
const rules = defineQueryRules(shopRegistry, 'article', declaration);

const codeOf = (request: ListRequestInput): string => {
  try {
    planQuery(request, rules);
    return 'accepted';
  } catch (error) {
    if (error instanceof QueryError && error.status === 400) return error.code;
    throw error;
  }
};
const whereOf = (request: ListRequestInput): Predicate | null => planQuery(request, rules).where;
const plainOf = (request: ListRequestInput): unknown =>
  JSON.parse(JSON.stringify(whereOf(request)));

const condition = (path: string, operator: string, value: unknown) => ({
  type: 'condition',
  path,
  operator,
  value,
});

describe('a request with groups', () => {
  const requests = [
    'filter[$or][0][name]=a&filter[$or][1][stock][gte]=5',
    'filter[$or][1][name]=a&filter[stock]=1&filter[$or][0][name][in]=a,b&filter[$or][1][stock]=2',
    'filter[$not][$and][0][name]=a&filter[$not][$and][1][name]=b',
    'filter[labels][$some][text]=a&filter[labels][isNull]=false&filter[name]=x&filter[labels][$none][text][in]=b,c',
    'filter[$or][0][labels][$every][text]=a&filter[$or][0][name]=b&filter[$or][1][name]=c',
    'filter[$not][labels][$some][$or][0][text]=a&filter[$not][labels][$some][$or][1][text]=b',
  ];

  it.each(requests)('means the same in every form: %s', (request) => {
    const meant = plainOf(request);
    const parsed = qs.parse(request, { depth: 10 });
    expect(plainOf(new URLSearchParams(request))).toEqual(meant);
    expect(plainOf(parsed)).toEqual(meant);
    expect(plainOf(bodyRequest(request))).toEqual(meant);
    expect(plainOf(bodyRequest(JSON.parse(JSON.stringify(parsed))))).toEqual(meant);
    expect(plainOf(Object.fromEntries(new URLSearchParams(request)))).toEqual(meant);
  });

  it('has the plan of its negation, in which no condition meets null', () => {
    expect(plainOf('filter[$not][name]=a&filter[$not][stock][gte]=5')).toEqual({
      type: 'or',
      predicates: [condition('name', 'ne', 'a'), condition('stock', 'lt', 5)],
    });
    expect(plainOf('filter[$not][labels.text]=a')).toEqual({
      type: 'none',
      path: 'labels',
      predicates: [condition('text', 'eq', 'a')],
    });
    expect(plainOf('filter[$not][labels][$every][text]=a')).toMatchObject({ type: 'someNot' });
  });

  it('is written by the request builder, which knows the names', () => {
    const request = buildQuery<typeof rules>({
      filter: {
        name: 'x',
        $or: [{ stock: { gte: 5 } }, { 'maker.name': 'Acme', $not: { name: { in: ['a', 'b'] } } }],
        labels: { isNull: false, $some: { text: 'new', $or: [{ text: { in: ['a'] } }] } },
      },
    });
    expect(request.split('&')).toEqual([
      'filter[name][eq]=x',
      'filter[$or][0][stock][gte]=5',
      'filter[$or][1][maker.name][eq]=Acme',
      'filter[$or][1][$not][name][in]=a,b',
      'filter[labels][isNull]=false',
      'filter[labels][$some][text][eq]=new',
      'filter[labels][$some][$or][0][text][in]=a',
    ]);
    expect(codeOf(request)).toBe('accepted');
    // @ts-expect-error -- the rules have no such path
    buildQuery<typeof rules>({ filter: { $or: [{ price: 1 }] } });
    // @ts-expect-error -- a quantifier takes paths of its rows
    buildQuery<typeof rules>({ filter: { labels: { $some: { stock: 1 } } } });
  });

  it('has cursors of its own', () => {
    const bindingOf = (request: string): unknown => {
      const { page } = planQuery(`${request}&cursor=`, rules);
      return page.mode === 'keyset' && page.binding;
    };
    const all = new Set(
      [
        'filter[name]=a&filter[stock]=1',
        'filter[$or][0][name]=a&filter[$or][1][stock]=1',
        'filter[$not][name]=a&filter[$not][stock]=1',
        'filter[labels.text]=a',
        'filter[labels][$some][text]=a',
        'filter[labels][$every][text]=a',
        'filter[labels][$none][text]=a',
      ].map(bindingOf),
    );
    expect(all.size).toBe(7);
  });
});

describe('what is refused', () => {
  const twenty = Array.from({ length: 20 }, (_, at) => at);

  it.each([
    ['more groups than allowed', 'filter[$not][$not][$not][$not][name]=a'],
    ['thousands of groups', `filter${'[$not]'.repeat(2500)}[name]=a`],
    ['more filters than allowed', twenty.map((at) => `filter[$or][${at}][name]=a`).join('&')],
    [
      'thousands of filters',
      Array.from({ length: 400 }, (_, at) => `filter[$or][${at}][name]=a`).join('&'),
    ],
    ['a group as a path', 'filter[$or]=a'],
    ['a group as an operator', 'filter[name][$or]=a'],
    ['a quantifier without a relation', 'filter[$some][text]=a'],
    ['a quantifier of a group', 'filter[$or][$some][text]=a'],
    ['a number that is too long', 'filter[$or][99999999999][name]=a'],
    ['a negative number', 'filter[$or][-1][name]=a'],
    ['a path that is none', 'filter[a b][$some][text]=a'],
    ['a name of objects as a member', 'filter[$or][__proto__][name]=a'],
  ])('%s', (_, request) => {
    expect(codeOf(request)).toBe('QUERY_SYNTAX_INVALID');
    expect(codeOf(new URLSearchParams(request))).toBe('QUERY_SYNTAX_INVALID');
  });

  it('relations, paths and operators that the rules do not name', () => {
    expect(codeOf('filter[maker][$some][name]=a')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('filter[constructor][$some][name]=a')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('filter[labels][$some][id]=1')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('filter[labels][$some][labels.text]=a')).toBe('FIELD_NOT_ALLOWED');
    expect(codeOf('filter[labels][$some][text][gt]=a')).toBe('OPERATOR_NOT_ALLOWED');
    expect(codeOf('filter[$or][0][price]=1')).toBe('FIELD_NOT_ALLOWED');
  });

  it('objects that are nested without end, or are no groups', () => {
    let deep: object = { name: 'a' };
    for (let level = 0; level < 5000; level += 1) deep = { $not: deep };
    const refused: readonly unknown[] = [
      deep,
      { $or: [] },
      { $or: {} },
      { $or: 'a' },
      { $or: ['a'] },
      { $or: [[{ name: 'a' }]] },
      { $or: { a: { name: 'a' } } },
      { $not: [] },
      { $not: null },
      { labels: { $some: 'a' } },
      { labels: { $some: {} } },
      { labels: { $some: [{ text: 'a' }] } },
      { $some: { text: 'a' } },
      { 'a b': { $some: { text: 'a' } } },
    ];
    const codes = refused.map((filter) => codeOf({ filter }));
    expect(codes).toEqual(refused.map(() => 'QUERY_SYNTAX_INVALID'));
  });

  it('everything, by rules that say nothing of it', () => {
    const { groups: _, quantifiers: __, ...plain } = declaration;
    const without = defineQueryRules(shopRegistry, 'article', plain);
    const message =
      '"filter" must be written as filter[path]=value or filter[path][operator]=value.';
    for (const request of ['filter[$or][0][name]=a', 'filter[labels][$some][text]=a']) {
      expect(() => planQuery(request, without)).toThrow(message);
    }
    const names = openApiParameters(without).map(({ name }) => name);
    expect(names).not.toContain('filter');
    expect(describeRules(without)).not.toHaveProperty('groups');
    expect(describeRules(without)).not.toHaveProperty('quantifiers');
  });

  it('rules that cannot work, at boot', () => {
    const define = (more: object) => () =>
      defineQueryRules(shopRegistry, 'article', { ...declaration, ...more } as never);
    expect(define({ groups: { depth: 9, terms: 1 } })).toThrow('from 1 to 8');
    expect(define({ groups: { depth: 1 } })).toThrow('terms');
    expect(define({ groups: { depth: 1, terms: 1, width: 1 } })).toThrow('width');
    expect(define({ quantifiers: ['lables'] })).toThrow('article has no relation "lables"');
    expect(define({ quantifiers: ['maker'] })).toThrow('not a relation with many rows');
    expect(define({ quantifiers: ['name'] })).toThrow('not a relation with many rows');
    expect(define({ quantifiers: ['labels', 'labels'] })).toThrow('named twice');
    expect(define({ quantifiers: ['maker.articles'] })).toThrow('no filter is asked of its rows');
    expect(define({ quantifiers: [{ path: 'labels', quantifiers: ['most'] }] })).toThrow();
  });
});

describe('documents of the endpoint', () => {
  it('name groups and relations', () => {
    expect(describeRules(rules)).toMatchObject({
      groups: { depth: 3, terms: 10 },
      quantifiers: [{ path: 'labels', quantifiers: ['some', 'every', 'none'] }],
    });
    const parameter = openApiParameters(rules).find(({ name }) => name === 'filter');
    expect(parameter).toMatchObject({ style: 'deepObject', explode: true });
    expect(parameter?.description).toContain('At most 3 groups within each other');
    expect(parameter?.description).toContain('`labels`');
  });
});

describe('a predicate of a host', () => {
  const some = (path: unknown): Predicate => ({
    type: 'some',
    path: path as string,
    predicates: [],
  });
  const transformed = (where: Predicate) => () =>
    transformedPlan(planQuery('', rules), rules, (plan) => ({ ...plan, where }));

  it('may be on related rows', () => {
    const predicates = [condition('text', 'eq', 'a')] as Predicate[];
    const given: Predicate = { type: 'every', path: 'labels', predicates };
    expect(JSON.parse(JSON.stringify(transformed(given)().where))).toEqual(given);
  });

  it('may hold the predicate of the client', () => {
    const plan = planQuery('filter[labels][$some][text]=a&filter[$not][name]=b', rules);
    const wrapped = transformedPlan(plan, rules, (given) => ({
      ...given,
      where: { type: 'or', predicates: given.where ? [given.where] : [] },
    }));
    // The result of a host is AND-ed to what the client asks.
    expect(wrapped.where).toMatchObject({ type: 'and', predicates: [plan.where, { type: 'or' }] });
  });

  it('is refused on a path that is not a relation with many rows', () => {
    for (const path of ['maker', 'name', 'nothing', 7]) {
      expect(refusalOf(transformed(some(path))).code).toBe('SOURCE_CONFIGURATION_INVALID');
    }
  });

  it('is refused on related rows in scopes', () => {
    const scopes = { article: () => some('labels'), maker: 'unscoped', label: 'unscoped' };
    const define = () =>
      defineQueryRules(shopRegistry, 'article', declaration, { scopes } as never);
    expect(define).toThrow('must return a predicate: and, or or condition');
  });
});
