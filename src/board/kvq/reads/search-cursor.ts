/** Search cursors: the position to continue from, bound to the search that issued them. */

import { createHash } from 'node:crypto';

/** The position of a search: its current queue, and the position in that queue. */
export interface SearchPlace {
  readonly queue: string;
  readonly after: string | null;
}

const version = 1;

/** Identifies the search that a cursor belongs to. */
function seal(search: string, place: SearchPlace): string {
  const text = JSON.stringify([version, search, place.queue, place.after]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** Encodes a position. `search` identifies the search: its route and all of its criteria. */
export function writeCursor(search: string, place: SearchPlace): string {
  const parts = [version, place.queue, place.after, seal(search, place)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** Decodes a position; `null` when the cursor was altered or belongs to another search. */
export function readCursor(search: string, cursor: string): SearchPlace | null {
  let parts: unknown;
  try {
    parts = JSON.parse(Buffer.from(cursor, 'base64url').toString());
  } catch {
    return null;
  }
  if (!Array.isArray(parts)) return null;
  const [, queue, after]: unknown[] = parts;
  if (typeof queue !== 'string' || (after !== null && typeof after !== 'string')) return null;
  const place = { queue, after };
  // Only a cursor that encodes back to the same text was issued here.
  return writeCursor(search, place) === cursor ? place : null;
}
