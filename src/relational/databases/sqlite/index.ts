/** The SQLite family: dialect, errors and time limit. */

import type { Family } from '../../family.ts';
import { sqlite as dialect } from './dialect.ts';
import { sqliteError } from './errors.ts';
import { objectRows } from './object-rows.ts';
import { sqliteLimit } from './time-limit.ts';

export const sqlite: Family = {
  dialect,
  pooled: false,
  errorClass: sqliteError,
  timeLimit: sqliteLimit,
  objectRows,
  textValues: (values) => values as unknown[],
};
