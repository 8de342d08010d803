/** The window of a page in its statement. */

import type { ResolvedPlan } from '../../../rules/index.ts';
import type { Dialect } from '../dialect.ts';
import type { Slot, Sql } from '../sql-text.ts';

/** The window of a page, in rows of its statement. */
export interface WindowSize {
  /** Largest number of rows that the page keeps. */
  readonly take: number;
  /** Whether one more row is read, to find out whether rows follow. */
  readonly lookahead: boolean;
  /** Whether rows are read in reverse order and reversed afterwards. */
  readonly reversed: boolean;
}

/** The window of a page as its statement has it; `reversed` is set for pages that are read backwards. */
export interface PageWindow {
  readonly limit: number;
  readonly offset: boolean;
  readonly reversed: boolean;
}

export function windowOf({ page, count }: ResolvedPlan): WindowSize {
  const reversed = page.mode === 'keyset' && page.position?.direction === 'before';
  if (page.mode === 'all') return { take: page.maxRows, lookahead: true, reversed };
  const lookahead = page.mode === 'keyset' || count.type === 'none';
  return { take: page.perPage, lookahead, reversed };
}

/** Skipped rows from which on a page is deep in its list. */
const deepOffset = 1000;

/** Whether a page by number is deep in its list, where whole rows should not be read before it. */
export const isDeep = ({ page }: ResolvedPlan): boolean =>
  page.mode === 'offset' && page.offset >= deepOffset;

/**
 * The rows that a page skips. Deep in a list their number decides between the order and the rows that meet a condition: one
 * plan for all numbers reads the list to its end along the order.
 */
export const offsetOf = (plan: ResolvedPlan): Slot => ({
  read: (inputs) => inputs.offset,
  ...(isDeep(plan) && { steersPlan: true }),
});

/** The limit and offset at the end of a statement; empty where it has none. */
export function windowSql(
  dialect: Dialect,
  { limit, offset }: { readonly limit: number | null; readonly offset: boolean | Slot },
): Sql {
  const sql: Sql[] = [];
  if (limit !== null) sql.push(' limit ', dialect.limit(limit));
  if (offset) sql.push(' offset ', offset === true ? { read: (inputs) => inputs.offset } : offset);
  return sql;
}
