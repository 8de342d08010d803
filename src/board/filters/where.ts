/** The parameter `where` of a request: a filter of jobs as text. */

import { BoardError } from '../core/index.ts';
import { type JobFilter, fixedText, readJobFilter } from './job-filter.ts';
import type { FilterEngine } from './language.ts';

/** A filter, and the paths that it names. */
export interface AskedFilter {
  readonly filter: JobFilter;
  readonly paths: ReadonlySet<string>;
}

/** @throws {BoardError} INVALID_QUERY_PARAM when the text is not a filter; its details name the place */
export function readWhere(engine: FilterEngine, text: string, now = Date.now()): AskedFilter {
  const read = readJobFilter(engine, text, new Date(now));
  if (!read.error) return read;
  const { message, start, end } = read.error;
  throw new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: 'where' },
    details: `${message} (characters ${start} to ${end})`,
  });
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
