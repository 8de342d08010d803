/** The tools of the MySQL family: companions, catalogue and profile. */

import type { FamilyTools } from '../../family.ts';
import { readMysql as readCatalogue } from './catalogue.ts';
import { mysqlCompanions as companions } from './companions.ts';
import { checkMysql as profile, nullableColumns } from './profile.ts';

export const mysqlTools: FamilyTools = {
  companions,
  readCatalogue,
  profile,
  nullableColumns,
};
