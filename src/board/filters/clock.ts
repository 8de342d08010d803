/** The moment from which all pages of a search with a filter as text tell times. */

import { BoardError, readCursor, writeCursor } from '../core/index.ts';

/** The first moment of the pages, and the cursor within them. Without a filter, it is the cursor itself. */
export function clockOf({
  where,
  cursor,
}: {
  readonly where?: string | undefined;
  readonly cursor?: string | undefined;
}): { readonly now: number; readonly cursor: string | undefined } {
  if (where === undefined || cursor === undefined) return { now: Date.now(), cursor };
  const position = readCursor(where, cursor);
  if (!position) {
    throw new BoardError('INVALID_QUERY_PARAM', {
      code: 'INVALID_REQUEST',
      options: { field: 'cursor' },
    });
  }
  return { now: Number(position.queue), cursor: position.after ?? undefined };
}

/** The cursor of the next page with the moment of the first one; it belongs to the text of the filter. */
export const withClock = (
  where: string | undefined,
  now: number,
  cursor: string | null,
): string | null =>
  where === undefined || cursor === null
    ? cursor
    : writeCursor(where, { queue: String(now), after: cursor });
