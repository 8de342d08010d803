/** Plans of requests whose parts are kept: those of `planQuery`, the first time and every further time. */

import { describe, expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import type { CompiledQueryRules } from '../../../src/index.ts';
import { encodeCursor } from '../../../src/rules/plan/cursor.ts';
import { keptParts } from '../../../src/rules/plan/kept-parts.ts';
import { planOf } from '../../../src/rules/plan/plan-query.ts';
import { refusalOf } from '../refusal.ts';
import { shopRules } from './shop-rules.ts';

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
  kept: outcomeOf(() => planOf(request, of, {}, undefined, keptParts)),
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

describe('kept parts of plans', () => {
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
    const scoped = () => planOf(request, rules, { cursorScope: 'tenant' }, undefined, keptParts);
    expect(outcomes(request).kept).toMatchObject({ page: { mode: 'keyset' } });
    expect(refusalOf(scoped).code).toBe('CURSOR_INVALID');
    expect(outcomes(request).kept).toMatchObject({ page: { mode: 'keyset' } });
  });
});
