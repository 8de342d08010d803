/**
 * The root table of a page that is not read from the table as it is: a form for pages whose order, conditions or place in
 * the list no single index scan serves.
 */

import type { ProjectionNode, ResolvedPlan } from '../../../rules/index.ts';
import { columnOf, keyNames } from '../model-context.ts';
import { isInNullParts, nullParts, nullPartsTable, orderOfPage } from '../order/null-parts.ts';
import { type LoweredOrder, lowerOrder, orderSql } from '../order/order.ts';
import { conditionsOf, rootScope, withoutPosition } from './page-conditions.ts';
import { requiredConditions } from '../asked-conditions.ts';
import { type ProbedParts, foundTable, probedParts } from './probed-parts.ts';
import type { PlanContext, Scope } from '../scope.ts';
import { selectPart } from './select-part.ts';
import { keySql, pairs, tableSql } from '../sql-names.ts';
import {
  type Slot,
  type Sql,
  type StatementInputs,
  join,
  maxRepeated,
  slotCount,
} from '../sql-text.ts';
import { type PageWindow, isDeep, offsetOf, windowSql } from './window.ts';

/** The window of a part, whose limit may depend on the request. */
interface PartWindow extends Pick<PageWindow, 'offset' | 'reversed'> {
  readonly limit: number | Slot;
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
  window: PageWindow,
): PageTable | null {
  const { context } = scope;
  const isInParts = isInNullParts(scope, order, plan);
  if (isInParts && context.dialect.splitsNulls !== null) {
    return asRoot(scope, nullPartsTable(rootScope(context, plan.model), plan, window));
  }
  if (plan.page.mode === 'all' || keepsNullKeys(scope)) return null;
  if (repeatsTooMuch(context, plan)) return null;
  const sides = isInParts ? ([0, 1] as const) : [undefined];
  const walk = isInParts ? null : window;
  const probed = probedParts(rootScope(context, plan.model), plan, walk);
  const { before, parts }: Parts = probed
    ? probedSelects(context, probed, sides)
    : {
        before: '',
        parts: sides.map((side) => ({ where: null, isGated: false, side, isFew: false })),
      };
  if (isInParts && window.offset) {
    return byKeys(scope, mergedSelects(scope, plan, window, { before, parts }));
  }
  const { deep, through, behind, scoped } = context.dialect.looksUpLate;
  const isLate =
    parts.length > 1 ||
    (through && order[0]?.alias !== scope.root.alias) ||
    (deep && isDeep(plan)) ||
    (behind && isBehindEquality(plan)) ||
    (scoped && isSortedScope(scope, plan)) ||
    computesValues(plan, order);
  const selects = () => parts.map((part) => partOf(context, plan, window, part));
  return isLate ? byKeys(scope, [before, union(context, selects())]) : null;
}

/** Whether values over relations are selected, which are worked out for the rows of the page only. */
const computesValues = ({ page, projection }: ResolvedPlan, order: readonly LoweredOrder[]) =>
  showsAggregates(projection) ||
  (page.mode === 'keyset' && order.some(({ isComputed }) => isComputed));

const showsAggregates = ({ aggregates, relations }: ProjectionNode): boolean =>
  aggregates !== undefined ||
  relations.some(({ cardinality, node }) => cardinality === 'one' && showsAggregates(node));

const isBehind = ({ page }: ResolvedPlan): boolean =>
  page.mode === 'keyset' && page.position !== null;

/** Whether the page begins behind a position among rows whose field equals a value, by the request or its scope. */
const isBehindEquality = (plan: ResolvedPlan): boolean =>
  isBehind(plan) &&
  [plan.where, plan.scopes?.[plan.model] ?? null]
    .flatMap(requiredConditions)
    .some(
      ({ row, target }) =>
        row.comparison === 'equality' && !row.negated && target.hops.length === 0,
    );

