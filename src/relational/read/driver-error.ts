/** Turns the error of a driver or an ORM into a `QueryError`; the original is its `cause`. */

import type { PostgresqlErrorClass } from '../../lib/index.ts';
import { QueryError } from '../../schema/index.ts';
import type { Family } from '../family.ts';

/** The meaning of a database's error for the caller, in any family. */
export type ErrorClass = PostgresqlErrorClass;

/** An error whose class its executor has found: ORMs have codes that no database knows. */
export class ClassifiedError extends Error {
  readonly errorClass: ErrorClass;

  constructor(errorClass: ErrorClass, cause: unknown) {
    super('The ORM could not run the statement.', { cause });
    this.errorClass = errorClass;
  }
}

/** Seconds until a client is told to try again. */
const retryAfterSeconds = 3;

/** The error of a request that took longer than its time. */
export function timeoutError(timeoutMs: number, cause?: unknown): QueryError {
  return new QueryError(
    'QUERY_TIMEOUT',
    `The request took longer than ${timeoutMs} ms.`,
    { timeoutMs },
    cause === undefined ? undefined : { cause },
  );
}

/** The error of a database that cannot answer at the moment. */
function unavailableError(cause: unknown): QueryError {
  return new QueryError(
    'SOURCE_UNAVAILABLE',
    'The database cannot answer at the moment; try again later.',
    { retryAfterSeconds },
    { cause },
  );
}

/** Wraps an error of a statement. Neither SQL nor values reach the message. `timeoutMs` is the request's own limit. */
export function driverError(
  family: Family,
  error: unknown,
  timeoutMs: number | undefined,
): QueryError {
  if (error instanceof QueryError) return error;
  const errorClass = error instanceof ClassifiedError ? error.errorClass : family.errorClass(error);
  switch (errorClass) {
    case 'timeout':
      // Without a limit of the request's own it was one of the server or of the connection pool.
      return timeoutMs === undefined ? unavailableError(error) : timeoutError(timeoutMs, error);
    case 'away':
    case 'conflict':
      return unavailableError(error);
    case 'misfit':
      return new QueryError(
        'SOURCE_CONFIGURATION_INVALID',
        'The database does not have the tables and columns that the source declares.',
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
