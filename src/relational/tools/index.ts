/** The tools of the database families by name: a table of its own, so that lists do not load them. */

import type { DatabaseFamily } from '../../rules/index.ts';
import { mysqlTools as mysql } from '../databases/mysql/tools.ts';
import { postgresqlTools as postgresql } from '../databases/postgresql/tools.ts';
import { sqliteTools as sqlite } from '../databases/sqlite/tools.ts';
import type { FamilyTools } from '../family.ts';

export const familyTools: Readonly<Record<DatabaseFamily, FamilyTools>> = {
  postgresql,
  mysql,
  sqlite,
};