/** Whether the rows of a scope have an order of their own, in which the index of the scope does not have them. */
const isSortedScope = ({ root, context }: Scope, { order }: ResolvedPlan): boolean => {
  const { model, primaryKey } = root.model.schema;
  return Boolean(context.scopes?.[model]) && order[0]?.path !== primaryKey[0];
};

/** Whether the lists of a condition are too long for a statement that has each of them in several parts and probes. */
function repeatsTooMuch(context: PlanContext, plan: ResolvedPlan): boolean {
  const conditions = conditionsOf(rootScope(context, plan.model), withoutPosition(plan), []);
  return slotCount(conditions) > maxRepeated / 8;
}

/** A table of whole rows in place of the root table. */
export const asRoot = ({ context, root }: Scope, table: Sql): PageTable => ({
  from: [table, ` as ${context.dialect.quote(root.alias)}`],
  where: null,
});

/** The rows up to a cap that meet the conditions of a plan, to be counted; `null` where one form serves. */
export function cappedRows(context: PlanContext, plan: ResolvedPlan, limit: number): Sql | null {
  if (repeatsTooMuch(context, plan)) return null;
  const unordered = { ...plan, order: [] };
  const parts = probedParts(rootScope(context, plan.model), unordered, null);
  const window = { limit, offset: false, reversed: false };
  if (!parts) return null;
  const selects = probedSelects(context, parts, [undefined]);
  return [
    selects.before,
    union(
      context,
      selects.parts.map((part) => partOf(context, unordered, window, part)),
    ),
  ];
}

/** A part of a page: rows that meet a condition in place of the plan's, where its gate is true, with or without nulls. */
interface Part {
  readonly where: ((scope: Scope) => Sql) | null;
  /** Whether it is run by the gate. */
  readonly isGated: boolean;
  /** Which of the parts by nulls it is; `undefined` where it is both. */
  readonly side: 0 | 1 | undefined;
  /** Whether it begins with the rows that meet its condition. */
  readonly isFew: boolean;
  /** Whether a probe has found the keys of these rows. */
  readonly isFound?: boolean;
}

/** The parts of a page, and the SQL before their union. */
interface Parts {
  readonly before: Sql;
  readonly parts: readonly Part[];
}

/** Name of the table with the gate, which hides one of a host that has this name. */
const gateTable = 'sluice gate';

/** The parts of which one is run: from the few rows that are found first, or along the order. The gate has one row. */
const probedSelects = (
  { dialect }: PlanContext,
  { found, isFew, few, walked }: ProbedParts,
  sides: readonly Part['side'][],
): Parts => ({
  before: [
    found ? [found, ', '] : 'with ',
    `${dialect.quote(gateTable)}(few) as (select `,
    isFew,
    ') ',
  ],
  parts: [
    { where: few, isGated: true, side: undefined, isFew: true, isFound: found !== null },
    ...sides.map((side) => ({ where: walked, isGated: true, side, isFew: false })),
  ],
});

