/**
 * A page whose nulls are not where the indexes of the database have them, or that begins behind a position with nulls after
 * it, as its rows with a value and those without: an index serves each of the two, and none serves both in that order. On
 * PostgreSQL, the second part is not read where the first one fills the page, and a page in the order of a row that may be
 * absent is read so as well, as on SQLite where the rows without it come last: the part with a value begins in the table of
 * that row. So is one behind a position in an order of both directions, which no bound of an index describes: the rows of
 * the first value, and those behind them.
 */

import type { KeysetPosition, ResolvedPlan } from '../../../rules/index.ts';
import { type LoweredOrder, equalFirst, keysetPredicate, lowerOrder, orderSql } from './order.ts';
import { conditionsOf, withoutPosition } from '../page/page-conditions.ts';
import type { Scope } from '../scope.ts';
import { selectPart } from '../page/select-part.ts';
import type { Sql } from '../sql-text.ts';
import { offsetOf } from '../page/window.ts';

/** Rows with a value in the first term of the order, or those without. */
type NullPart = 'present' | 'absent';

/** The parts that the rows after a position are in, in the order of reading. */
function partsAfter({ nulls }: LoweredOrder, position: KeysetPosition | null): readonly NullPart[] {
  const parts: readonly NullPart[] =
    nulls === 'first' ? ['absent', 'present'] : ['present', 'absent'];
  const [value] = position?.values ?? [];
  return value !== undefined && (value === null) === (parts[1] === 'absent')
    ? parts.slice(1)
    : parts;
}

const positionOf = ({ page }: ResolvedPlan): KeysetPosition | null =>
  (page.mode === 'keyset' && page.position) || null;

/** The order of rows that all have a value in its first term, or all have none. */
const ofOnePart = ([first, ...rest]: readonly LoweredOrder[]): readonly LoweredOrder[] =>
  first ? [{ ...first, nullable: false }, ...rest] : [];

/** The order of the rows of a part. MariaDB sorts rows without a value by it, and PostgreSQL needs it for its index. */
const inPart = (
  { context: { dialect } }: Scope,
  order: readonly LoweredOrder[],
  part: NullPart | undefined,
): readonly LoweredOrder[] =>
  part === 'absent' && order.length > 1 && (dialect.splitsNulls === null || order[0]?.isOwnNull)
    ? order.slice(1)
    : order;

/** Whether the order begins with a companion, whose index has nulls where the rules place them. */
const byCompanion = ({ context: { dialect } }: Scope, { order }: ResolvedPlan): boolean =>
  dialect.splitsNulls !== null && order[0]?.target.field?.portableOrderField !== undefined;

/**
 * The order of a page, without the place of nulls where a position leaves one part. Beside conditions through relations,
 * MariaDB would read rows without a value in the order of their keys from the end of the index to the position, so that a
 * part that `isWalked` keeps their term.
 */
export function orderOfPage(
  scope: Scope,
  order: readonly LoweredOrder[],
  plan: ResolvedPlan,
  isWalked = false,
): readonly LoweredOrder[] {
  const [first] = order;
  if (!first?.nullable || byCompanion(scope, plan)) return order;
  const [part, ...more] = partsAfter(first, positionOf(plan));
  if (more.length > 0) return order;
  const within = ofOnePart(order);
  return isWalked ? within : inPart(scope, within, part);
}

/** Whether a page begins behind a position in an order of both directions, and the family reads such parts to the page's end. */
function isMixed(
  { context: { dialect } }: Scope,
  [first, ...rest]: readonly LoweredOrder[],
  plan: ResolvedPlan,
): boolean {
  const position = positionOf(plan);
  return (
    dialect.splitsNulls !== null &&
    first !== undefined &&
    plan.order[0]?.target.hops.length === 0 &&
    !first.nullable &&
    !first.isComputed &&
    rest.some(({ direction }) => direction !== first.direction) &&
    position !== null &&
    position.values[0] !== null
  );
}

