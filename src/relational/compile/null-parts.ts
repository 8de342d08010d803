/**
 * A page whose nulls are not where the indexes of the database have them, as its rows with a value and those without, in the
 * order of the page: an index serves each of the two, and none serves both in that order. The second part is not read where
 * the first one fills the page.
 */

import type { KeysetPosition, ResolvedPlan } from '../../rules/index.ts';
import { type LoweredOrder, keysetPredicate, orderSql } from './order.ts';
import type { Scope } from './scope.ts';
import { selectPart } from './select-part.ts';
import type { Sql } from './sql-text.ts';

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

/** Whether the order begins with a companion, whose index has nulls where the rules place them. */
const byCompanion = ({ context: { dialect } }: Scope, { order }: ResolvedPlan): boolean =>
  dialect.splitsNulls !== null && order[0]?.target.field?.portableOrderField !== undefined;

/** The order of a page, without the place of nulls where a position leaves one part. */
export function orderOfPage(
  scope: Scope,
  order: readonly LoweredOrder[],
  plan: ResolvedPlan,
): readonly LoweredOrder[] {
  const [first] = order;
  return first?.nullable &&
    !byCompanion(scope, plan) &&
    partsAfter(first, positionOf(plan)).length === 1
    ? ofOnePart(order)
    : order;
}

/** Whether a page is read in two parts. */
export function isInNullParts(
  scope: Scope,
  order: readonly LoweredOrder[],
  plan: ResolvedPlan,
): boolean {
  const [first] = order;
  const { splitsNulls } = scope.context.dialect;
  if (!first?.nullable || splitsNulls === null || order.length === 1) return false;
  // No index finds rows without a value through a relation.
  if (plan.order[0]?.target.hops.length !== 0 || byCompanion(scope, plan)) return false;
  const isUsual = (first.direction === 'asc') === (first.nulls === splitsNulls);
  return !isUsual && partsAfter(first, positionOf(plan)).length === 2;
}

/** The root table of a page in two parts, in a scope of its own; `conditions` are those of all rows. */
export function nullPartsTable(
  scope: Scope,
  plan: ResolvedPlan,
  order: readonly LoweredOrder[],
  conditions: readonly Sql[],
  limit: number,
): Sql {
  const [term] = order;
  if (!term) return [];
  const position = positionOf(plan);
  const [before, after] = partsAfter(term, position).map((part): Sql =>
    part === 'absent' ? term.isNull : `${term.sql} is not null`,
  );
  const within = ofOnePart(order);
  const start = term.nulls === 'first' ? 1 : 0;
  const beyond = position ? [keysetPredicate(scope, within, position, start)] : [];
  const inOrder = orderSql(scope, within);
  const part = (conditions: readonly Sql[], window: Sql): Sql =>
    selectPart(scope, conditions, [' order by ', inOrder, window]);
  const isSkipping = plan.page.mode === 'offset' && plan.page.offset > 0;
  const offset: Sql = { read: (inputs) => inputs.offset };
  // The rows of the first part are counted only where none of them is on the page.
  const skipped: Sql = [
    ' offset case when exists (select 1 from "first part") then 0 else greatest(0, ',
    offset,
    ' - (select count(*) from (',
    selectPart(scope, [before ?? '', ...conditions]),
    ') as passed)) end',
  ];
  return [
    '(with "first part" as materialized (',
    part(
      [before ?? '', ...conditions, ...beyond],
      [` limit ${limit}`, isSkipping ? [' offset ', offset] : ''],
    ),
    '), "second part" as materialized (',
    part(
      [after ?? '', ...conditions],
      [` limit ${limit} - (select count(*) from "first part")`, isSkipping ? skipped : ''],
    ),
    ') select * from "first part" union all select * from "second part")',
  ];
}
