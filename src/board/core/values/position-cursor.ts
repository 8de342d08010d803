/** Search cursors: the position to continue from, bound to the search that issued them. */

import { createHash } from 'node:crypto';

/** The position of a search: its current queue, and the position in that queue. */
export interface SearchPosition {
  readonly queue: string;
  readonly after: string | null;
}

const version = 1;

/** Identifies the search that a cursor belongs to. */
function seal(search: string, position: SearchPosition): string {
  const text = JSON.stringify([version, search, position.queue, position.after]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Encodes a position. `search` identifies the search: its route and all of its criteria. */
export function writeCursor(search: string, position: SearchPosition): string {
  const parts = [version, position.queue, position.after, seal(search, position)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes a position; `null` when the cursor was altered or belongs to another search. */
export function readCursor(search: string, cursor: string): SearchPosition | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [, queue, after]: unknown[] = parts;
  if (typeof queue !== 'string' || (after !== null && typeof after !== 'string')) return null;
  const position = { queue, after };
  // Only a cursor that encodes back to the same text was issued here.
  return writeCursor(search, position) === cursor ? position : null;
}
