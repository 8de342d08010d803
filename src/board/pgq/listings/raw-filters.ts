/** The `filter[...]` parameters of a query string, as the client sent them. */

import { BoardError, isFilterParam } from '../../core/index.ts';

/** Only the filters; the other parameters belong to the route. */
export function filterParams(rawQuery: string): URLSearchParams {
  const filters = new URLSearchParams();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    if (isFilterParam(name)) filters.append(name, value);
  }
  return filters;
}

/** A filter that the listing sets itself. */
export function filterConflict(path: string): BoardError {
  return new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: `filter[${path}]` },
  });
}