/** Whether a page is read in two parts. */
export function isInNullParts(
  scope: Scope,
  order: readonly LoweredOrder[],
  plan: ResolvedPlan,
): boolean {
  const [first] = order;
  const { splitsNulls, movesNulls, probes } = scope.context.dialect;
  if (isMixed(scope, order, plan)) return true;
  if (!first?.nullable || order.length === 1) return false;
  const isThrough = plan.order[0]?.target.hops.length !== 0;
  // An index finds rows without a value through a relation by the column that refers to it alone; others are to come last.
  const isSpared = probes?.gate === 'limit' && first.nulls === 'last';
  // Where a condition leaves few rows, these are sorted.
  const isOfAll = plan.where === null && !scope.context.scopes?.[plan.model];
  if (isThrough && !first.isOwnNull && !(isSpared && isOfAll)) return false;
  if (first.isComputed || byCompanion(scope, plan)) return false;
  const position = positionOf(plan);
  const isUsual = (first.direction === 'asc') === (first.nulls === (splitsNulls ?? 'first'));
  const isServed = !position && !isThrough && (isUsual || movesNulls);
  return !isServed && partsAfter(first, position).length === 2;
}

/** The order of each part of a page, and the conditions of its rows besides those of the request. */
export function nullParts(
  order: readonly LoweredOrder[],
  scope: Scope,
  plan: ResolvedPlan,
): readonly { readonly order: readonly LoweredOrder[]; readonly conditions: readonly Sql[] }[] {
  const [term] = order;
  if (!term) return [];
  const position = positionOf(plan);
  if (position && isMixed(scope, order, plan)) {
    const behind = keysetPredicate(scope, [term], { ...position, inclusive: false });
    const among = keysetPredicate(scope, order, position, 1);
    return [
      { order, conditions: [equalFirst(scope, order, position), among] },
      { order, conditions: [behind] },
    ];
  }
  const within = ofOnePart(order);
  const start = term.nulls === 'first' ? 1 : 0;
  return partsAfter(term, position).map((part, at) => {
    const own: Sql = part === 'absent' ? term.isNull : [term.sql, ' is not null'];
    const isAfter = at === 0 && position !== null;
    const after = isAfter ? [keysetPredicate(scope, within, position, start)] : [];
    return { order: inPart(scope, within, part), conditions: [own, ...after] };
  });
}

/** The root table of a page in two parts, in a scope of its own. */
export function nullPartsTable(
  scope: Scope,
  plan: ResolvedPlan,
  { limit, reversed }: { readonly limit: number; readonly reversed: boolean },
): Sql {
  const order = lowerOrder(scope, plan.order, reversed);
  const conditions = conditionsOf(scope, withoutPosition(plan), order);
  const [first, second] = nullParts(order, scope, plan);
  if (!first || !second) return [];
  const part = (own: typeof first, window: Sql): Sql =>
    selectPart(
      scope,
      [...own.conditions, ...conditions],
      [' order by ', orderSql(scope, own.order), window],
    );
  const isSkipping = plan.page.mode === 'offset' && plan.page.offset > 0;
  const offset = offsetOf(plan);
  // The rows of the first part are counted only where none of them is on the page.
  const skipped: Sql = [
    ' offset case when exists (select 1 from "first part") then 0 else greatest(0, ',
    offset,
    ' - (select count(*) from (',
    selectPart(scope, [...first.conditions, ...conditions]),
    ') as passed)) end',
  ];
  // With a limit that is known, the planner reads the second part along its order.
  const isFilled = `(select count(*) from "first part") < ${limit}`;
  const rest =
    plan.page.mode === 'keyset'
      ? part({ ...second, conditions: [...second.conditions, isFilled] }, ` limit ${limit}`)
      : part(second, [
          ` limit ${limit} - (select count(*) from "first part")`,
          isSkipping ? skipped : '',
        ]);
  return [
    '(with "first part" as materialized (',
    part(first, [` limit ${limit}`, isSkipping ? [' offset ', offset] : '']),
    '), "second part" as materialized (',
    rest,
    // The limit tells the planner how few rows it joins with others.
    `) select * from "first part" union all select * from "second part" limit ${2 * limit})`,
  ];
}
