/** The budget: what the terms of a request cost, and requests that cost more than the endpoint allows. */

import { describe, expect, it } from 'vitest';
import { defineQueryRules, explainCost, planQuery } from '../../../src/index.ts';
import { describeRules } from '../../../src/rules/client/index.ts';
import { refusalOf } from '../refusal.ts';
import { shopRegistry } from './shop.ts';

const declaration = {
  filters: [
    { path: 'name', operators: ['eq', 'ne', 'like', 'ilike', 'startsWith'] },
    { path: 'stock', operators: ['gte', 'isNull'] },
    { path: 'maker.name', operators: ['eq'] },
    { path: 'labels.text', operators: ['eq'] },
  ],
  fields: {
    root: { allowed: ['id', 'name'], default: ['id'] },
    relations: {
      maker: { allowed: ['name'], default: ['name'] },
      labels: { allowed: ['text'], default: ['text'] },
    },
  },
  includes: ['maker', 'labels'],
  search: ['name', 'maker.name'],
} as const;
const grouped = { groups: { depth: 2, terms: 20 }, quantifiers: ['labels'] } as const;

const costOf = (request: string): number => {
  const limits = { cost: 1 };
  const dear = defineQueryRules(
    shopRegistry,
    'article',
    { ...declaration, ...grouped },
    { limits },
  );
  const more = 'filter[labels.text]=a';
  const { details } = refusalOf<'QUERY_TOO_EXPENSIVE'>(() => planQuery(`${more}&${request}`, dear));
  return details.cost - 11;
};

describe('the cost of a term', () => {
  it.each([
    ['filter[name]=a', 1],
    ['filter[name][startsWith]=a', 1],
    ['filter[name][ne]=a', 5],
    ['filter[name][like]=a', 5],
    ['filter[maker.name]=a', 2],
    ['filter[$or][0][name]=a', 2],
    ['filter[$and][0][name]=a', 1],
    ['filter[$not][maker.name]=a', 4],
    ['filter[labels][$some][text]=a', 11],
    ['filter[$not][labels][$some][text]=a', 22],
    ['filter[labels][$some][$or][0][text]=a', 12],
    ['filter[labels][$some][text]=a&filter[labels][$some][$or][0][text]=b', 13],
    ['filter[name]=a&filter[stock][gte]=1', 2],
    ['includes=maker', 1],
    ['includes=maker,labels', 6],
    ['search=a', 11],
    ['search=%20', 0],
    ['sort=', 0],
  ])('%s', (request, cost) => {
    expect(costOf(request)).toBe(cost);
  });

  it('is listed by explainCost', () => {
    const rules = defineQueryRules(shopRegistry, 'article', { ...declaration, ...grouped });
    const costs = Object.fromEntries(explainCost(rules).map(({ term, cost }) => [term, cost]));
    expect(costs).toMatchObject({
      'filter[name][eq]': 1,
      'filter[name][like]': 5,
      'filter[maker.name][eq]': 2,
      'filter[labels.text][eq]': 11,
      'filter[labels][$some|$every|$none]': 10,
      'filter[labels][$some|$every|$none][text][eq]': 1,
      'includes=labels': 5,
      search: 11,
    });
  });
});

describe('the budget', () => {
  it('is 100 with groups or quantifiers, and none for other endpoints', () => {
    const plain = defineQueryRules(shopRegistry, 'article', declaration);
    expect(describeRules(plain).limits).not.toHaveProperty('cost');
    const rules = defineQueryRules(shopRegistry, 'article', { ...declaration, ...grouped });
    expect(describeRules(rules).limits.cost).toBe(100);
    const alternatives = (count: number) =>
      Array.from({ length: count }, (_, at) => `filter[$or][${at}][labels.text]=a`).join('&');
    expect(() => planQuery(alternatives(4), rules)).not.toThrow();
    expect(refusalOf(() => planQuery(alternatives(5), rules)).toJSON()).toEqual({
      statusCode: 400,
      code: 'QUERY_TOO_EXPENSIVE',
      message: 'The request asks for more than the endpoint allows; leave out the term, or others.',
      details: { term: 'filter[$or][0][labels.text][eq]', cost: 110, maxCost: 100 },
    });
  });

  it('may be set for any endpoint', () => {
    const rules = defineQueryRules(shopRegistry, 'article', declaration, { limits: { cost: 10 } });
    expect(() => planQuery('filter[name]=a&filter[stock][gte]=1', rules)).not.toThrow();
    expect(refusalOf(() => planQuery('filter[labels.text]=a', rules)).code).toBe(
      'QUERY_TOO_EXPENSIVE',
    );
  });

  it('comes after what is not allowed, which a cost would tell apart', () => {
    const rules = defineQueryRules(shopRegistry, 'article', declaration, { limits: { cost: 1 } });
    expect(refusalOf(() => planQuery('filter[labels.text]=a&filter[secret]=b', rules)).code).toBe(
      'FIELD_NOT_ALLOWED',
    );
  });
});
