/** The tools of the PostgreSQL family: companions and catalogue. */

import type { FamilyTools } from '../../family.ts';
import { readPostgresql as readCatalogue } from './catalogue.ts';
import { postgresqlCompanions as companions } from './companions.ts';

export const postgresqlTools: FamilyTools = { companions, readCatalogue };
