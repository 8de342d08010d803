/**
 * Rows that keep their place while a person works with them: cells change, but new rows wait until they are asked for,
 * and rows that have left stay, marked as gone.
 */

import { useState } from 'react';

export interface HeldRows<Row> {
  readonly rows: readonly Row[];
  /** Rows that wait to be shown. */
  readonly waiting: number;
  /** Whether a row is no longer part of the list. */
  readonly gone: (key: string) => boolean;
  /** Shows the rows as they are. */
  readonly release: () => void;
}

const none: ReadonlySet<string> = new Set();

/**
 * @param held whether rows keep their place now
 * @param view identifies what is listed; another view is shown at once
 */
export function useHeldRows<Row>(
  current: readonly Row[],
  keyOf: (row: Row) => string,
  held: boolean,
  view: string,
): HeldRows<Row> {
  const [kept, keep] = useState<{ readonly view: string; readonly rows: readonly Row[] } | null>(
    null,
  );
  if (!held || kept?.view !== view) {
    const next = held ? { view, rows: current } : null;
    if (kept !== next && (kept !== null || held)) keep(next);
    return { rows: current, waiting: 0, gone: () => false, release: () => undefined };
  }
  const fresh = new Map(current.map((row) => [keyOf(row), row]));
  const shown = new Set(kept.rows.map(keyOf));
  const gone = new Set([...shown].filter((key) => !fresh.has(key)));
  return {
    rows: kept.rows.map((row) => fresh.get(keyOf(row)) ?? row),
    waiting: current.filter((row) => !shown.has(keyOf(row))).length,
    gone: (key) => (gone.size > 0 ? gone : none).has(key),
    release: () => keep({ view, rows: current }),
  };
}
