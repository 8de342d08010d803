/** Postgresql, gathered: all that the rest of Sluice knows of it. */

import type { Family } from '../../family.ts';
import { readPostgresql as readCatalogue } from './catalogue.ts';
import { postgresql as dialect } from './dialect.ts';
import { objectRows } from './object-rows.ts';
import { postgresqlLimit } from './time-limit.ts';

export const postgresql: Family = {
  dialect,
  pooled: true,
  timeLimit: postgresqlLimit,
  objectRows,
  readCatalogue,
};
