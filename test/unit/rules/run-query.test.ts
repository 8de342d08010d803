/** Calls of `runQuery` and `runOne` to a source, and the answers of a source that they do not pass on. */

import { expect, it } from 'vitest';
import { defineQueryRules, runOne, runQuery } from '../../../src/index.ts';
import type { QueryPlan, QuerySource } from '../../../src/index.ts';
import { condition } from './shop-rules.ts';
import { shopRegistry } from './shop.ts';

/** A source whose table has so many rows; it notes the plans. */
function sourceOf(total: number) {
  const plans: QueryPlan[] = [];
  const source: QuerySource = {
    model: 'article',
    family: 'sqlite',
    registry: shopRegistry,
    servesScopes: true,
    prepare(plan) {
      plans.push(plan);
      const { page } = plan;
      const most = page.mode === 'all' ? page.maxRows : page.perPage;
      const rows = Array.from({ length: Math.min(most, total) }, (_none, id) => ({ id }));
      return {
        concurrent: false,
        countKey: '',
        rows: async () => ({ rows, hasMore: total > most }),
        count: async () => total,
      };
    },
  };
  return { source, plans };
}

const fields = { root: { allowed: ['id'], default: ['id'] } };

it('an answer without pages has all rows, or is refused', async () => {
  const rules = defineQueryRules(shopRegistry, 'article', {
    fields,
    pagination: { allowUnpaginated: true, maxUnpaginatedRows: 5 },
  });
  for (const total of [0, 4, 5]) {
    const { data } = await runQuery(sourceOf(total).source, 'paginate=false', rules);
    expect(data).toHaveLength(total);
  }
  for (const total of [6, 7, 1_000]) {
    const answer = runQuery(sourceOf(total).source, 'paginate=false', rules);
    await expect(answer).rejects.toMatchObject({
      code: 'PAGINATION_INVALID',
      details: { param: 'paginate', maxRows: 5 },
    });
  }
});

it('a row is read within the scopes of the request, as a list is', async () => {
  const rules = defineQueryRules(
    shopRegistry,
    'article',
    { fields },
    { scopes: { article: ({ tenant }: { tenant: number }) => condition('stock', 'eq', tenant) } },
  );
  const { source, plans } = sourceOf(1);
  const scope = { tenant: 7 };
  expect(await runOne(source, 0, '', rules, { scope })).toEqual({ id: 0 });
  await runQuery(source, '', rules, { scope });
  const bound = { article: condition('stock', 'eq', 7) };
  expect(plans.map(({ scopes }) => scopes)).toEqual([bound, bound]);
  await expect(runOne(source, 0, '', rules, {} as never)).rejects.toMatchObject({
    code: 'SCOPE_MISSING',
  });
  const other: QuerySource = { ...source, servesScopes: false };
  await expect(runOne(other, 0, '', rules, { scope })).rejects.toMatchObject({
    code: 'SOURCE_CONFIGURATION_INVALID',
  });
  expect(plans).toHaveLength(2);
});
