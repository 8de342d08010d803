/** Rows and their count with the fewest statements: no count where the page itself determines the total. */

import { BoundedCache } from '../../lib/index.ts';
import type { PageWindow } from '../plan/plan.ts';
import type { CountedRows, PreparedRead } from './source.ts';
import { textHash } from '../plan/cursor/text-hash.ts';

/** Milliseconds that the rows of a first page may take before the count is started concurrently. */
const patienceMs = 20;

/** Milliseconds from which a count is worth a connection of its own. */
const slowMs = 4;

/** Facts of a predicate since its last count. */
interface Forecast {
  readonly total: number;
  readonly isSlow: boolean;
}

/** By predicate or its hash; used only to predict whether a count will be needed, and how it runs best. */
const forecasts = new WeakMap<object, BoundedCache<string, Forecast>>();

function forecastsOf(owner: object): BoundedCache<string, Forecast> {
  let found = forecasts.get(owner);
  if (!found) {
    found = new BoundedCache(1000);
    forecasts.set(owner, found);
  }
  return found;
}

type OffsetWindow = Extract<PageWindow, { mode: 'offset' }>;

/** The total where the page determines it: the page is not full and not past the end. */
function shownTotal({ offset, perPage }: OffsetWindow, rows: number): number | null {
  return rows < perPage && (rows > 0 || offset === 0) ? offset + rows : null;
}

/** Longest text of a predicate that is a key itself. */
const mostKept = 200;

/** The key of a predicate: longer ones do not take memory for their values. */
const keyOf = (predicate: string): string =>
  predicate.length > mostKept ? textHash(predicate) : predicate;

/** Milliseconds of work, with its result. */
async function timed<T>(work: Promise<T>): Promise<readonly [T, number]> {
  const begin = performance.now();
  return [await work, performance.now() - begin];
}

/**
 * Reads the rows and, unless they determine the total, the count. If the same predicate filled the page last time, both
 * take one round trip where the source supports it and the count is fast; otherwise the count starts with the rows where
 * the source can run both concurrently. Without a forecast it starts after `patienceMs`; so fast last pages cost one
 * statement, and slow pages take as long as the slower of the two.
 */
export async function countedRows<R>(
  owner: object,
  read: PreparedRead<R>,
  window: OffsetWindow,
): Promise<CountedRows<R>> {
  const { concurrent, pairs = false } = read;
  if (!concurrent && !pairs) return inTurn(read, window);
  const known = forecastsOf(owner);
  const key = keyOf(read.countKey);
  const expected = known.get(key);
  const certain = expected !== undefined && expected.total >= window.offset + window.perPage;
  const abreast = concurrent && (expected?.isSlow ?? false) && (read.hasTwoFree ?? true);
  if (certain && pairs && !abreast && read.together) {
    const begin = performance.now();
    const counted = await read.together();
    known.set(key, { total: counted.total, isSlow: performance.now() - begin >= slowMs });
    return counted;
  }
  if (!concurrent) {
    const counted = await inTurn(read, window);
    known.set(key, { total: counted.total, isSlow: false });
    return counted;
  }
  return concurrently(read, window, expected, certain, (forecast) => known.set(key, forecast));
}

/** Rows, and then the count where it is needed. */
async function inTurn<R>(read: PreparedRead<R>, window: OffsetWindow): Promise<CountedRows<R>> {
  const page = await read.rows();
  return { page, total: shownTotal(window, page.rows.length) ?? (await read.count()) };
}

async function concurrently<R>(
  read: PreparedRead<R>,
  window: OffsetWindow,
  expected: Forecast | undefined,
  certain: boolean,
  learn: (forecast: Forecast) => void,
): Promise<CountedRows<R>> {
  let count: Promise<readonly [number, number]> | undefined;
  const start = () => {
    count = timed(read.count());
    // When the rows fail first, the count is not awaited and its rejection must not be unhandled.
    count.catch(() => undefined);
    return count;
  };
  const rows = read.rows();
  let timer: ReturnType<typeof setTimeout> | undefined;
  if (certain) void start();
  else if (expected === undefined) timer = setTimeout(() => void start(), patienceMs);
  let page: CountedRows<R>['page'];
  try {
    page = await rows;
  } finally {
    clearTimeout(timer);
  }
  const shown = shownTotal(window, page.rows.length);
  if (shown !== null) {
    learn({ total: shown, isSlow: expected?.isSlow ?? false });
    return { page, total: shown };
  }
  const [total, milliseconds] = await (count ?? start());
  learn({ total, isSlow: milliseconds >= slowMs });
  return { page, total };
}
