/** Pages of rows that pass a test outside the database: batches are read until the page is full. */

import type { PageRows, PageWindow, PreparedRead, QuerySource } from '../../../rules/index.ts';

/** Minimum number of rows per batch. */
const minBatchRows = 50;
/** Maximum number of batches per page. */
const maxBatches = 5;

type KeysetWindow = Extract<PageWindow, { mode: 'keyset' }>;
type KeyPosition = readonly (string | null)[];

/** The rows examined for a page, in the direction of travel. */
interface Examined<Row> {
  readonly shown: { readonly row: Row; readonly place: KeyPosition }[];
  /** The first and the last examined row, shown or not. */
  nearest: KeyPosition | undefined;
  farthest: KeyPosition | undefined;
}

/** Examines the rows of a batch; true when the page is full and more rows follow. */
function examine<Row>(
  batch: PageRows<Row>,
  backwards: boolean,
  perPage: number,
  shown: readonly boolean[],
  examined: Examined<Row>,
): boolean {
  const { rows, place } = batch;
  for (let step = 0; step < rows.length; step += 1) {
    const index = backwards ? rows.length - 1 - step : step;
    const row = rows[index];
    const at = place?.(index);
    if (row === undefined || !at) continue;
    if (shown[index]) {
      if (examined.shown.length === perPage) return true;
      examined.shown.push({ row, place: at });
    }
    examined.nearest ??= at;
    examined.farthest = at;
  }
  return false;
}

/**
 * The source, with keyset pages of the rows that pass `shows`. When almost no rows pass, a page may be short although
 * more follow; its cursor then refers to the last examined row.
 */
export function filteredPages<Row, Customize>(
  source: QuerySource<Row, Customize>,
  shows: (rows: readonly Row[]) => Promise<readonly boolean[]>,
): QuerySource<Row, Customize> {
  return {
    ...source,
    prepare(plan, rules, options) {
      const { page } = plan;
      if (page.mode !== 'keyset') throw new TypeError('Only keyset pages can be filtered.');
      const { perPage } = page;
      const backwards = page.position?.direction === 'before';
      const direction = backwards ? 'before' : 'after';
      const batch = (position: KeysetWindow['position']) =>
        source
          .prepare(
            { ...plan, page: { ...page, perPage: Math.max(perPage + 1, minBatchRows), position } },
            rules,
            options,
          )
          .rows();
      const read: PreparedRead<Row> = {
        concurrent: false,
        countKey: '',
        count: () => Promise.reject(new TypeError('Filtered pages cannot be counted.')),
        async rows() {
          const examined: Examined<Row> = { shown: [], nearest: undefined, farthest: undefined };
          let { position } = page;
          let full = false;
          let more = true;
          for (let round = 0; more && !full && round < maxBatches; round += 1) {
            const found = await batch(position);
            full = examine(found, backwards, perPage, await shows(found.rows), examined);
            more = found.hasMore;
            const { farthest } = examined;
            if (farthest) {
              const values = farthest.map((value) => value ?? null);
              position = { direction, inclusive: false, values };
            }
          }
          return pageOf(examined, backwards, full, more);
        },
      };
      return read;
    },
  };
}

/** Cursors refer to shown rows, or to examined rows that are not shown if no row is shown. */
function pageOf<Row>(
  { shown, nearest, farthest }: Examined<Row>,
  backwards: boolean,
  full: boolean,
  more: boolean,
): PageRows<Row> {
  const rows = shown.map(({ row }) => row);
  const hasMore = full || more;
  const gaveUp = more && !full;
  const near = shown[0]?.place ?? (gaveUp ? nearest : undefined);
  const far = gaveUp ? farthest : shown.at(-1)?.place;
  if (!near || !far) return { rows, hasMore };
  return backwards
    ? { rows: rows.reverse(), hasMore, first: far, last: near }
    : { rows, hasMore, first: near, last: far };
}
