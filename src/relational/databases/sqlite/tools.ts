/** The tools of the SQLite family: companions and catalogue. */

import type { FamilyTools } from '../../family.ts';
import { readSqlite as readCatalogue } from './catalogue.ts';
import { sqliteCompanions as companions } from './companions.ts';

export const sqliteTools: FamilyTools = { companions, readCatalogue };
