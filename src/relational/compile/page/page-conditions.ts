/** The conditions of the rows of a page, and the scope in which they are written. */

import type { ResolvedPlan } from '../../../rules/index.ts';
import { modelOf } from '../model-context.ts';
import { type LoweredOrder, keysetPredicate } from '../order/order.ts';
import { lowerPredicate } from '../predicate.ts';
import { keyRange } from './key-range.ts';
import { Aliases, type PlanContext, Scope } from '../scope.ts';
import type { Sql } from '../sql-text.ts';

/** A scope whose root is a model, under the name of its table. */
export function rootScope(context: PlanContext, model: string): Scope {
  const root = modelOf(context, model);
  const alias = root.physical.table.name;
  return new Scope(context, { alias, model: root, optional: false }, new Aliases(alias));
}

export const rowsOfRoot = (scope: Scope): Sql | null =>
  scope.context.rowCondition(scope, scope.root, 'where');

/** The plan without the position before its page. */
export const withoutPosition = (plan: ResolvedPlan): ResolvedPlan =>
  plan.page.mode === 'keyset' ? { ...plan, page: { ...plan.page, position: null } } : plan;

/** The conditions of the rows of a page; `where` is the condition of the request. */
export function conditionsOf(
  scope: Scope,
  plan: ResolvedPlan,
  order: readonly LoweredOrder[],
  where = whereOf(scope, plan, order),
): Sql[] {
  const parts = [where, afterPosition(scope, plan, order), rowsOfRoot(scope)];
  return parts.filter((part) => part !== null);
}

/** The condition of the rows behind the position before a page. */
export const afterPosition = (
  scope: Scope,
  { page }: ResolvedPlan,
  order: readonly LoweredOrder[],
): Sql | null =>
  page.mode === 'keyset' && page.position ? keysetPredicate(scope, order, page.position) : null;

function whereOf(
  scope: Scope,
  { where, page }: ResolvedPlan,
  order: readonly LoweredOrder[],
): Sql | null {
  if (!where) return null;
  const { existential } = scope.context.dialect;
  const form = page.mode === 'all' ? existential.count : existential.page;
  const range = page.mode === 'keyset' ? keyRange(scope, order, page.position) : undefined;
  return lowerPredicate(scope, where, form, { startsAnywhere: form === 'in', range });
}
