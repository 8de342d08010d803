/** Converts the error of a driver or an ORM to a `QueryError`; the original is its `cause`. */

import type { PostgresqlErrorClass } from '../../lib/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { Family } from '../family.ts';

/**
 * The meaning of a database error for the caller, in any family. `lacking`: the database does not have the operation, or a
 * character or number of the request, for the column. `oversized`: the statement has more bytes than the server or the driver takes.
 */
export type ErrorClass = PostgresqlErrorClass | 'lacking' | 'oversized';

/** An error that its executor has already classified, because ORMs have error codes of their own. */
export class ClassifiedError extends Error {
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, cause: unknown) {
    super('The ORM could not run the statement.', { cause });
    this.errorClass = errorClass;
  }
}

/** Seconds after which a client may retry. */
const retryAfterSeconds = 3;

/** The error of a request that exceeded its time limit. */
export function timeoutError(timeoutMs: number, cause?: unknown): QueryError {
  return new QueryError(
    'QUERY_TIMEOUT',
    `The request took longer than ${timeoutMs} ms.`,
    { timeoutMs },
    cause === undefined ? undefined : { cause },
  );
}

/** The error of a database that cannot answer now. */
function unavailableError(cause: unknown): QueryError {
  return new QueryError(
    'SOURCE_UNAVAILABLE',
    'The database cannot answer at the moment; try again later.',
    { retryAfterSeconds },
    { cause },
  );
}

/**
 * Wraps the error of a statement. The message contains neither SQL nor values. `timeoutMs` is the request's own limit.
 */
export function driverError(
  family: Family,
  error: unknown,
  timeoutMs: number | undefined,
): QueryError {
  if (error instanceof QueryError) return error;
  const errorClass = error instanceof ClassifiedError ? error.errorClass : family.errorClass(error);
  switch (errorClass) {
    case 'timeout':
      // Without a time limit of the request, the timeout was the server's or the connection pool's.
      return timeoutMs === undefined ? unavailableError(error) : timeoutError(timeoutMs, error);
    case 'away':
    case 'conflict':
      return unavailableError(error);
    case 'misfit':
      return new QueryError(
        'SOURCE_CONFIGURATION_INVALID',
        'The database has other tables, columns or types than the source declares.',
        {},
        { cause: error },
      );
    case 'failed':
      return new QueryError(
        'SOURCE_CONFIGURATION_INVALID',
        'An earlier statement of the transaction on which the source reads has failed; roll the transaction back, and read in another one.',
        {},
        { cause: error },
      );
    case 'lacking':
      return new QueryError(
        'CAPABILITY_UNAVAILABLE',
        'The database does not have an operator, a character or a number of the request for its column.',
        {},
        { cause: error },
      );
    case 'oversized':
      return new QueryError(
        'CAPABILITY_UNAVAILABLE',
        'The values of the request are longer than a statement of the database may be; send fewer or shorter ones.',
        {},
        { cause: error },
      );
    case 'forbidden':
    case 'refused':
    case undefined:
      return new QueryError(
        'ADAPTER_CONTRACT_VIOLATION',
        'The database could not run the statement.',
        {},
        { cause: error },
      );
  }
}
