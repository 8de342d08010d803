/** Classifies PostgreSQL's errors for list queries. */

import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';

/**
 * Requests are validated, so an invalid text representation means that the column's type differs from the declared one.
 */
const wrongForm = '22P02';

export function postgresqlError(error: unknown): ErrorClass | undefined {
  return sqlState(error) === wrongForm ? 'misfit' : postgresqlErrorClass(error);
}
