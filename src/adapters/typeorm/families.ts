/** The database family of a DataSource. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { type FamilyNames, familyNamed, namesOfAll } from '../../relational/index.ts';
import { configurationError } from '../../schema/index.ts';

/** The types of DataSources. */
const types: FamilyNames = {
  postgresql: ['postgres'],
  mysql: ['mysql', 'mariadb'],
  sqlite: ['better-sqlite3', 'sqlite', 'sqljs'],
};

/**
 * The family of a DataSource, by the type of its options.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type belongs to none of them
 */
export function familyOf({ options: { type } }: DataSource): DatabaseFamily {
  const family = familyNamed(types, type);
  if (family) return family;
  throw configurationError(
    `A DataSource of type ${type} is not supported; use one of ${namesOfAll(types)}.`,
  );
}
