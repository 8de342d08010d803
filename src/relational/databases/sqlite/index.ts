/** The SQLite family: dialect, errors, time limit, profile, companions and catalogue. */

import type { Family } from '../../family.ts';
import { readSqlite as readCatalogue } from './catalogue.ts';
import { sqlite as dialect } from './dialect.ts';
import { sqliteError } from './errors.ts';
import { sqliteCompanions as companions } from './companions.ts';
import { checkSqlite as profile, nullableColumns } from './profile.ts';
import { objectRows } from './object-rows.ts';
import { sqliteLimit } from './time-limit.ts';

export const sqlite: Family = {
  dialect,
  pooled: false,
  errorClass: sqliteError,
  timeLimit: sqliteLimit,
  objectRows,
  textValues: (values) => values as unknown[],
  profile,
  nullableColumns,
  companions,
  readCatalogue,
};
