/** The database families by name; every lookup of a family uses this table. */

import type { DatabaseFamily } from '../rules/index.ts';
import { mysql } from './databases/mysql/index.ts';
import { postgresql } from './databases/postgresql/index.ts';
import { sqlite } from './databases/sqlite/index.ts';
import type { Family } from './family.ts';

export const families: Readonly<Record<DatabaseFamily, Family>> = { postgresql, mysql, sqlite };
