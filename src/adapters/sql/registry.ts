/** Derives a schema registry from declared tables. */

import {
  checkConfiguration,
  defineSchemaRegistry,
  inFamilies,
  registryOptions,
} from '../../schema/index.ts';
import type { DatabaseFamily, RegistryOptions, SchemaRegistry } from '../../schema/index.ts';
import { schemaOf } from '../../relational/index.ts';
import { checkTables } from './check-tables.ts';
import { describeTables } from './describe-tables.ts';
import type { NativeSqlShape, SqlShape } from './registry-shape.ts';
import type { SqlTables } from './tables.ts';

/**
 * Derives a registry from declared tables. Paths are the names under which columns are declared; the kind of a column
 * follows from its type unless the column declares one.
 *
 * A text column `<path>Folded` or `<path>_folded` beside a string, uuid or enum is its folded companion; `<path>Order`
 * or `<path>_order` beside a uuid, enum or decimal its order companion. Both are internal. `timestamp` without time
 * zone is read as UTC.
 *
 * With `families: ['postgresql']` in the options, rules may use what that one family has: its order of uuids and enums,
 * and its own case folding for `ilike` and search, without companion columns.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a declaration has an option that does not exist or of the
 * wrong type, the target model or a path of a relation is not declared, or
 * `defineQuerySchema` refuses a model
 */
export function sqlRegistry<const Tables extends SqlTables>(
  tables: Tables,
  options: { readonly families: readonly [DatabaseFamily] },
): SchemaRegistry<NativeSqlShape<Tables>>;
export function sqlRegistry<const Tables extends SqlTables>(
  tables: Tables,
  options?: RegistryOptions,
): SchemaRegistry<SqlShape<Tables>>;
export function sqlRegistry(tables: SqlTables, options: RegistryOptions = {}): SchemaRegistry {
  checkConfiguration('sqlRegistry', options, registryOptions);
  checkTables(tables);
  const described = [...describeTables(tables)];
  const registry = defineSchemaRegistry(described.map(([model, table]) => schemaOf(model, table)));
  return options.families ? inFamilies(registry, options.families) : registry;
}
