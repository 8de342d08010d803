/** Cached plans take bounded memory for all lists and shapes that a client may send. */

import { describe, expect, it } from 'vitest';
import type { CompiledPlan } from '../../../src/relational/index.ts';
import { compilePlan, mysql } from '../../../src/relational/index.ts';
import { planQuery } from '../../../src/index.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { keptPlans } from '../../../src/relational/read/source-description.ts';

const context = shopContext(mysql);
const rules = shopRules();
const compiled = (request: string): CompiledPlan => compilePlan(context, planQuery(request, rules));
const slotsOf = ({ data, count }: CompiledPlan): number =>
  data.statement.slots.length + (count?.statement.slots.length ?? 0);

describe('kept plans', () => {
  it('are hundreds of usual ones', () => {
    const kept = keptPlans();
    const plan = compiled('filter[stock][gte]=1&filter[name][like]=a&search=b');
    for (let at = 0; at < 600; at += 1) kept.set(`${at}`, plan);
    expect(kept.size).toBe(500);
  });

  it('are few where each writes out thousands of values', () => {
    const kept = keptPlans();
    const list = Array.from({ length: 1000 }, () => '1').join();
    const plan = compiled(
      ['stock', 'serial', 'price'].map((path) => `filter[${path}][in]=${list}`).join('&'),
    );
    expect(slotsOf(plan)).toBeGreaterThan(6000);
    for (let at = 0; at < 600; at += 1) kept.set(`${at}`, plan);
    expect(kept.size * slotsOf(plan)).toBeLessThanOrEqual(50_000);
    expect(kept.size).toBeGreaterThan(0);
  });

  it('hold no statement of an include for more keys than pages usually have', () => {
    const [child] = compiled('includes=labels').children;
    expect(child?.statement(50)).toBe(child?.statement(60));
    expect(child?.statement(100)).toBe(child?.statement(128));
    expect(child?.statement(500)).not.toBe(child?.statement(500));
    expect(child?.maxKeys).toBe(128);
  });
});
