import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compilePlan, mysql, postgresql, sqlite } from '../../../src/relational/index.ts';
import { planShape, whereShape } from '../../../src/relational/compile/plan-shape.ts';
import type { Dialect } from '../../../src/relational/index.ts';
import { planQuery } from '../../../src/index.ts';
import type { Predicate } from '../../../src/index.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { holds } from '../../seed.ts';
import type { ResolvedPlan } from '../../../src/rules/index.ts';

const rules = shopRules();
const shape = (plan: ResolvedPlan, dialect: Dialect) =>
  planShape(plan, whereShape(plan, dialect), dialect);

function texts(plan: ResolvedPlan, dialect: Dialect) {
  const { data, count } = compilePlan(shopContext(dialect), plan);
  return [data.statement.text, count?.statement.text];
}

const word = fc.constantFrom('a', 'b', '%', '1', '', "'");
const whole = fc.integer({ min: -3, max: 3 });
const parts = [
  word.map((value) => ['filter[name]', value]),
  word.map((value) => ['filter[name][like]', value]),
  fc
    .array(word, { maxLength: 9 })
    .map((list) => ['filter[name][in]', list.map((item) => JSON.stringify(item)).join()]),
  whole.map((value) => ['filter[stock][gt]', String(value)]),
  fc.boolean().map((value) => ['filter[stock][isNull]', String(value)]),
  word.map((value) => ['filter[labels.text]', value]),
  fc.constantFrom('name', '-name', 'stock,-price').map((value) => ['sort', value]),
  fc.constantFrom('maker', 'labels', 'maker,labels').map((value) => ['includes', value]),
  fc.constantFrom('1', '2', '3').map((value) => ['page', value]),
  fc.constantFrom('5', '10').map((value) => ['perPage', value]),
  fc.constantFrom('true', 'false').map((value) => ['paginate', value]),
  word.map((value) => ['search', value]),
];

const request = fc
  .tuple(...parts.map((part) => fc.option(part, { nil: undefined })))
  .map(
    (chosen) =>
      new URLSearchParams(
        chosen
          .filter((pair) => pair !== undefined)
          .map(([name = '', value = '']): [string, string] => [name, value]),
      ),
  );

describe('plans of one shape', () => {
  for (const dialect of [postgresql, mysql, sqlite]) {
    it(`share their statements in ${dialect.family}`, async () => {
      await holds(
        fc.property(request, request, (left, right) => {
          const [first, second] = [planQuery(left, rules), planQuery(right, rules)];
          const [oneText, otherText] = [texts(first, dialect), texts(second, dialect)];
          if (shape(first, dialect) === shape(second, dialect)) {
            expect(otherText).toEqual(oneText);
          }
        }),
        300,
      );
    });
  }

  it('differ in values alone', () => {
    const same = (left: string, right: string, dialect: Dialect = postgresql) =>
      shape(planQuery(left, rules), dialect) === shape(planQuery(right, rules), dialect);
    expect(same('filter[name]=a&page=2', 'filter[name]=b&page=9')).toBe(true);
    expect(same('page=1', 'page=2')).toBe(false);
    expect(same('filter[name]=a', 'filter[name][ne]=a')).toBe(false);
    expect(same('filter[stock][isNull]=1', 'filter[stock][isNull]=0')).toBe(false);
    expect(same('filter[name][in]=a', 'filter[name][in]=a,b,c')).toBe(true);
    expect(same('filter[name][in]=a,b,c', 'filter[name][in]=a,b,c,d', mysql)).toBe(true);
    expect(same('filter[name][in]=a,b', 'filter[name][in]=a,b,c', mysql)).toBe(false);
    expect(same('filter[name][in]=', 'filter[name][in]=a', mysql)).toBe(false);
    expect(same('sort=name', 'sort=-name')).toBe(false);
    expect(same('fields=id', 'fields=name')).toBe(false);
    expect(same('perPage=5', 'perPage=6')).toBe(false);
  });

  it('differ by the form of every scope, and not by its values', () => {
    const scoped = shopRules(
      {},
      {
        article: (scope: object) => (scope as { of: Predicate }).of,
        maker: 'unscoped',
        label: 'unscoped',
        line: 'unscoped',
        part: 'unscoped',
      },
    );
    const is = (path: string, operator: 'eq' | 'gt', value: number): Predicate => ({
      type: 'condition',
      path,
      operator,
      value,
    });
    const shapeFor = (of: Predicate) => shape(planQuery('', scoped, { scope: { of } }), postgresql);
    const usual = shapeFor(is('stock', 'eq', 1));
    expect(shapeFor(is('stock', 'eq', 2))).toBe(usual);
    const others: Predicate[] = [
      is('stock', 'gt', 1),
      is('id', 'eq', 1),
      { type: 'and', predicates: [is('stock', 'eq', 1), is('id', 'eq', 1)] },
      { type: 'and', predicates: [is('stock', 'eq', 1)] },
    ];
    expect(new Set([usual, ...others.map(shapeFor)]).size).toBe(5);
  });

  it('differ by the limit of included lists', () => {
    const plan = planQuery('includes=labels', rules);
    const shapes = [2, 3, undefined].map((maxChildren) => {
      const relations = plan.projection.relations.map(({ maxChildren: _given, ...relation }) =>
        maxChildren === undefined ? relation : { ...relation, maxChildren },
      );
      return shape({ ...plan, projection: { ...plan.projection, relations } }, postgresql);
    });
    expect(new Set(shapes).size).toBe(3);
  });
});

describe('a projection narrowed to nothing', () => {
  it('still reads rows', () => {
    const plan = planQuery('', rules);
    const narrowed = { ...plan, projection: { ...plan.projection, fields: [] } };
    for (const dialect of [postgresql, mysql, sqlite]) {
      expect(texts(narrowed, dialect)[0]).toMatch(/^select \S+ from /);
    }
  });
});
