/** Plans the companion columns of query schemas, without a database. */

import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { checkConfiguration, configurationError, schemaTable } from '../../schema/index.ts';
import type { FieldDescriptor, QuerySchema } from '../../schema/index.ts';

/** A table; names are unquoted. */
export interface CompanionTable {
  /** Schema (PostgreSQL), database (MySQL) or attached database (SQLite). Default: the connection's default. */
  readonly schema?: string | undefined;
  /** Name of the table. */
  readonly name: string;
}

/** A model with its table and columns. */
export interface CompanionModel {
  /** Schema of the model. */
  readonly schema: QuerySchema;
  /** Table of the model, unquoted. Default: the model's name. */
  readonly table?: string | CompanionTable;
  /** Column of each field path, unquoted. Default: the path itself. */
  readonly columns?: { readonly [path: string]: string };
}

const tableTable = {
  schema: option.string,
  name: option.required(option.string),
} satisfies OptionTableOf<CompanionTable>;

/** Types of the options of a model. */
export const companionModelTable = {
  schema: option.required(option.objectOf(schemaTable)),
  table: option.either(option.string, option.objectOf(tableTable)),
  columns: option.recordOf(option.string),
} satisfies OptionTableOf<CompanionModel>;

/** A companion column. */
export interface CompanionColumn {
  /** `folded` stores `foldText(value)`, `order` stores `portableOrderKey(field, value)`. */
  readonly role: 'folded' | 'order';
  /** The source field, from whose value the companion is computed. */
  readonly field: FieldDescriptor;
  /** Column of the source field. */
  readonly source: string;
  /** Name of the companion column. */
  readonly column: string;
}

/** The companion columns of one table. */
export interface CompanionTask {
  /** Name of the model. */
  readonly model: string;
  /** Table of the model. */
  readonly table: CompanionTable;
  /** Columns of the primary key, in key order. */
  readonly keys: readonly string[];
  /** Companion columns of the table. */
  readonly companions: readonly CompanionColumn[];
}

/**
 * Lists the companion columns of the models by table, without models that have none.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option is unknown or has a wrong type, two fields share a companion column, a companion column is also
 * the column of another field, or the name of a table or column is empty or contains `?` or NUL.
 */
export function planCompanions(models: readonly CompanionModel[]): readonly CompanionTask[] {
  const table = { models: option.listOf(option.objectOf(companionModelTable)) };
  checkConfiguration('planCompanions', { models }, table);
  return models.map(taskOf).filter((task) => task.companions.length > 0);
}

function taskOf(model: CompanionModel): CompanionTask {
  const { schema } = model;
  const columnOf = (path: string) => {
    const own = Object.hasOwn(model.columns ?? {}, path) ? model.columns?.[path] : undefined;
    return checkedName(schema.model, own ?? path);
  };
  const table =
    typeof model.table === 'object' ? model.table : { name: model.table ?? schema.model };
  checkedName(schema.model, table.name);
  if (table.schema !== undefined) checkedName(schema.model, table.schema);
  const companions: CompanionColumn[] = [];
  for (const field of schema.fields) {
    const source = columnOf(field.path);
    const { foldedField, portableOrderField } = field;
    if (foldedField !== undefined) {
      companions.push({ role: 'folded', field, source, column: columnOf(foldedField) });
    }
    if (portableOrderField !== undefined) {
      companions.push({ role: 'order', field, source, column: columnOf(portableOrderField) });
    }
  }
  checkColumns(schema, columnOf, companions);
  return { model: schema.model, table, keys: schema.primaryKey.map(columnOf), companions };
}

/** Refuses a companion column that is shared with another companion or field. */
function checkColumns(
  schema: QuerySchema,
  columnOf: (path: string) => string,
  companions: readonly CompanionColumn[],
): void {
  const filled = new Map<string, string>();
  for (const { column, field } of companions) {
    const other = filled.get(column);
    if (other !== undefined) {
      throw configurationError(
        `${schema.model}: the fields "${other}" and "${field.path}" share the companion column "${column}"; use two columns.`,
        { model: schema.model, path: field.path },
      );
    }
    filled.set(column, field.path);
  }
  for (const field of schema.fields) {
    if (field.internal !== true && filled.has(columnOf(field.path))) {
      throw configurationError(
        `${schema.model}.${field.path}: its column is also a companion column; use two columns.`,
        { model: schema.model, path: field.path },
      );
    }
  }
}

/** Knex treats every question mark in a statement as a placeholder, and NUL terminates a name. */
function checkedName(model: string, name: string): string {
  if (name === '' || name.includes('?') || name.includes('\0')) {
    throw configurationError(
      `${model}: the name of a table or column must not be empty and must not contain a question mark or NUL.`,
      { model },
    );
  }
  return name;
}
