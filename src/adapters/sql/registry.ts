/** Derives a schema registry from declared tables. */

import { checkOptions } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionRow, OptionTableOf } from '../../lib/index.ts';
import { storageForms } from '../../relational/index.ts';
import {
  checkConfiguration,
  configurationError,
  defineSchemaRegistry,
  inFamilies,
  jsonPathsRow,
  kinds,
  registryOptions,
} from '../../schema/index.ts';
import type {
  DatabaseFamily,
  QuerySchema,
  RegistryOptions,
  SchemaRegistry,
} from '../../schema/index.ts';
import { describeFields } from './describe-fields.ts';
import { describeRelations } from './describe-relations.ts';
import type { NativeSqlShape, SqlShape } from './registry-shape.ts';
import {
  type SqlColumnOptions,
  type SqlMany,
  type SqlOne,
  type SqlTable,
  type SqlTables,
  type SqlThrough,
  listOf,
} from './tables.ts';

const paths = option.either(option.string, option.listOf(option.string));

const companion: OptionRow = {
  expected: 'a string or false',
  fits: (value) => typeof value === 'string' || value === false,
};

const columnOptions = {
  type: option.required(option.string),
  column: option.string,
  nullable: option.boolean,
  kind: option.oneOf(...kinds.keys()),
  enumValues: option.listOf(option.string),
  foldedField: companion,
  portableOrderField: companion,
  paths: jsonPathsRow,
  internal: option.boolean,
  storage: option.oneOf(...storageForms),
} satisfies OptionTableOf<SqlColumnOptions>;

const throughOptions = {
  table: option.required(option.string),
  schema: option.string,
  from: option.required(paths),
  to: option.required(paths),
} satisfies OptionTableOf<SqlThrough>;

const relationOptions = {
  one: option.string,
  many: option.string,
  from: paths,
  to: paths,
  nullable: option.boolean,
  through: option.objectOf(throughOptions),
} satisfies OptionTableOf<SqlOne & SqlMany>;

const tableOptions = {
  table: option.required(option.nonEmptyString),
  schema: option.nonEmptyString,
  columns: option.required(
    option.recordOf(option.either(option.string, option.objectOf(columnOptions))),
  ),
  primaryKey: option.required(paths),
  relations: option.recordOf(option.objectOf(relationOptions)),
} satisfies OptionTableOf<SqlTable>;

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
  for (const [model, table] of Object.entries(tables)) {
    checkOptions(`table "${model}"`, table, tableOptions, (message) =>
      configurationError(message, { model }),
    );
  }
  const registry = defineSchemaRegistry(
    Object.entries(tables).map(([model, table]): QuerySchema => ({
      model,
      primaryKey: listOf(table.primaryKey),
      fields: describeFields(table),
      relations: describeRelations(tables, model).map(
        ({ path, target, cardinality, nullable }) => ({ path, target, cardinality, nullable }),
      ),
    })),
  );
  return options.families ? inFamilies(registry, options.families) : registry;
}
