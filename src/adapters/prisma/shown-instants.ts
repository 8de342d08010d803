/**
 * Conditions on instants of columns that are finer than the client's milliseconds. A plan compares the millisecond that
 * is shown, Prisma the stored instant; each is written as a range in the terms of the other.
 */

import type { OperatorRow, PlanValue, Predicate } from '../../rules/index.ts';
import { clientValue } from './exactness.ts';
import type { ClientField } from './client-model.ts';
import type { Where } from './where.ts';

type Compared = Extract<OperatorRow, { readonly need: 'equality' | 'order' }>;

const lastYear = 9999;

/** The condition of a plan in Prisma's terms; `undefined` if no filter is exact. */
export function shownWhere(
  field: ClientField,
  row: Compared,
  value: PlanValue | readonly PlanValue[],
): Where | undefined {
  const { path } = field.descriptor;
  const starts: Date[] = [];
  for (const each of new Array<PlanValue>().concat(value)) {
    const start = clientValue(field, each);
    if (!(start instanceof Date)) return undefined;
    starts.push(start);
  }
  const ends = starts.map((start) => new Date(start.getTime() + 1));
  if (ends.some((end) => end.getUTCFullYear() > lastYear)) return undefined;
  const within = (at: number): Where => ({ [path]: { gte: starts[at], lt: ends[at] } });
  const beside = (at: number): Where => ({
    OR: [{ [path]: { lt: starts[at] } }, { [path]: { gte: ends[at] } }],
  });
  if (row.comparison === 'range') return { [path]: { gte: starts[0], lt: ends[1] } };
  if (row.comparison === 'order') {
    if (row.rounds === 'up') return { [path]: { [row.filterKey]: starts[0] } };
    return { [path]: row.sql === '>' ? { gte: ends[0] } : { lt: ends[0] } };
  }
  const each = starts.map((_, at) => (row.negated ? beside(at) : within(at)));
  return row.negated ? { AND: each } : { OR: each };
}

/** A filter of Prisma as the predicate of a plan, with instants in milliseconds. */
export function storedPredicate(
  path: string,
  row: Exclude<Compared, { readonly comparison: 'range' }>,
  values: readonly PlanValue[],
): Predicate {
  const compare = (operator: 'gte' | 'lt', value: PlanValue): Predicate => ({
    type: 'condition',
    path,
    operator,
    value,
  });
  // No family stores an instant between this one and the value.
  const next = (value: PlanValue): string => `${String(value).slice(0, -1)}001Z`;
  const first = values[0] ?? '';
  if (row.comparison === 'order') {
    if (row.rounds === 'up') return compare(row.filterKey === 'gte' ? 'gte' : 'lt', first);
    return compare(row.sql === '>' ? 'gte' : 'lt', next(first));
  }
  const each = values.map((value): Predicate => {
    const predicates = row.negated
      ? [compare('lt', value), compare('gte', next(value))]
      : [compare('gte', value), compare('lt', next(value))];
    return { type: row.negated ? 'or' : 'and', predicates };
  });
  return { type: row.negated ? 'and' : 'or', predicates: each };
}
