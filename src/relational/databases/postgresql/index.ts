/** The PostgreSQL family: dialect, errors, time limit, profile, companions and catalogue. */

import type { Family } from '../../family.ts';
import { readPostgresql as readCatalogue } from './catalogue.ts';
import { postgresql as dialect } from './dialect.ts';
import { postgresqlError } from './errors.ts';
import { postgresqlCompanions as companions } from './companions.ts';
import { checkPostgresql as profile, nullableColumns } from './profile.ts';
import { searchIndexes } from './search-indexes.ts';
import { objectRows } from './object-rows.ts';
import { postgresqlLimit } from './time-limit.ts';

export const postgresql: Family = {
  dialect,
  pooled: true,
  errorClass: postgresqlError,
  timeLimit: postgresqlLimit,
  objectRows,
  textValues: (values) => values as unknown[],
  profile,
  nullableColumns,
  searchIndexes,
  companions,
  readCatalogue,
};
