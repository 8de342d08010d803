/** The parameter `where` of a request, a filter of jobs as text, and the moment from which its pages tell times. */

import { BoardError, readCursor, writeCursor } from '../core/index.ts';
import { type JobFilter, fixedText, readJobFilter } from './job-filter.ts';
import type { FilterEngine } from './language.ts';

/** A filter, and the paths that it names. */
export interface AskedFilter {
  readonly filter: JobFilter;
  readonly paths: ReadonlySet<string>;
}

const invalid = (field: string, details?: string): BoardError =>
  new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field },
    ...(details !== undefined && { details }),
  });

/** @throws {BoardError} INVALID_QUERY_PARAM when the text is not a filter; its details name the place */
export function readWhere(engine: FilterEngine, text: string, now = Date.now()): AskedFilter {
  const read = readJobFilter(engine, text, new Date(now));
  if (!read.error) return read;
  const { message, start, end } = read.error;
  throw invalid('where', `${message} (characters ${start} to ${end})`);
}

/** The filter of a run, which tells times from its beginning. */
export function fixedFilter(
  engine: FilterEngine,
  filter: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const { where } = filter;
  const fixed = where === undefined ? undefined : fixedText(engine, where);
  return fixed === undefined ? filter : { ...filter, where: fixed };
}

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
  if (!position) throw invalid('cursor');
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
