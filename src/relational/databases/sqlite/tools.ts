/** The tools of the SQLite family: companions, catalogue and profile. */

import type { FamilyTools } from '../../family.ts';
import { readSqlite as readCatalogue } from './catalogue.ts';
import { sqliteCompanions as companions } from './companions.ts';
import { checkSqlite as profile, nullableColumns } from './profile.ts';

export const sqliteTools: FamilyTools = {
  companions,
  readCatalogue,
  profile,
  nullableColumns,
};
