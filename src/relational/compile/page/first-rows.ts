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

/** Selects a number of rows along the order, told whether they meet a condition. */
function rowsAlongOrder(
  scope: Scope,
  plan: ResolvedPlan,
  reversed: boolean,
  walked: (scope: Scope) => Sql,
): (limit: Sql) => Sql {
  const whole = lowerOrder(scope, plan.order, reversed);
  const met = [walked(scope), rowsOfRoot(scope)].filter((part) => part !== null);
  const after = afterPosition(scope, plan, whole);
  const order = orderSql(scope, orderOfPage(scope, whole, plan, true));
  return (limit) =>
    selectPart(
      scope,
      after ? [after] : [],
      [' order by ', order, ' limit ', limit],
      [['case when ', join(met, ' and '), ' then 1 end as met']],
    );
}

/** Null unless one of the rows meets it, behind some others. */
const anyMet = ({ dialect }: PlanContext, rows: Sql, offset: Sql = ''): Sql => [
  ['(select 1 from (', rows, `) as ${dialect.quote('first')} where met limit 1`, offset, ')'],
];

/** Whether the order may be that of an index on the table. */
export function isOwnOrder(context: PlanContext, plan: ResolvedPlan): boolean {
  const scope = rootScope(context, plan.model);
  return lowerOrder(scope, plan.order, false).every(
    ({ alias, isComputed }) => alias === scope.root.alias && !isComputed,
  );
}

/** `walked` is the condition of the request. */
export function firstRows(
  context: PlanContext,
  plan: ResolvedPlan,
  { limit, offset, reversed }: PageWindow,
  walked: (scope: Scope) => Sql,
): FirstRows {
  const scope = rootScope(context, plan.model);
  const rows = rowsAlongOrder(scope, plan, reversed, walked);
  const upTo = (least: number, each: number): Sql =>
    offset && !isDeep(plan) ? { read: (inputs) => least + each * inputs.offset } : String(least);
  const first = rows(['+', upTo(mostRows, 2)]);
  if (!isDeep(plan)) {
    return {
      filled: anyMet(context, first, [' offset ', upTo(limit - 1, 1)]),
    };
  }
  const share: Sql = [' / (1 + (select count(met) from (', first, '))'];
  const half: Sql = { read: (inputs) => (inputs.offset * mostRows) / 2 };
  return { passed: ['cast(', half, share, ') as integer)'] };
}

/** Rows among which one that meets a seldom condition is looked for: a few first where a server tests all of them. */
const soughtRows = { limit: [10_000], table: [300, 10_000] };

/** Null where none of the first rows along the order of a page meets its condition. */
export function anyOfFirst(
  context: PlanContext,
  plan: ResolvedPlan,
  { reversed }: PageWindow,
  walked: (scope: Scope) => Sql,
): Sql {
  const { dialect } = context;
  const rows = rowsAlongOrder(rootScope(context, plan.model), plan, reversed, walked);
  const found = soughtRows[dialect.probes?.gate ?? 'table'].map((most) =>
    anyMet(context, rows(dialect.limit(most))),
  );
  return found.length > 1 ? ['coalesce(', join(found, ', '), ')'] : found;
}
