/**
 * The root table of a page that is not read from the table as it is: a form for pages whose order, conditions or place in
 * the list no single index scan serves.
 */

import type { ResolvedPlan } from '../../../rules/index.ts';
import { columnOf, keyNames } from '../model-context.ts';
import { isInNullParts, nullParts, nullPartsTable } from '../order/null-parts.ts';
import { type LoweredOrder, lowerOrder, orderSql } from '../order/order.ts';
import { conditionsOf, rootScope, withoutPosition } from './page-conditions.ts';
import { type ProbedParts, probedParts } from './probed-parts.ts';
import type { PlanContext, Scope } from '../scope.ts';
import { selectPart } from './select-part.ts';
import { columnSql, pairs, tableSql } from '../sql-names.ts';
import { type Sql, join, maxRepeated, slotCount } from '../sql-text.ts';
import { isDeep, windowSql } from './window.ts';

/** The window of the page; `reversed` is set for pages that are read backwards. */
interface Window {
  readonly limit: number;
  readonly offset: boolean;
  readonly reversed: boolean;
}

/** The tables of a FROM clause up to the root, and the condition that joins them. */
export interface PageTable {
  readonly from: Sql;
  readonly where: Sql | null;
}

/** The root table for a statement in `scope`; `null` where the page is read from the table itself. */
export function pageTable(
  scope: Scope,
  order: readonly LoweredOrder[],
  plan: ResolvedPlan,
  window: Window,
): PageTable | null {
  const { context } = scope;
  const isInParts = isInNullParts(scope, order, plan);
  if (isInParts && context.dialect.splitsNulls !== null) {
    return asRoot(scope, nullPartsTable(rootScope(context, plan.model), plan, window));
  }
  if (plan.page.mode === 'all' || keepsNullKeys(scope)) return null;
  if (repeatsTooMuch(context, plan)) return null;
  const parts = probedParts(rootScope(context, plan.model), plan);
  if (parts) return byKeys(scope, probedSelects(context, plan, window, parts));
  if (isInParts) return byKeys(scope, nullSelects(context, plan, window));
  const { deep, through } = context.dialect.looksUpLate;
  const isLate =
    (through && order[0]?.alias !== scope.root.alias) ||
    (deep && isDeep(plan) && order.some(({ isKey }) => !isKey));
  return isLate ? byKeys(scope, [partOf(context, plan, window)]) : null;
}

/** Whether the lists of a condition are too long for a statement that has each of them in two parts and two probes. */
function repeatsTooMuch(context: PlanContext, plan: ResolvedPlan): boolean {
  const conditions = conditionsOf(rootScope(context, plan.model), withoutPosition(plan), []);
  return slotCount(conditions) > maxRepeated / 4;
}

/** A table of whole rows in place of the root table. */
export const asRoot = ({ context, root }: Scope, table: Sql): PageTable => ({
  from: [table, ` as ${context.dialect.quote(root.alias)}`],
  where: null,
});

/** The rows up to a cap that meet the conditions of a plan, to be counted; `null` where one form serves. */
export function cappedRows(context: PlanContext, plan: ResolvedPlan, limit: number): Sql | null {
  if (repeatsTooMuch(context, plan)) return null;
  const parts = probedParts(rootScope(context, plan.model), plan);
  const window = { limit, offset: false, reversed: false };
  const unordered = { ...plan, order: [] };
  return parts && union(context, probedSelects(context, unordered, window, parts));
}

/** Both parts, of which one is run. */
const probedSelects = (
  context: PlanContext,
  plan: ResolvedPlan,
  window: Window,
  { isFew, isNotFew, few, walked }: ProbedParts,
): readonly Sql[] => [
  partOf(context, plan, window, { where: few, gate: isFew, isFew: true }),
  partOf(context, plan, window, { where: walked, gate: isNotFew, isFew: false }),
];

/** The first rows of each part by nulls. */
function nullSelects(context: PlanContext, plan: ResolvedPlan, window: Window): readonly Sql[] {
  const scope = rootScope(context, plan.model);
  const order = lowerOrder(scope, plan.order, window.reversed);
  const shared = conditionsOf(scope, withoutPosition(plan), order);
  const limit = windowSql(context.dialect, { limit: window.limit, offset: false });
  return nullParts(order, scope, plan).map((part) =>
    selectPart(
      scope,
      [...part.conditions, ...shared],
      [' order by ', orderSql(scope, part.order), limit],
      keysOf(scope),
    ),
  );
}

interface Part {
  readonly where: (scope: Scope) => Sql;
  /** True where the part is run. */
  readonly gate: Sql;
  /** Whether it begins with the rows that meet its condition. */
  readonly isFew: boolean;
}

/** Selects the keys of the rows of a page. */
function partOf(
  context: PlanContext,
  plan: ResolvedPlan,
  { limit, offset, reversed }: Window,
  part?: Part,
): Sql {
  const { dialect } = context;
  const scope = rootScope(context, plan.model);
  const order = lowerOrder(scope, plan.order, reversed);
  const found = conditionsOf(scope, plan, order, part?.where(scope));
  const own = part?.isFew ? dialect.probes?.own : null;
  const conditions = own ? [...found.slice(0, 1), ...found.slice(1).map(own.unserved)] : found;
  const terms = own ? order.map((term) => ({ ...term, sql: own.unread(term.sql) })) : order;
  const ordered: Sql = order.length > 0 ? [' order by ', orderSql(scope, terms)] : '';
  const columns = keysOf(scope);
  if (part && dialect.probes?.gate === 'limit') {
    const most: Sql = ['case when ', part.gate, ' then ', dialect.limit(limit), ' else 0 end'];
    const tail = [ordered, ' limit ', most, windowSql(dialect, { limit: null, offset })];
    return selectPart(scope, conditions, tail, columns);
  }
  if (part) conditions.push(part.gate);
  return selectPart(scope, conditions, [ordered, windowSql(dialect, { limit, offset })], columns);
}

const union = ({ dialect }: PlanContext, selects: readonly Sql[]): Sql =>
  join(
    selects.map((select) => dialect.unionPart(select)),
    ' union all ',
  );

/** The rows whose keys the selects find. SQLite does not change the order of a CROSS JOIN. */
function byKeys(scope: Scope, selects: readonly Sql[]): PageTable {
  const { context, root, aliases } = scope;
  const { dialect } = context;
  const found = aliases.next();
  const names = keyNames(root.model);
  return {
    from: [
      '(',
      union(context, selects),
      `) as ${dialect.quote(found)} cross join ${tableSql(context, root.model.physical.table)} as ${dialect.quote(root.alias)}`,
    ],
    where: pairs(context, found, names, root.alias, names),
  };
}

const keysOf = ({ context, root }: Scope): string[] =>
  keyNames(root.model).map((name) => columnSql(context, root.alias, name));

/** Whether rows may have no key, by which they would not be found again. */
const keepsNullKeys = ({ root: { model } }: Scope): boolean =>
  model.schema.primaryKey.some((path) => columnOf(model, path).keepsNull);
