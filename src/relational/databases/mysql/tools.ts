/** The tools of the MySQL family: companions and catalogue. */

import type { FamilyTools } from '../../family.ts';
import { readMysql as readCatalogue } from './catalogue.ts';
import { mysqlCompanions as companions } from './companions.ts';

export const mysqlTools: FamilyTools = { companions, readCatalogue };
