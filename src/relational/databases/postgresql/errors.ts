/** Classes of PostgreSQL's errors, as lists need them. */

import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import type { ErrorClass } from '../../read/driver-error.ts';

/** Requests are validated, so that a value of the wrong form means a column of another type than declared. */
const wrongForm = '22P02';

export function postgresqlError(error: unknown): ErrorClass | undefined {
  return sqlState(error) === wrongForm ? 'misfit' : postgresqlErrorClass(error);
}
