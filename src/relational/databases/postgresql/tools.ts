/** The tools of the PostgreSQL family: companions, catalogue and profile. */

import type { FamilyTools } from '../../family.ts';
import { readPostgresql as readCatalogue } from './catalogue.ts';
import { postgresqlCompanions as companions } from './companions.ts';
import { checkPostgresql as profile, nullableColumns } from './profile.ts';
import { searchIndexes } from './search-indexes.ts';

export const postgresqlTools: FamilyTools = {
  companions,
  readCatalogue,
  profile,
  nullableColumns,
  searchIndexes,
};
