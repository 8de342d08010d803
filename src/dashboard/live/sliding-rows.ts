/** Rows that a poll moves slide to their places, and those that it brings fade in, so that the eye can follow them. */

import { useLayoutEffect, useRef } from 'react';
import type { RefObject } from 'react';

const stillness = matchMedia('(prefers-reduced-motion: reduce)');

const timing = { duration: 200, easing: 'ease-out' } as const;

const slide = (element: Element, from: number): unknown =>
  element.animate([{ transform: `translateY(${from}px)` }, { transform: 'none' }], timing);

/**
 * @param table its rows have the key of what they show as `data-id`
 * @param keys of all rows, also of those that are not in the document
 * @param height of a row
 * @param view identifies what is listed; another view is shown at once
 */
export function useSlidingRows(
  table: RefObject<HTMLTableElement | null>,
  keys: readonly string[],
  height: number,
  view: string,
): void {
  const shown = useRef<{ readonly view: string; readonly places: ReadonlyMap<string, number> }>(
    undefined,
  );
  useLayoutEffect(() => {
    const before = shown.current;
    const places = new Map(keys.map((key, place) => [key, place]));
    shown.current = { view, places };
    const body = table.current?.tBodies[0];
    if (!body || before?.view !== view || stillness.matches) return;
    const rows = [...body.rows].flatMap((row) => {
      const key = row.dataset['id'] ?? '';
      const [from, to] = [before.places.get(key), places.get(key)];
      return from !== to && to !== undefined ? [{ row, from, to }] : [];
    });
    const grown = places.size - before.places.size;
    // Where the table begins out of sight, the browser keeps the rows in their places itself.
    if ((rows.length === 0 && grown === 0) || body.getBoundingClientRect().top < 0) return;
    for (const { row, from, to } of rows) {
      if (from === undefined) row.animate([{ opacity: 0 }, { opacity: 1 }], timing);
      else slide(row, (from - to) * height);
    }
    const below = table.current?.parentElement?.nextElementSibling;
    if (below && grown !== 0) slide(below, -grown * height);
  }, [keys, height, view]);
}
