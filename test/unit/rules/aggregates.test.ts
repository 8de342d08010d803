/** Values over relations: which rules declare them, how requests name them, what they cost, and what is refused. */

import qs from 'qs';
import { describe, expect, expectTypeOf, it } from 'vitest';
import {
  type ListRequestInput,
  QueryError,
  buildQuery,
  defineQueryRules,
  defineSchemaRegistry,
  explainCost,
  openApiParameters,
  planQuery,
} from '../../../src/index.ts';
import { describeRules } from '../../../src/rules/client/index.ts';
import type { RowIn } from '../../../src/rules/index.ts';
import { rowSchema } from '../../../src/rules/open-api/answer-schema.ts';
import { transformedPlan } from '../../../src/rules/plan/transform-plan.ts';
import { cursorKeys } from '../../cursor-keys.ts';
import { refusalOf } from '../refusal.ts';
import { shopRegistry } from './shop.ts';

const big = { type: 'condition', path: 'stock', operator: 'gte', value: 10 } as const;
const declaration = {
  aggregates: {
    labels: { count: true, max: ['text'] },
    'maker.articles': {
      count: true,
      sum: ['stock', 'serial', 'price'],
      min: ['day'],
      where: { big },
    },
  },
  filters: [
    { path: 'name', operators: ['eq'] },
    { path: 'labels.$count', operators: ['eq', 'in', 'gte'] },
    { path: 'maker.articles.$sum.price', operators: ['lt', 'isNull'] },
  ],
  sorts: ['name', 'labels.$count', 'maker.articles.$count.big'],
  fields: {
    root: {
      allowed: ['id', 'labels.$count', 'labels.$max.text'],
      default: ['id', 'labels.$count'],
    },
    relations: {
      maker: {
        allowed: ['id', 'articles.$sum.stock', 'maker.articles.$min.day.big'],
        default: ['id'],
      },
    },
  },
  includes: ['maker'],
  pagination: { mode: 'both' },
} as const;
const rules = defineQueryRules(shopRegistry, 'article', declaration, { cursorKeys });
const plain = defineQueryRules(shopRegistry, 'article', {
  filters: [{ path: 'name', operators: ['eq'] }],
  sorts: ['name'],
  fields: { root: { allowed: ['id'], default: ['id'] } },
});

const codeOf = (request: ListRequestInput, of: Parameters<typeof planQuery>[1] = rules): string => {
  try {
    planQuery(request, of);
    return 'accepted';
  } catch (error) {
    if (error instanceof QueryError && error.status === 400) return error.code;
    throw error;
  }
};

