/** Classifies PostgreSQL's errors for list queries, and recognises the plans that a change of a table has outdated. */

import { errorCauses, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';

/**
 * Requests are validated, so an invalid text representation means that the column's type differs from the declared one.
 */
const wrongForm = '22P02';

/** Functions of the server that refuse patterns under a nondeterministic collation; their error code is a general one. */
const matching = new Set(['GenericMatchText', 'Generic_Text_IC_like']);

/** Functions of the server that read a whole number, and refuse one that an entity with `unsigned` lets requests contain. */
const reading = /^(?:pg_strtoint|scanint)/;

/** Whether a number of the request is beyond the type of its column; numbers that overflow in a view have the same code. */
const isBeyondType = (error: unknown): boolean =>
  sqlState(error) === '22003' &&
  errorCauses(error).some((cause) => reading.test(String(Reflect.get(cause, 'routine'))));

/** Whether the server, before version 18, has no LIKE for the collation of a column. */
function lacksPatterns(error: unknown): boolean {
  if (sqlState(error) !== '0A000') return false;
  return errorCauses(error).some(
    (cause) =>
      matching.has(String(Reflect.get(cause, 'routine'))) ||
      cause.message.includes('nondeterministic collation'),
  );
}

export function postgresqlError(error: unknown): ErrorClass | undefined {
  if (sqlState(error) === wrongForm) return 'misfit';
  if (lacksPatterns(error) || isBeyondType(error)) return 'lacking';
  // The next request prepares the statement anew.
  return isOutdated(error) ? 'conflict' : postgresqlErrorClass(error);
}

/** The function of the server that reports a plan whose result has other columns; its error code is a general one. */
const checksPlan = 'RevalidateCachedQuery';

/** Whether the statement failed only because a table was changed after it had been prepared. */
export function isOutdated(error: unknown): boolean {
  if (sqlState(error) !== '0A000') return false;
  return errorCauses(error).some((cause) => Reflect.get(cause, 'routine') === checksPlan);
}
