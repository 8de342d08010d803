/** Which companion columns the schemas ask for, and where: the part that needs no database. */

import { configurationError } from '../../schema/index.ts';
import type { FieldDescriptor, QuerySchema } from '../../schema/index.ts';

/** A table, unquoted. */
export interface CompanionTable {
  /** Schema (PostgreSQL), database (MySQL) or attached database (SQLite). Default: the connection's own. */
  readonly schema?: string | undefined;
  readonly name: string;
}

/** A model and where it lives. */
export interface CompanionModel {
  readonly schema: QuerySchema;
  /** Table of the model, unquoted. Default: the model's name. */
  readonly table?: string | CompanionTable;
  /** Column of each field path, unquoted. Default: the path itself. */
  readonly columns?: { readonly [path: string]: string };
}

/** One companion column. */
export interface CompanionColumn {
  /** `folded` holds `foldText(value)`, `order` holds `portableOrderKey(field, value)`. */
  readonly role: 'folded' | 'order';
  /** The field whose value it is made from. */
  readonly field: FieldDescriptor;
  /** Column of that field. */
  readonly source: string;
  readonly column: string;
}

/** The companions of one table. */
export interface CompanionTask {
  readonly model: string;
  readonly table: CompanionTable;
  /** Columns of the primary key, in key order. */
  readonly keys: readonly string[];
  readonly companions: readonly CompanionColumn[];
}

/**
 * Lists the companion columns of the models, table by table; models without any are left out.
 *
 * @throws QueryError `SOURCE_CONFIGURATION_INVALID` when two fields share a companion, when a companion
 * and another field share a column, or when a name cannot be written in a statement.
 */
export function planCompanions(models: readonly CompanionModel[]): readonly CompanionTask[] {
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

/** Every companion has a column that nothing else writes or reads as its own. */
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
        `${schema.model}: the fields "${other}" and "${field.path}" share the companion column "${column}"; give each its own.`,
        { model: schema.model, path: field.path },
      );
    }
    filled.set(column, field.path);
  }
  for (const field of schema.fields) {
    if (field.internal !== true && filled.has(columnOf(field.path))) {
      throw configurationError(
        `${schema.model}.${field.path}: its column is also a companion column; name the columns apart.`,
        { model: schema.model, path: field.path },
      );
    }
  }
}

/** Knex reads a question mark anywhere in a statement as a placeholder; a NUL ends a name. */
function checkedName(model: string, name: string): string {
  if (name === '' || name.includes('?') || name.includes('\0')) {
    throw configurationError(
      `${model}: a table or column name is empty or holds a question mark or a NUL, which the migration cannot write.`,
      { model },
    );
  }
  return name;
}
