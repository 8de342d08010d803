/** The database families by name; every lookup of a family uses this table. */

import type { DatabaseFamily } from '../rules/index.ts';
import { mysql } from './databases/mysql/index.ts';
import { postgresql } from './databases/postgresql/index.ts';
import { sqlite } from './databases/sqlite/index.ts';
import type { Family } from './family.ts';

export const families: Readonly<Record<DatabaseFamily, Family>> = { postgresql, mysql, sqlite };

/** The names that a library has for the databases of each family. */
export type FamilyNames = Readonly<Record<DatabaseFamily, readonly string[]>>;

/** The family of a library's name for a database; `undefined` where no family has it. */
export function familyNamed(names: FamilyNames, name: string): DatabaseFamily | undefined {
  const all = Object.keys(names) as DatabaseFamily[];
  return all.find((family) => names[family].includes(name));
}

/** The names of all families, for messages. */
export const namesOfAll = (names: FamilyNames): string => Object.values(names).flat().join(', ');
