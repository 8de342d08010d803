/** The database family of a DataSource. */

import type { DataSource } from 'typeorm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';

const families: ReadonlyMap<string, DatabaseFamily> = new Map([
  ['postgres', 'postgresql'],
  ['mysql', 'mysql'],
  ['mariadb', 'mysql'],
  ['better-sqlite3', 'sqlite'],
  ['sqlite', 'sqlite'],
  ['sqljs', 'sqlite'],
]);

/**
 * The family of a DataSource, by the type of its options.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the type belongs to none of them
 */
export function familyOf({ options: { type } }: DataSource): DatabaseFamily {
  const family = families.get(type);
  if (family) return family;
  throw configurationError(
    `A DataSource of type ${type} is not supported; use one of ${[...families.keys()].join(', ')}.`,
  );
}
