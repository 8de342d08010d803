/** Rows that are as they were keep their identity from one read to the next, so that only the others are drawn again. */

import { replaceEqualDeep } from '@tanstack/react-query';
import { useMemo, useRef } from 'react';

/**
 * The rows, each replaced by its equal among the rows before, whatever place that had.
 *
 * @param share the first row if both are equal, otherwise the second one or a copy of it with the equal parts of the first
 */
export function shareRows<Row>(
  before: readonly Row[] | undefined,
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  share: (old: Row, row: Row) => Row = replaceEqualDeep,
): readonly Row[] {
  if (!before) return rows;
  const known = new Map(before.map((row) => [keyOf(row), row]));
  const shared = rows.map((row) => {
    const old = known.get(keyOf(row));
    return old === undefined ? row : share(old, row);
  });
  const isSame =
    shared.length === before.length && shared.every((row, index) => row === before[index]);
  return isSame ? before : shared;
}

/** As `shareRows`, with the rows that were rendered before. */
export function useSharedRows<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string,
  share?: (old: Row, row: Row) => Row,
): readonly Row[] {
  const before = useRef<readonly Row[]>(undefined);
  const shared = useMemo(() => shareRows(before.current, rows, keyOf, share), [rows]);
  before.current = shared;
  return shared;
}