describe('a request with values over relations', () => {
  it('plans them like fields', () => {
    const plan = planQuery(
      'filter[labels.$count][gte]=3&sort=-labels.$count&fields=labels.$max.text,maker.articles.$sum.stock&includes=maker',
      rules,
    );
    expect(JSON.parse(JSON.stringify(plan.where))).toEqual({
      type: 'condition',
      path: 'labels.$count',
      operator: 'gte',
      value: 3,
    });
    expect(plan.order.map(({ path, direction }) => [path, direction])).toEqual([
      ['labels.$count', 'desc'],
      ['id', 'desc'],
    ]);
    const { fields, aggregates = [], relations } = plan.projection;
    expect([fields, aggregates.map(({ path }) => path)]).toEqual([[], ['labels.$max.text']]);
    expect(relations[0]?.node.aggregates?.map(({ path, kind }) => [path, kind])).toEqual([
      ['articles.$sum.stock', 'bigint'],
    ]);
  });

  it('shows those of the defaults', () => {
    expect(planQuery('', rules).projection.aggregates?.map(({ path }) => path)).toEqual([
      'labels.$count',
    ]);
  });

  it.each([
    ['filter[labels.$count]=x', 'FILTER_VALUE_INVALID'],
    ['filter[labels.$count][lt]=1', 'OPERATOR_NOT_ALLOWED'],
    ['filter[labels.$max.text]=a', 'FIELD_NOT_ALLOWED'],
    ['filter[labels.$count.big]=1', 'FIELD_NOT_ALLOWED'],
    ['filter[labels.$count][$some][text]=1', 'QUERY_SYNTAX_INVALID'],
    ['filter[labels.$avg.text]=1', 'QUERY_SYNTAX_INVALID'],
    ['filter[$count]=1', 'QUERY_SYNTAX_INVALID'],
    ['filter[labels.$count.]=1', 'QUERY_SYNTAX_INVALID'],
    ['filter[labels.$sum]=1', 'QUERY_SYNTAX_INVALID'],
    ['sort=labels.$max.text', 'FIELD_NOT_ALLOWED'],
    ['fields=maker.articles.$sum.stock', 'FIELD_NOT_ALLOWED'],
    ['fields=maker.articles.$sum.serial&includes=maker', 'FIELD_NOT_ALLOWED'],
    ['fields=labels.$count.$count', 'QUERY_SYNTAX_INVALID'],
    ['includes=labels.$count', 'QUERY_SYNTAX_INVALID'],
    [`sort=${'a'.repeat(300)}.$count`, 'QUERY_SYNTAX_INVALID'],
  ])('refuses %s', (request, code) => {
    expect(codeOf(request)).toBe(code);
  });

  it.each([
    'filter[labels.$count]=1',
    'filter[labels.$count][]=1',
    'filter[labels.$count][in]=1,2',
    'filter[labels.$count][nothing]=1',
    'sort=labels.$count',
    'fields=labels.$count',
  ])('is refused as before by rules without them: %s', (request) => {
    expect(codeOf(request, plain)).toBe('QUERY_SYNTAX_INVALID');
    expect(codeOf(qs.parse(request), plain)).toBe('QUERY_SYNTAX_INVALID');
  });

  it('is written by the request builder and read from parsers', () => {
    const query = buildQuery(rules, {
      filter: { 'labels.$count': { gte: 2 }, 'maker.articles.$sum.price': { lt: '3.50' } },
      sort: ['-labels.$count'],
      fields: ['labels.$count', 'maker.articles.$min.day.big'],
      includes: ['maker'],
    });
    const where = JSON.stringify(planQuery(query, rules).where);
    expect(where).toContain('"maker.articles.$sum.price"');
    expect(JSON.stringify(planQuery(qs.parse(query), rules).where)).toBe(where);
    // @ts-expect-error a path that no filter names
    expect(() => buildQuery(rules, { filter: { 'labels.$sum': 1 } })).not.toThrow();
  });

  it('has a cost within the budget of endpoints with such values', () => {
    expect(rules.limits.cost).toBe(100);
    expect(plain.limits.cost).toBeUndefined();
    const costs = new Map(explainCost(rules).map(({ term, cost }) => [term, cost]));
    expect(costs.get('filter[labels.$count][gte]')).toBe(11);
    expect(costs.get('filter[maker.articles.$sum.price][lt]')).toBe(12);
    expect(costs.get('sort=labels.$count')).toBe(15);
    expect(costs.get('fields=maker.articles.$sum.stock')).toBe(5);
    const limited = defineQueryRules(shopRegistry, 'article', declaration, {
      cursorKeys,
      limits: { cost: 25 },
    });
    const details = (request: string) => {
      try {
        planQuery(request, limited);
        return undefined;
      } catch (error) {
        return (error as QueryError).details;
      }
    };
    expect(details('sort=labels.$count')).toBeUndefined();
    expect(details('sort=labels.$count&filter[labels.$count]=1')).toMatchObject({
      term: 'sort=labels.$count',
      cost: 31,
    });
  });

  it('is described for clients', () => {
    const { filters, sorts, fields } = describeRules(rules);
    expect(filters.map(({ path, kind, nullable, many }) => [path, kind, nullable, many])).toEqual([
      ['name', 'string', false, false],
      ['labels.$count', 'integer', false, false],
      ['maker.articles.$sum.price', 'decimal', true, false],
    ]);
    expect(sorts.map(({ path }) => path)).toContain('maker.articles.$count.big');
    expect(fields.allowed).toContain('labels.$max.text');
    const names = openApiParameters(rules).map(({ name }) => name);
    expect(names).toContain('filter[labels.$count][gte]');
    const { properties } = rowSchema(rules);
    expect(properties?.['labels.$count']).toEqual({ type: 'integer', format: 'int32' });
    expect(properties?.['labels.$max.text']).toEqual({ type: ['string', 'null'] });
  });

  it('has typed rows', () => {
    const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
    const at = { path: 'at', kind: 'datetime', nullable: false, primaryKey: false } as const;
    const registry = defineSchemaRegistry([
      {
        model: 'note',
        primaryKey: ['id'],
        fields: [id],
        relations: [],
      },
      {
        model: 'writer',
        primaryKey: ['id'],
        fields: [id, at],
        relations: [{ path: 'notes', target: 'note', cardinality: 'many', nullable: false }],
      },
    ]);
    const typed = defineQueryRules(registry, 'writer', {
      aggregates: { notes: { count: true, sum: ['id'], max: ['id'] } },
      filters: [{ path: 'notes.$count', operators: ['gte'] }],
      fields: {
        root: {
          allowed: ['id', 'notes.$count', 'notes.$sum.id', 'notes.$max.id'],
          default: ['id'],
        },
      },
    });
    type Row = RowIn<{ id?: number }, unknown, typeof typed>;
    expectTypeOf<Row['notes.$count']>().toEqualTypeOf<number | undefined>();
    expectTypeOf<Row['notes.$sum.id']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<Row['id']>().toEqualTypeOf<number | undefined>();
    // @ts-expect-error a value that the rules do not show
    expectTypeOf<Row['notes.$min.id']>();
    const wrong = () =>
      defineQueryRules(registry, 'writer', {
        // @ts-expect-error the relation does not exist
        aggregates: { texts: { count: true } },
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
    expect(refusalOf(wrong).message).toContain('texts');
    const wrongField = () =>
      defineQueryRules(registry, 'writer', {
        // @ts-expect-error the field does not exist
        aggregates: { notes: { sum: ['size'] } },
        fields: { root: { allowed: ['id'], default: ['id'] } },
      });
    expect(refusalOf(wrongField).message).toContain('size');
  });
});

describe('a plan of a host', () => {
  it('may have conditions on the declared values', () => {
    const where = { type: 'condition', path: 'labels.$count', operator: 'gt', value: 1 } as const;
    const plan = transformedPlan(planQuery('', rules), rules, (each) => ({ ...each, where }));
    expect(JSON.parse(JSON.stringify(plan.where))).toEqual(where);
    expect(
      refusalOf(() =>
        transformedPlan(planQuery('', rules), rules, (each) => ({
          ...each,
          where: { ...where, path: 'labels.$sum.id' },
        })),
      ).message,
    ).toContain('labels.$sum.id');
  });

  it('narrows the shown values and does not widen them', () => {
    const all = planQuery('fields=id,labels.$count,labels.$max.text', rules);
    const fewer = transformedPlan(all, rules, (plan) => ({
      ...plan,
      projection: {
        ...plan.projection,
        aggregates: plan.projection.aggregates?.slice(0, 1) ?? [],
      },
    }));
    expect(fewer.projection.aggregates?.map(({ path }) => path)).toEqual(['labels.$count']);
    const none = transformedPlan(all, rules, (plan) => {
      const { aggregates: _left, ...projection } = plan.projection;
      return { ...plan, projection };
    });
    expect(none.projection).not.toHaveProperty('aggregates');
    const widen = () =>
      transformedPlan(planQuery('fields=id', rules), rules, (plan) => ({
        ...plan,
        projection: { ...plan.projection, aggregates: all.projection.aggregates ?? [] },
      }));
    expect(refusalOf(widen).message).toContain('widened');
  });
});

describe('rules that cannot work', () => {
  const refused = (aggregates: object, more: object = {}): string =>
    refusalOf(() =>
      defineQueryRules(shopRegistry, 'article', {
        fields: { root: { allowed: ['id'], default: ['id'] } },
        aggregates,
        ...more,
      } as never),
    ).message;

  it.each([
    [{ tags: { count: true } }, 'article has no relation "tags"'],
    [{ name: { count: true } }, 'not a relation with many rows'],
    [{ maker: { count: true } }, 'not a relation with many rows'],
    [{ labels: {} }, 'it names no value'],
    [{ labels: { count: false } }, 'it names no value'],
    [{ labels: { count: 'yes' } }, 'must be'],
    [{ labels: { avg: ['id'] } }, 'avg'],
    [{ labels: { sum: ['text'] } }, 'sum of "text", which is string'],
    [{ labels: { max: ['none'] } }, 'max names "none"'],
    [{ 'maker.articles': { max: ['nameFolded'] } }, 'max names "nameFolded"'],
    [{ 'maker.articles': { max: ['code'] } }, 'max of "code", which is uuid'],
    [{ 'maker.articles': { min: ['sold'] } }, 'min of "sold", which is boolean'],
    [{ 'maker.articles': { min: ['extra'] } }, 'min of "extra", which is json'],
    [{ labels: { count: true, where: { 'a.b': big } } }, 'not a name of a condition'],
    [{ labels: { count: true, where: { big } } }, 'a condition on "stock"'],
    [{ labels: { count: true, where: { big: { type: 'every thing' } } } }, 'is not and, or'],
  ])('are refused at boot: %j', (aggregates, reason) => {
    expect(refused(aggregates)).toContain(reason);
  });

  it('are refused where they name what is not declared', () => {
    const labels = { labels: { count: true } };
    expect(refused(labels, { sorts: ['labels.$max.text'] })).toContain('labels.$max.text');
    expect(
      refused(labels, { filters: [{ path: 'labels.$count', operators: ['isNull'] }] }),
    ).toContain('never null');
    expect(
      refused(labels, { filters: [{ path: 'labels.$count', operators: ['like'] }] }),
    ).toContain('needs a string');
    const root = { allowed: ['id', 'labels.$sum.id'], default: ['id'] };
    expect(refused(labels, { fields: { root } })).toContain('labels.$sum.id');
  });

  it('are refused where a value of several rows would be sorted by', () => {
    const aggregates = { 'maker.articles.labels': { count: true } };
    expect(refused(aggregates, { sorts: ['maker.articles.labels.$count'] })).toContain(
      'crosses a many relation',
    );
  });

  it('need a scope of the relation, and of those in named conditions', () => {
    const scoped = (scopes: object) =>
      refusalOf(() =>
        defineQueryRules(
          shopRegistry,
          'maker',
          {
            fields: { root: { allowed: ['id'], default: ['id'] } },
            aggregates: {
              articles: {
                count: true,
                where: {
                  labelled: { type: 'condition', path: 'labels', operator: 'isNull', value: false },
                },
              },
            },
          },
          { scopes } as never,
        ),
      ).message;
    expect(scoped({ maker: 'unscoped' })).toContain('article');
    expect(scoped({ maker: 'unscoped', article: 'unscoped' })).toContain('label');
  });
});
