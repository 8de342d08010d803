/**
 * Pages of a search in bounded time: first as one statement, which an index may serve; if that takes too long, the rows
 * are examined in windows of the order until the page is full or the time is over. The page's cursor continues there.
 */

import {
  type CompiledQueryRules,
  type PageRows,
  type PageWindow,
  type Predicate,
  type PreparedRead,
  type QuerySource,
  type ResolvedPlan,
  type ResolvedPredicate,
  resolvePredicate,
} from '../../../rules/index.ts';
import { kindRow } from '../../../schema/index.ts';
import { examinedRows } from './listing-rules.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { isInJson } from './text-filters.ts';

type KeysetWindow = Extract<PageWindow, { mode: 'keyset' }>;
type Place = readonly (string | null)[];

export interface SearchTime {
  /** Milliseconds for the one statement; 0 where the channel cannot end it. */
  readonly whole: number;
  /** Milliseconds after which no further window begins. */
  readonly all: number;
}

/** Whether the predicate looks into JSON, which windows leave to their second statement. */
function looksInto(predicate: ResolvedPredicate): boolean {
  if (predicate.type === 'condition') return isInJson(predicate.path);
  return predicate.predicates.some(looksInto);
}

/** The conditions that every row meets, also of nested conjunctions, as hosts add them. */
function membersOf(predicate: ResolvedPredicate | null): readonly ResolvedPredicate[] {
  if (predicate === null) return [];
  return predicate.type === 'and' ? predicate.predicates.flatMap(membersOf) : [predicate];
}

/** The later of two places in an order by time and id, both in one direction. */
function later(a: Place, b: Place, descending: boolean): Place {
  const sign = descending ? -1 : 1;
  for (const [index, text] of a.entries()) {
    const left = text ?? '';
    const right = b[index] ?? '';
    if (left !== right) return (left < right ? -1 : 1) * sign > 0 ? a : b;
  }
  return a;
}

/** The source, with forward pages of plans that look into JSON read in bounded time. `examined` counts their rows. */
export function windowedPages<Row, Customize>(
  source: QuerySource<Row, Customize>,
  { whole, all }: SearchTime,
  examined: (rows: number) => void,
): QuerySource<Row, Customize> {
  return {
    ...source,
    prepare(plan, rules, options) {
      const { page } = plan;
      const members = membersOf(plan.where);
      if (page.mode !== 'keyset' || !members.some(looksInto)) {
        return source.prepare(plan, rules, options);
      }
      const read: PreparedRead<Row> = {
        concurrent: false,
        countKey: '',
        count: () => Promise.reject(new TypeError('A search is not counted.')),
        async rows() {
          const end = performance.now() + all;
          if (whole > 0) {
            try {
              return await source.prepare(plan, rules, { ...options, timeoutMs: whole }).rows();
            } catch (error) {
              if (!isTimeout(error)) throw error;
            }
          }
          const rowsOf = (where: readonly ResolvedPredicate[], window: KeysetWindow) =>
            source
              .prepare(
                { ...plan, where: { type: 'and', predicates: where }, page: window },
                rules,
                options,
              )
              .rows();
          return inWindows(plan, page, rules, members, rowsOf, end, examined);
        },
      };
      return read;
    },
  };
}

/** Limits a plan to a window, by its last time or, where no condition can name that, such as `infinity`, by its ids. */
function within<Row>({ rows, place }: PageRows<Row>, last: Place, descending: boolean): Predicate {
  const [time] = last;
  if (time && kindRow('datetime').coerce(time) !== undefined) {
    const operator = descending ? 'gte' : 'lte';
    return { type: 'condition', path: 'createdOn', operator, value: time };
  }
  const ids = rows.flatMap((_row, index) => place?.(index)[1] ?? []);
  return { type: 'condition', path: 'id', operator: 'in', value: ids };
}

async function inWindows<Row>(
  plan: ResolvedPlan,
  page: KeysetWindow,
  rules: CompiledQueryRules,
  members: readonly ResolvedPredicate[],
  rowsOf: (where: readonly ResolvedPredicate[], window: KeysetWindow) => Promise<PageRows<Row>>,
  end: number,
  examined: (rows: number) => void,
): Promise<PageRows<Row>> {
  const descending = plan.order[0]?.direction === 'desc';
  const plain = members.filter((member) => !looksInto(member));
  const found: { readonly row: Row; readonly place: Place }[] = [];
  let { position } = page;
  let last: Place | undefined;
  let hasMore = true;
  while (hasMore && found.length < page.perPage) {
    const window = await rowsOf(plain, { ...page, perPage: examinedRows, position });
    hasMore = window.hasMore;
    const { last: bound } = window;
    if (!bound) break;
    const until = resolvePredicate(rules, within(window, bound, descending));
    const perPage = page.perPage - found.length;
    const matching = await rowsOf([...members, until], { ...page, perPage, position });
    for (const [index, row] of matching.rows.entries()) {
      found.push({ row, place: matching.place?.(index) ?? [] });
    }
    examined(window.rows.length);
    last = bound;
    if (matching.hasMore) {
      hasMore = true;
      last = matching.last;
    } else if (matching.last) {
      // Rows of the time of the bound may lie behind it.
      last = later(bound, matching.last, descending);
    }
    position = { direction: 'after', inclusive: false, values: [...(last ?? [])] };
    if (performance.now() > end) break;
  }
  const rows = found.map(({ row }) => row);
  const first = found[0]?.place ?? last;
  if (!first || !last) return { rows, hasMore: false };
  return { rows, hasMore, first, last, place: (index) => found[index]?.place ?? [] };
}
