/** Declared tables, checked: the names and types of options, SQL types that are misspelt, and paths of keys. */

import { checkOptions, isRecord, knownNames, nearestName } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionRow, OptionTableOf } from '../../lib/index.ts';
import { storageForms, columnKinds, kindOfType } from '../../relational/index.ts';
import { configurationError, jsonPathsRow, kinds } from '../../schema/index.ts';
import {
  type SqlColumnOptions,
  type SqlMany,
  type SqlOne,
  type SqlTable,
  type SqlTables,
  type SqlThrough,
  columnOf,
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
  foreignKey: option.boolean,
  through: option.objectOf(throughOptions),
} satisfies OptionTableOf<SqlOne & SqlMany>;

const tableOptions = {
  table: option.required(option.nonEmptyString),
  schema: option.nonEmptyString,
  columns: option.required(
    option.recordOf(option.either(option.string, option.objectOf(columnOptions))),
  ),
  primaryKey: option.required(paths),
  uniqueKeys: option.listOf(paths),
  relations: option.recordOf(option.objectOf(relationOptions)),
} satisfies OptionTableOf<SqlTable>;

/**
 * Checks the tables and returns them unchanged, with their literal types.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID naming the model and the option, the column or the key
 */
export function sqlTables<const Tables extends SqlTables>(tables: Tables): Tables {
  checkTables(tables);
  return tables;
}

/** @throws {QueryError} SOURCE_CONFIGURATION_INVALID naming the model and the option, the column or the key */
export function checkTables(tables: SqlTables): void {
  if (!isRecord(tables) || Object.keys(tables).length === 0) {
    throw configurationError(
      "The tables must be an object of tables by model name, such as { user: { table: 'users', columns: { id: 'integer' }, primaryKey: 'id' } }.",
    );
  }
  for (const [model, table] of Object.entries(tables)) {
    checkOptions(`table "${model}"`, table, tableOptions, (message) =>
      configurationError(`${model}: ${message}`, { model }),
    );
    for (const path of Object.keys(table.columns)) checkType(model, table, path);
    const names = Object.keys(table.columns);
    for (const path of listOf(table.primaryKey)) {
      if (names.includes(path)) continue;
      throw configurationError(
        `${model}: "primaryKey" names "${path}", which "columns" does not declare; it has ${knownNames(path, names)}.`,
        { model, path },
      );
    }
  }
}

/** Refuses a type that is not known and nearly a known one. Other types may be the host's own. */
function checkType(model: string, table: SqlTable, path: string): void {
  const { type, kind, enumValues } = columnOf(table.columns[path] ?? '');
  if (kind || enumValues || kindOfType(type)) return;
  const near = nearestName(type.replace(/\(.*/s, ''), Object.keys(columnKinds));
  if (near === undefined) return;
  throw configurationError(
    `${model}.${path}: the type "${type}" is not known; did you mean "${near}"? A type of your own needs a kind: { type: '${type}', kind: 'opaque' }.`,
    { model, path },
  );
}
