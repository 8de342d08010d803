/** The statements of groups and quantifiers: one subquery for each quantifier, in a form that is planned once, shared by shape. */

import { describe, expect, it } from 'vitest';
import { defineQueryRules, planQuery } from '../../../src/index.ts';
import { mysql, postgresql, sqlite } from '../../../src/relational/index.ts';
import { planShape, whereShape } from '../../../src/relational/compile/plan-shape.ts';

import { registry, shopContext } from './shop-tables.ts';
import { statementsOf } from './statements.ts';

const rules = defineQueryRules(registry, 'article', {
  filters: [
    { path: 'name', operators: ['eq', 'in'] },
    { path: 'labels.text', operators: ['eq'] },
    { path: 'maker.articles.stock', operators: ['gte', 'isNull'] },
    { path: 'maker.articles.labels.text', operators: ['eq'] },
  ],
  groups: { depth: 3, terms: 20 },
  quantifiers: ['labels', 'maker.articles', 'maker.articles.labels'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

const textOf = (request: string, dialect = postgresql): string =>
  statementsOf(shopContext(dialect), planQuery(request, rules))[0]?.text ?? '';
/** How many subqueries a statement has in the form that may be joined, and in the one that is not. */
const forms = (request: string): readonly number[] => {
  const text = textOf(request);
  return [text.split('exists (').length - 1, text.split(' limit 1) is not null').length - 1];
};

describe('a quantifier', () => {
  it('is one subquery, however many conditions it has', () => {
    const one = 'filter[maker.articles][$some]';
    expect(forms(`${one}[stock][gte]=1&${one}[stock][isNull]=false`)).toEqual([1, 0]);
    expect(forms(`${one}[stock][gte]=1&filter[maker.articles.stock][isNull]=false`)).toEqual([
      2, 0,
    ]);
  });

  it('shares its subquery with none and every of the same relation beside every', () => {
    const [none, every] = ['$none', '$every'].map((name) => `filter[maker.articles][${name}]`);
    expect(forms(`${none}[stock][gte]=1&${every}[stock][gte]=0`)).toEqual([1, 0]);
    expect(forms(`${every}[stock][gte]=1&filter[labels][$every][text]=a`)).toEqual([2, 0]);
    expect(forms(`${every}[stock][gte]=1&filter[maker.articles][$some][stock][gte]=0`)).toEqual([
      2, 0,
    ]);
    expect(
      forms(
        'filter[$and][0][labels][$none][text]=a&filter[$and][1][labels][$none][text]=b&filter[$or][0][labels][$every][text]=a&filter[$or][1][labels][$every][text]=b',
      ),
    ).toEqual([4, 0]);
  });

  it('within another one is joined to it where that is joined', () => {
    expect(forms('filter[maker.articles][$some][labels][$some][text]=a')).toEqual([2, 0]);
    expect(forms('filter[maker.articles][$none][labels][$some][text]=a')).toEqual([2, 0]);
  });

  it('within another one that PostgreSQL would plan twice is planned once', () => {
    expect(forms('filter[maker.articles][$every][labels][$some][text]=a')).toEqual([1, 1]);
    expect(
      forms('filter[$or][0][name]=a&filter[$or][1][maker.articles][$some][labels][$some][text]=a'),
    ).toEqual([1, 1]);
    expect(forms('filter[maker.articles][$some][$or][0][labels][$some][text]=a')).toEqual([2, 0]);
  });

  it('never stands behind NOT in a form that may be unknown', () => {
    for (const dialect of [mysql, postgresql, sqlite]) {
      const text = textOf('filter[labels][$none][text]=a&paginate=false', dialect);
      expect(text).toMatch(/not \((?:exists )?\(select 1/);
      expect(text).not.toMatch(/not \(\S+ in \(select/);
    }
  });
});

describe('statements', () => {
  const shapeOf = (request: string): string => {
    const plan = planQuery(request, rules);
    return planShape(plan, whereShape(plan, postgresql), postgresql);
  };

  it('are shared by requests with other values', () => {
    const request = (value: string) =>
      `filter[$or][0][name]=${value}&filter[$not][labels][$every][text]=${value}`;
    expect(shapeOf(request('a'))).toBe(shapeOf(request('b')));
  });

  it('are told apart by groups and quantifiers', () => {
    const shapes = [
      'filter[name]=a&filter[labels.text]=a',
      'filter[$or][0][name]=a&filter[$or][1][labels.text]=a',
      'filter[$not][name]=a',
      'filter[labels][$some][text]=a',
      'filter[labels][$none][text]=a',
      'filter[labels][$every][text]=a',
      'filter[$not][labels][$every][text]=a',
    ].map(shapeOf);
    expect(new Set(shapes).size).toBe(shapes.length);
  });
});