/** Selects the keys of the rows of a part, and `more` columns. */
function partOf(
  context: PlanContext,
  plan: ResolvedPlan,
  window: PartWindow,
  part: Part,
  more: (order: readonly LoweredOrder[]) => readonly Sql[] = () => [],
): Sql {
  const { dialect } = context;
  const { limit, offset, reversed } = window;
  const { isGated, side } = part;
  const scope = rootScope(context, plan.model);
  const whole = lowerOrder(scope, plan.order, reversed);
  const own = side === undefined ? undefined : nullParts(whole, scope, plan)[side];
  const kept = own ? withoutPosition(plan) : plan;
  const terms = own?.order ?? orderOfPage(scope, whole, plan, isGated);
  const found = [
    ...(own?.conditions ?? []),
    ...conditionsOf(scope, kept, whole, part.where?.(scope)),
  ];
  const unread = part.isFew ? dialect.probes?.own : null;
  const names = keyNames(scope.root.model);
  const conditions = [
    ...(unread
      ? found.map((sql, at) => (at > 0 ? unread.unserved(sql, at === 1 && isBehind(plan)) : sql))
      : found),
    ...(part.isFound ? [pairs(context, foundTable, names, scope.root.alias, names)] : []),
  ];
  const order = unread
    ? terms.map((term) => ({ ...term, sql: unread.unread(term.sql, term.column) }))
    : terms;
  const ordered: Sql = order.length > 0 ? [' order by ', orderSql(scope, order)] : '';
  const columns = [...keySql(context, scope.root), ...more(whole)];
  const rest: Sql = typeof limit === 'number' ? dialect.limit(limit) : limit;
  const isLimited = dialect.probes?.gate === 'limit';
  // The other part may have filled the page.
  const first = (): Sql => partOf(context, plan, window, { ...part, isGated: false, side: 0 });
  const most: Sql =
    isLimited && side === 1 ? [rest, ' - (select count(*) from (', first(), '))'] : rest;
  const skipped = windowSql(dialect, { limit: null, offset: offset && offsetOf(plan) });
  const gate = dialect.quote(gateTable);
  const not = part.isFew ? '' : 'not ';
  const before = part.isFound ? [dialect.quote(foundTable)] : [];
  if (isGated && isLimited) {
    const gated: Sql = [`case when ${not}(select few from ${gate}) then `, most, ' else 0 end'];
    return selectPart(scope, conditions, [ordered, ' limit ', gated, skipped], columns, before);
  }
  const tail: Sql = [ordered, ' limit ', most, skipped];
  return isGated
    ? selectPart(scope, [`${not}${gate}.few`, ...conditions], tail, columns, [gate, ...before])
    : selectPart(scope, conditions, tail, columns);
}

/** The first rows of each part up to the end of a page by number, and of these the rows of the page. */
function mergedSelects(
  { context, aliases }: Scope,
  plan: ResolvedPlan,
  { limit, offset, reversed }: PageWindow,
  { before, parts }: Parts,
): Sql {
  const { dialect } = context;
  const scope = rootScope(context, plan.model);
  const order = lowerOrder(scope, plan.order, reversed);
  const names = order.map((_, at) => dialect.quote(`o${at}`));
  const upTo = {
    limit: { read: (inputs: StatementInputs) => inputs.offset + limit },
    offset: false,
    reversed,
  };
  const selects = parts.map((part) =>
    partOf(context, plan, upTo, part, () =>
      order.map(({ sql }, at): Sql => [sql, ` as ${names[at]}`]),
    ),
  );
  const terms = order.map((term, at) => dialect.orderBy(names[at] ?? '', term, term.nullable));
  return [
    'select * from (',
    before,
    union(context, selects),
    `) as ${dialect.quote(aliases.next())} order by `,
    join(terms, ', '),
    windowSql(dialect, { limit, offset }),
  ];
}

const union = ({ dialect }: PlanContext, selects: readonly Sql[]): Sql =>
  selects.length === 1
    ? (selects[0] ?? '')
    : join(
        selects.map((select) => dialect.unionPart(select)),
        ' union all ',
      );

/** The rows whose keys a select finds. SQLite does not change the order of a CROSS JOIN. */
function byKeys(scope: Scope, keys: Sql): PageTable {
  const { context, root, aliases } = scope;
  const { dialect } = context;
  const found = aliases.next();
  const names = keyNames(root.model);
  return {
    from: [
      '(',
      keys,
      `) as ${dialect.quote(found)} cross join ${tableSql(context, root.model.physical.table)} as ${dialect.quote(root.alias)}`,
    ],
    where: pairs(context, found, names, root.alias, names),
  };
}

/** Whether rows may have no key, by which they would not be found again. */
const keepsNullKeys = ({ root: { model } }: Scope): boolean =>
  model.schema.primaryKey.some((path) => columnOf(model, path).keepsNull);
