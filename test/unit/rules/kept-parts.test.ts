/** Plans that are kept, or made of parts that are: those of `planQuery`, the first time and every further time. */

import { describe, expect, it } from 'vitest';
import { defineQueryRules, planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules, ListRequestInput } from '../../../src/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor/cursor.ts';
import { keptPlan, memoOf } from '../../../src/rules/plan/kept-parts.ts';
import { refusalOf } from '../refusal.ts';
import { cursorKeys } from '../../cursor-keys.ts';
import { condition, shopRules } from './shop-rules.ts';
import { shopRegistry } from './shop.ts';

const rules = shopRules({ mode: 'both' }, { limits: { maxQueryLength: 900 } });

/** A cursor of the endpoint after a row of this request. */
function cursorOf(request: string, name: string): string {
  const { page } = planQuery(`${request}&cursor=`, rules);
  if (page.mode !== 'keyset') throw new TypeError(`The window is ${page.mode}.`);
  return encodeCursor(rules, page.binding, 'after', false, [name, '7']);
}

/** The plan, or the code and the details of its refusal. */
function outcomeOf(plan: () => unknown): unknown {
  try {
    return plan();
  } catch {
    const { code, details } = refusalOf(plan);
    return { code, details };
  }
}

const outcomes = (request: string, of: CompiledQueryRules = rules) => ({
  kept: outcomeOf(() => keptPlan(request, of, {})),
  fresh: outcomeOf(() => planQuery(request, of)),
});

const first = cursorOf('sort=name', 'a');
const second = cursorOf('sort=name', 'b');

const requests = [
  'sort=name',
  'filter[name][eq]=x&filter[price][gte]=2&sort=name',
  'filter[name][eq]=%C3%A9&sort=name',
  `sort=name&cursor=${first}`,
  `sort=name&cursor=${second}`,
  `cursor=${first}&sort=name`,
  `?sort=name&cursor=${first}`,
  `?cursor=${first}&sort=name`,
  `sort=name&cursor=${first}&perPage=3`,
  `sort=-name&cursor=${first}`,
  `sort=name&cursor=`,
  'cursor=',
  `sort=name&cursor=${first}%20`,
  `sort=name&cursor=${first}+`,
  `sort=name&cursor=%`,
  `sort=name&cursor=${first}=`,
  `sort=name&cursor=${first}&cursor=${second}`,
  `sort=name&cursor=${first}&%63ursor=${second}`,
  `sort=name&%63ursor=${first}`,
  `sort=name&cursor[]=${first}`,
  `sort=name&cursor=${first}&unknown=1`,
  `sort=name&cursor=${first}&page=2`,
  `sort=name&cursor=${first}&paginate=false`,
  `search=cursor=${first}`,
  `sort=name&cursor=${'a'.repeat(1000)}`,
  `filter[name][eq]=${'a'.repeat(600)}&sort=name&cursor=`,
  `filter[name][eq]=${'a'.repeat(600)}&sort=name`,
  'filter[nothing][eq]=1',
  '',
];

describe('kept plans and their parts', () => {
  it.each(requests)('mean what the request means: %s', (request) => {
    for (let run = 0; run < 3; run += 1) {
      const { kept, fresh } = outcomes(request);
      expect(kept).toEqual(fresh);
    }
  });

  it('are those of their own rules', () => {
    const offset = shopRules({ mode: 'offset' });
    for (const of of [rules, offset, rules, offset]) {
      const { kept, fresh } = outcomes(`sort=name&cursor=${first}`, of);
      expect(kept).toEqual(fresh);
    }
    expect(outcomes(`sort=name&cursor=${first}`, offset).kept).toMatchObject({
      code: 'QUERY_SYNTAX_UNKNOWN_PARAM',
    });
  });

  it('bind cursors to the scope of the host', () => {
    const request = `sort=name&cursor=${first}`;
    const scoped = () => keptPlan(request, rules, { cursorScope: 'tenant' });
    expect(outcomes(request).kept).toMatchObject({ page: { mode: 'keyset' } });
    expect(refusalOf(scoped).code).toBe('CURSOR_INVALID');
    expect(outcomes(request).kept).toMatchObject({ page: { mode: 'keyset' } });
  });

  it('bind cursors to the scopes of the request, also where its query string recurs', () => {
    const scoped = defineQueryRules(
      shopRegistry,
      'article',
      {
        fields: { root: { allowed: ['id', 'name'], default: ['id'] } },
        sorts: ['name'],
        pagination: { mode: 'keyset' },
      },
      {
        cursorKeys,
        scopes: { article: ({ tenant }: { tenant: number }) => condition('stock', 'eq', tenant) },
      },
    );
    const bindingOf = (tenant: number): unknown => {
      const { page } = keptPlan('sort=name', scoped, { scope: { tenant } });
      return page.mode === 'keyset' ? page.binding : page;
    };
    const [first, second] = [bindingOf(1), bindingOf(2)];
    expect(second).not.toEqual(first);
    expect([bindingOf(1), bindingOf(2)]).toEqual([first, second]);
  });

  it('are the same plan where the query string alone decides it', () => {
    const plan = (request: ListRequestInput, options = {}) => keptPlan(request, rules, options);
    const kept = plan('sort=name&perPage=4');
    expect(plan('sort=name&perPage=4')).toBe(kept);
    expect(memoOf(kept)).toBeDefined();
    const others = [
      plan('sort=name&perPage=5'),
      plan('perPage=4&sort=name'),
      plan(`sort=name&perPage=4&cursor=${first}`),
      plan('sort=name&perPage=4', { cursorScope: 'tenant' }),
      plan({ sort: 'name', perPage: '4' }),
      plan(new URLSearchParams('sort=name&perPage=4')),
    ];
    expect(new Set([kept, ...others]).size).toBe(1 + others.length);
    expect(others.map(memoOf)).toEqual([{}, {}, undefined, undefined, undefined, undefined]);
    expect(keptPlan('sort=name&perPage=4', shopRules({ mode: 'both' }), {})).not.toBe(kept);
  });

  it('refuse a scope that the rules do not have, also for a plan that is kept', () => {
    expect(keptPlan('sort=name', rules, {})).toBeDefined();
    const scoped = () => keptPlan('sort=name', rules, { scope: { tenant: 1 } });
    expect(refusalOf(scoped).code).toBe('SOURCE_CONFIGURATION_INVALID');
  });
});
