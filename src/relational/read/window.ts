/** The rows of a window: cut to its size and turned into the order of the page, with the places of its ends. */

import type { PageRows, ResolvedPlan } from '../../rules/index.ts';
import type { WindowSize } from '../compile/compile-plan.ts';

/** Rows that the window keeps, in the order of the page; `rows` may have one more, and is changed. */
export function keptRows<T>(
  { page }: ResolvedPlan,
  { take, reversed }: Pick<WindowSize, 'take' | 'reversed'>,
  rows: T[],
): { readonly kept: T[]; readonly hasMore: boolean } {
  const hasMore = rows.length > take;
  // A list that has to be whole is refused when it is not.
  if (hasMore && page.mode === 'all') return { kept: [], hasMore };
  const kept = hasMore ? rows.slice(0, take) : rows;
  if (reversed) kept.reverse();
  return { kept, hasMore };
}

/** A keyset page of `count` rows; `place` gives the texts of a row's order values. */
export function placedPage<R>(
  rows: R[],
  hasMore: boolean,
  count: number,
  place: NonNullable<PageRows['place']>,
): PageRows<R> {
  return count === 0
    ? { rows, hasMore }
    : { rows, hasMore, first: place(0), last: place(count - 1), place };
}
