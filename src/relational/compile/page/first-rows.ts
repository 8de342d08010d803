/**
 * The first rows along the order of a page, by which probes are spared or weighed: where they fill the page, no other rows
 * need to be counted, and deep in a list their share tells how many rows a walk passes.
 */

import type { ResolvedPlan } from '../../../rules/index.ts';
import { lowerOrder, orderSql } from '../order/order.ts';
import { orderOfPage } from '../order/null-parts.ts';
import { afterPosition, rootScope, rowsOfRoot } from './page-conditions.ts';
import type { PlanContext, Scope } from '../scope.ts';
import { selectPart } from './select-part.ts';
import { type Sql, join } from '../sql-text.ts';
import { type PageWindow, isDeep } from './window.ts';

/** Rows that are read along the order, besides two for each of those before the page. */
const mostRows = 500;

/** The findings in the first rows: one of the two. */
export interface FirstRows {
  /** Null unless they fill the page. */
  readonly filled?: Sql;
  /** About half of the rows that a walk passes before the page: sorting takes twice as long for each row. */
  readonly passed?: Sql;
}

/** `null` where the order may not be that of an index on the table; `walked` is the condition of the request. */
export function firstRows(
  context: PlanContext,
  plan: ResolvedPlan,
  { limit, offset, reversed }: PageWindow,
  walked: (scope: Scope) => Sql,
): FirstRows | null {
  const scope = rootScope(context, plan.model);
  const whole = lowerOrder(scope, plan.order, reversed);
  const isOwn = whole.every(({ alias, isComputed }) => alias === scope.root.alias && !isComputed);
  if (!isOwn) return null;
  const met = [walked(scope), rowsOfRoot(scope)].filter((part) => part !== null);
  const after = afterPosition(scope, plan, whole);
  const order = orderSql(scope, orderOfPage(scope, whole, plan, true));
  const upTo = (rows: number, each: number): Sql =>
    offset && !isDeep(plan) ? { read: (inputs) => rows + each * inputs.offset } : String(rows);
  const first = selectPart(
    scope,
    after ? [after] : [],
    [' order by ', order, ' limit +', upTo(mostRows, 2)],
    [['case when ', join(met, ' and '), ' then 1 end as met']],
  );
  if (!isDeep(plan)) {
    return {
      filled: ['(select 1 from (', first, ') where met limit 1 offset ', upTo(limit - 1, 1), ')'],
    };
  }
  const share: Sql = [' / (1 + (select count(met) from (', first, '))'];
  const half: Sql = { read: (inputs) => (inputs.offset * mostRows) / 2 };
  return { passed: ['cast(', half, share, ') as integer)'] };
}
