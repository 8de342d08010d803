/** The results of a list endpoint, and how they are assembled from rows, counts and cursors. */

import { encodeCursor } from '../plan/cursor.ts';
import type { CompiledQueryRules } from '../declare/compiled.ts';
import type { PageWindow } from '../plan/plan.ts';
import type { PageRows, Row } from './source.ts';

/**
 * An offset page. `page` counts from 1. `total` and `lastPage` are absent under count `none`, where `hasNextPage` is
 * present.
 */
export interface OffsetResult<R = Row> {
  readonly data: R[];
  readonly page: number;
  readonly perPage: number;
  readonly total?: number;
  readonly lastPage?: number;
  /** `true` when `total` stopped at the cap. */
  readonly totalCapped?: true;
  readonly hasNextPage?: boolean;
}

/** The result of `paginate=false`: all rows. */
export interface UnpaginatedResult<R = Row> {
  readonly data: R[];
}

/** A keyset page. A cursor is `null` if its direction has no further page. */
export interface KeysetResult<R = Row> {
  readonly data: R[];
  readonly perPage: number;
  readonly nextCursor: string | null;
  readonly prevCursor: string | null;
}

/** The result of a list endpoint; its form depends on how the request is paginated. */
export type ListResult<R = Row> = OffsetResult<R> | UnpaginatedResult<R> | KeysetResult<R>;

/** A keyset page with the cursors of its neighbours. */
export function keysetResult<R>(
  rules: Pick<CompiledQueryRules, 'cursors'>,
  window: Extract<PageWindow, { mode: 'keyset' }>,
  page: PageRows<R>,
): KeysetResult<R> {
  const { position, perPage, binding } = window;
  const backwards = position?.direction === 'before';
  const hasNext = backwards || page.hasMore;
  const hasPrev = backwards ? page.hasMore : position !== null;
  const { first, last } = page;
  if (!first || !last) {
    // The page is empty, so the page in the opposite direction begins at the position itself.
    const back =
      position &&
      encodeCursor(
        rules,
        binding,
        backwards ? 'after' : 'before',
        !position.inclusive,
        position.values.map((value) => (value === null ? null : String(value))),
      );
    return {
      data: page.rows,
      perPage,
      nextCursor: backwards ? back : null,
      prevCursor: backwards ? null : back,
    };
  }
  return {
    data: page.rows,
    perPage,
    nextCursor: hasNext ? encodeCursor(rules, binding, 'after', false, last) : null,
    prevCursor: hasPrev ? encodeCursor(rules, binding, 'before', false, first) : null,
  };
}

/** The last page of a total; at least 1. */
export function lastPage(total: number, perPage: number): number {
  return Math.max(1, Math.ceil(total / perPage));
}
