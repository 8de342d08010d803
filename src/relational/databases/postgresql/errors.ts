/** Classifies PostgreSQL's errors for list queries. */

import { errorCauses, postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';
import { isOutdated } from './outdated.ts';

/**
 * Requests are validated, so an invalid text representation means that the column's type differs from the declared one.
 */
const wrongForm = '22P02';

/** Functions of the server that refuse patterns under a nondeterministic collation; their error code is a general one. */
const matching = new Set(['GenericMatchText', 'Generic_Text_IC_like']);

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
  if (lacksPatterns(error)) return 'lacking';
  // The next request prepares the statement anew.
  return isOutdated(error) ? 'conflict' : postgresqlErrorClass(error);
}
