/** Mysql, gathered: all that the rest of Sluice knows of it. */

import type { Family } from '../../family.ts';
import { readMysql as readCatalogue } from './catalogue.ts';
import { mysql as dialect } from './dialect.ts';
import { objectRows } from './object-rows.ts';
import { mysqlLimit } from './time-limit.ts';

export const mysql: Family = {
  dialect,
  pooled: true,
  timeLimit: mysqlLimit,
  objectRows,
  readCatalogue,
};
