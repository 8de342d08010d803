/** Rows and their count with the fewest statements: no count where the page itself determines the total. */

import { BoundedCache } from '../../lib/index.ts';
import type { PageWindow } from '../plan/plan.ts';
import type { PageRows, PreparedRead } from './source.ts';
import { textHash } from '../plan/text-hash.ts';

/** Milliseconds that the rows of a first page may take before the count is started concurrently. */
const patienceMs = 20;

/** Last totals by a hash of the predicate, used only to predict whether a count will be needed. */
const forecasts = new WeakMap<object, BoundedCache<string, number>>();

function forecast(owner: object): BoundedCache<string, number> {
  let found = forecasts.get(owner);
  if (!found) {
    found = new BoundedCache(1000);
    forecasts.set(owner, found);
  }
  return found;
}

/** The total where the page determines it: the page is not full and not past the end. */
function shownTotal(
  { offset, perPage }: Extract<PageWindow, { mode: 'offset' }>,
  rows: number,
): number | null {
  return rows < perPage && (rows > 0 || offset === 0) ? offset + rows : null;
}

/**
 * Reads the rows and, unless they determine the total, the count. Where the source can run both concurrently, the count
 * starts with the rows if the same predicate filled the page last time, and otherwise after `patienceMs`; so fast last
 * pages cost one statement, and slow pages take as long as the slower of the two.
 */
export async function countedRows<R>(
  owner: object,
  read: PreparedRead<R>,
  window: Extract<PageWindow, { mode: 'offset' }>,
): Promise<{ readonly page: PageRows<R>; readonly total: number }> {
  const totals = forecast(owner);
  const key = read.concurrent ? textHash(read.countKey) : '';
  const expected = read.concurrent ? totals.get(key) : undefined;
  const certain = expected !== undefined && expected >= window.offset + window.perPage;
  let count: Promise<number> | null = null;
  const start = () => {
    count = read.count();
    // When the rows fail first, the count is not awaited and its rejection must not be unhandled.
    count.catch(() => undefined);
  };
  const rows = read.rows();
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (certain) start();
  else if (read.concurrent && expected === undefined) timer = setTimeout(start, patienceMs);
  let page: PageRows<R>;
  try {
    page = await rows;
  } finally {
    clearTimeout(timer);
  }
  const started = count as Promise<number> | null;
  const shown = shownTotal(window, page.rows.length);
  const total = shown ?? (await (started ?? read.count()));
  if (read.concurrent) totals.set(key, total);
  return { page, total };
}
