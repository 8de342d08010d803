/** The key by which a count is kept: requests share it only where they count the same rows. */

import { expect, it } from 'vitest';
import { planQuery } from '../../../src/index.ts';
import { postgresql } from '../../../src/relational/index.ts';
import { shopContext, shopRules } from './shop-tables.ts';
import { derivedPlan } from '../../../src/relational/read/source-description.ts';

interface Tenant {
  readonly tenant: number;
}
const rules = shopRules(
  {},
  {
    article: ({ tenant }: Tenant) => ({
      type: 'condition',
      path: 'stock',
      operator: 'eq',
      value: tenant,
    }),
    maker: 'unscoped',
    label: 'unscoped',
    line: 'unscoped',
    part: 'unscoped',
  },
);
const context = shopContext(postgresql);
const keyOf = (request: string, tenant: number) =>
  derivedPlan(planQuery(request, rules, { scope: { tenant } }), context, rules).countKey;

it('differs by the values of filters and of scopes, and not by page, order or fields', () => {
  const usual = keyOf('filter[name]=a', 1);
  expect(keyOf('filter[name]=a&page=3&sort=-name&fields=name', 1)).toBe(usual);
  const others = [
    keyOf('filter[name]=a', 2),
    keyOf('filter[name]=b', 1),
    keyOf('filter[name][ne]=a', 1),
    keyOf('', 1),
  ];
  expect(new Set([usual, ...others]).size).toBe(5);
});
