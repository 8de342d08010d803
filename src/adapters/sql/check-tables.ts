/** Refuses declarations of tables that have options which do not exist, or of wrong types. */

import { checkOptions } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionRow, OptionTableOf } from '../../lib/index.ts';
import { storageForms } from '../../relational/index.ts';
import { configurationError, jsonPathsRow, kinds } from '../../schema/index.ts';
import type {
  SqlColumnOptions,
  SqlMany,
  SqlOne,
  SqlTable,
  SqlTables,
  SqlThrough,
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

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID naming the model and the option */
export function checkTables(tables: SqlTables): void {
  for (const [model, table] of Object.entries(tables)) {
    checkOptions(`table "${model}"`, table, tableOptions, (message) =>
      configurationError(`${model}: ${message}`, { model }),
    );
  }
}
