/**
 * Rows that keep their place while a person works with them: cells change, but new rows wait until they are asked for,
 * and rows that have left stay, marked as gone.
 */

import { useState } from 'react';

const none: ReadonlySet<string> = new Set();

/**
 * @param steady whether rows keep their place now
 * @param view identifies what is listed; another view is shown at once
 */
export function useSteadyRows<Row>(
  current: readonly Row[],
  keyOf: (row: Row) => string,
  steady: boolean,
  view: string,
) {
  const [kept, keep] = useState<{ readonly view: string; readonly rows: readonly Row[] } | null>(
    null,
  );
  if (!steady || kept?.view !== view) {
    const next = steady ? { view, rows: current } : null;
    if (kept !== next && (kept !== null || steady)) keep(next);
    return { rows: current, waiting: 0, gone: (_key: string) => false, release: () => undefined };
  }
  const fresh = new Map(current.map((row) => [keyOf(row), row]));
  const shown = new Set(kept.rows.map(keyOf));
  const gone = new Set([...shown].filter((key) => !fresh.has(key)));
  return {
    /** Those that keep their place. */
    rows: kept.rows.map((row) => fresh.get(keyOf(row)) ?? row),
    /** Rows that wait to be shown. */
    waiting: current.filter((row) => !shown.has(keyOf(row))).length,
    /** Whether a row is no longer part of the list. */
    gone: (key: string) => (gone.size > 0 ? gone : none).has(key),
    /** Shows the rows as they are. */
    release: () => keep({ view, rows: current }),
  };
}
