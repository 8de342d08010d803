/** The PostgreSQL family: dialect, errors and time limit. */

import type { Family } from '../../family.ts';
import { postgresql as dialect } from './dialect.ts';
import { postgresqlError } from './errors.ts';
import { objectRows } from './object-rows.ts';
import { postgresqlLimit } from './time-limit.ts';

export const postgresql: Family = {
  dialect,
  pooled: true,
  errorClass: postgresqlError,
  timeLimit: postgresqlLimit,
  objectRows,
  textValues: (values) => values as unknown[],
};
