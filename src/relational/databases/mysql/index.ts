/** The MySQL and MariaDB family: dialect, errors and time limit. */

import type { Family } from '../../family.ts';
import { mysql as dialect } from './dialect.ts';
import { mysqlError } from './errors.ts';
import { objectRows } from './object-rows.ts';
import { textValues } from './text-values.ts';
import { mysqlLimit } from './time-limit.ts';

export const mysql: Family = {
  dialect,
  pooled: true,
  errorClass: mysqlError,
  timeLimit: mysqlLimit,
  objectRows,
  textValues,
};
