/** Classifies PostgreSQL's errors for list queries. */

import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';
import { isOutdated } from './outdated.ts';

/**
 * Requests are validated, so an invalid text representation means that the column's type differs from the declared one.
 */
const wrongForm = '22P02';

export function postgresqlError(error: unknown): ErrorClass | undefined {
  if (sqlState(error) === wrongForm) return 'misfit';
  // The next request prepares the statement anew.
  return isOutdated(error) ? 'conflict' : postgresqlErrorClass(error);
}
