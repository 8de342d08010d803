import { describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import { transformedPlan } from '../../../src/rules/plan/transform-plan.ts';
import { thawedParts } from '../refusal.ts';
import { condition, conditionsOf, shopRules } from './shop-rules.ts';
import type { ResolvedCondition } from '../../../src/rules/index.ts';

const rules = shopRules();

describe('a plan', () => {
  const plan = planQuery('filter[maker.name][ilike]=a&filter[stock][gt]=2&sort=-maker.name', rules);

  it('carries the hops, the field and the operator of each condition and order term', () => {
    const [first] = conditionsOf(plan) as ResolvedCondition[];
    expect(first?.target.hops.map(({ path }) => path)).toEqual(['maker']);
    expect(first?.target.field?.path).toBe('name');
    expect(first?.row).toMatchObject({ name: 'ilike', comparison: 'pattern', negated: false });
    const paths = plan.order.map(({ target }) => [target.hops.length, target.field?.path]);
    expect(paths).toEqual([
      [1, 'name'],
      [0, 'id'],
    ]);
  });

  it('resolves a path once: equal paths of two requests are one object', () => {
    const again = planQuery('filter[maker.name][ilike]=b', rules);
    const targets = [plan, again].map((one) => (conditionsOf(one)[0] as ResolvedCondition).target);
    expect(targets[0]).toBe(targets[1]);
  });

  it('is frozen, and shows paths and operators alone in JSON and in copies', () => {
    expect(thawedParts(plan)).toEqual([]);
    expect(JSON.parse(JSON.stringify([plan.where, plan.order]))).toEqual([
      {
        type: 'and',
        predicates: [condition('maker.name', 'ilike', 'a'), condition('stock', 'gt', 2)],
      },
      [
        { path: 'maker.name', direction: 'desc', nulls: 'last' },
        { path: 'id', direction: 'desc', nulls: 'last' },
      ],
    ]);
    expect(Object.keys({ ...conditionsOf(plan)[0] })).toEqual([
      'type',
      'path',
      'operator',
      'value',
    ]);
  });

  it('has the plain conditions of a hook resolved, a copy under another path as well', () => {
    const [first] = conditionsOf(plan);
    const copy = { ...(first as ResolvedCondition), path: 'name' };
    const changed = transformedPlan(plan, rules, (before) => ({ ...before, where: copy }));
    const added = conditionsOf(changed).at(-1) as ResolvedCondition;
    expect([added.path, added.target.path, added.target.hops]).toEqual(['name', 'name', []]);
  });
});
