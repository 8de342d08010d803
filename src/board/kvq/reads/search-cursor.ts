/** Cursors of searches: where to go on, bound to the search that gave them. */

import { createHash } from 'node:crypto';

/** Where a search stands: the queue it is in, and the place there. */
export interface SearchPlace {
  readonly queue: string;
  readonly after: string | null;
}

const version = 1;

/** Binds a cursor to its search. */
function seal(search: string, place: SearchPlace): string {
  const text = JSON.stringify([version, search, place.queue, place.after]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/** The cursor of a place. `search` tells one search from another: its route and all it asks for. */
export function writeCursor(search: string, place: SearchPlace): string {
  const parts = [version, place.queue, place.after, seal(search, place)];
  return Buffer.from(JSON.stringify(parts)).toString('base64url');
}

/** The place a cursor names; `null` when it is altered, or another search's. */
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
  // Written once more it is the same to the last character, or it is not one of ours.
  return writeCursor(search, place) === cursor ? place : null;
}
