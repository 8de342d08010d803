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

/** The board's error; `undefined` for an error that only a bug can explain. */
export function translateError(error: unknown): BoardError | undefined {
  if (error instanceof BoardError) return error;
  // First: the cause of a read that waited too long behind others is that it got no connection.
  if (isTimeout(error)) return new BoardError('PGQ_QUERY_TIMEOUT', { cause: error });
  const found = postgresqlErrorClass(error);
  if (found === 'away' || found === 'conflict') return datastoreUnavailable(error);
  if (!(error instanceof QueryError) || error.status !== 400) return undefined;
  if (error.code === 'CURSOR_INVALID') return new BoardError('PGQ_INVALID_CURSOR');
  return new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: fieldOf(error) },
  });
}
