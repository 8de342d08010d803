/** Translates errors of PostgreSQL, its driver and the list grammar to errors of the board. */

import { postgresqlErrorClass } from '../../../lib/index.ts';
import { QueryError } from '../../../schema/index.ts';
import { BoardError, datastoreUnavailable } from '../../core/index.ts';
import { isTimeout } from './read-errors.ts';

/** The part of a request that the grammar refused: a parameter, or a path of `filter`. */
function fieldOf({ details }: QueryError): string {
  if ('path' in details && typeof details.path === 'string') return `filter[${details.path}]`;
  return 'param' in details && typeof details.param === 'string' ? details.param : 'filter';
}

/** The error of the board; `undefined` for an unexpected error. */
export function translateError(error: unknown): BoardError | undefined {
  if (error instanceof BoardError) return error;
  // Check this first: a read that waited too long behind others has a missing connection as its cause.
  if (isTimeout(error)) return new BoardError('PGQ_QUERY_TIMEOUT', { cause: error });
  const found = postgresqlErrorClass(error);
  if (found === 'away' || found === 'conflict') return datastoreUnavailable(error, 'sql');
  if (!(error instanceof QueryError) || error.status !== 400) return undefined;
  if (error.code === 'CURSOR_INVALID') return new BoardError('PGQ_INVALID_CURSOR');
  return new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: fieldOf(error) },
  });
}
