/** What the board answers to errors of PostgreSQL, of its driver, and of the list grammar. */

import { QueryError } from '../../../schema/index.ts';
import { BoardError, datastoreUnavailable } from '../../core/index.ts';
import { isTimeout, isUnreachable } from './sql-state.ts';

/** The part of a request that the grammar refused: a parameter, or a path of `filter`. */
function fieldOf({ details }: QueryError): string {
  const { path, param } = details;
  if (typeof path === 'string') return `filter[${path}]`;
  return typeof param === 'string' ? param : 'filter';
}

/** The board's error; `undefined` for what is nobody's fault but the board's. */
export function translateError(error: unknown): BoardError | undefined {
  if (error instanceof BoardError) return error;
  // First: a read that waited too long behind others says of its cause that it got no connection.
  if (isTimeout(error)) return new BoardError('PGQ_QUERY_TIMEOUT', { cause: error });
  if (isUnreachable(error)) return datastoreUnavailable(error);
  if (!(error instanceof QueryError) || error.status !== 400) return undefined;
  if (error.code === 'CURSOR_INVALID') return new BoardError('PGQ_INVALID_CURSOR');
  return new BoardError('INVALID_QUERY_PARAM', {
    code: 'INVALID_REQUEST',
    options: { field: fieldOf(error) },
  });
}
