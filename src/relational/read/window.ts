/** Cuts the rows of a window to its size, puts them in the order of the page, and adds the order values of its ends. */

import type { PageRows, ResolvedPlan } from '../../rules/index.ts';
import type { WindowSize } from '../compile/page/window.ts';

/** The rows of the page in its order. `rows` may contain one more row, and may be reversed in place. */
export function keptRows<T>(
  { page }: ResolvedPlan,
  { take, reversed }: Pick<WindowSize, 'take' | 'reversed'>,
  rows: T[],
): { readonly kept: T[]; readonly hasMore: boolean } {
  const hasMore = rows.length > take;
  // A list that must be complete is refused when it is not.
  if (hasMore && page.mode === 'all') return { kept: [], hasMore };
  const kept = hasMore ? rows.slice(0, take) : rows;
  if (reversed) kept.reverse();
  return { kept, hasMore };
}

/** A keyset page of `count` rows; `place` returns the order values of a row as texts. */
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
