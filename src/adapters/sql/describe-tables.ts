/** Describes the storage of a registry's models from declared tables. */

import { configurationError } from '../../schema/index.ts';
import type { FieldDescriptor, QuerySchema, SchemaRegistry } from '../../schema/index.ts';
import {
  type Dialect,
  type PhysicalColumn,
  type PhysicalModel,
  type PhysicalSchema,
  heldKindsOf,
  nativeMembers,
} from '../../relational/index.ts';
import { kindOfType } from '../../relational/index.ts';
import { columnNameOf, describeRelations, tableRefOf } from './describe-relations.ts';
import {
  type SqlColumnOptions,
  type SqlTable,
  type SqlTables,
  columnOf,
  listOf,
} from './tables.ts';

/**
 * The storage of each model that has a table and a schema. The registry decides kinds; columns and relations that it
 * does not declare are ignored, except that relations may join on such columns.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID naming model and path, when a field has no column, a column cannot
 * hold the declared kind, or a relation is not declared by the table or has another target
 */
export function describeTables(
  tables: SqlTables,
  registry: SchemaRegistry,
  dialect: Dialect,
): PhysicalSchema {
  const models = new Map<string, PhysicalModel>();
  for (const [model, table] of Object.entries(tables)) {
    const schema = registry.get(model);
    if (!schema) continue;
    models.set(model, {
      model,
      table: tableRefOf(table),
      columns: new Map(
        schema.fields.map((field) => [field.path, physicalColumn(dialect, table, schema, field)]),
      ),
      relations: new Map(relationsOf(tables, schema).map((relation) => [relation.path, relation])),
      hidden: hiddenColumns(table, schema),
      uniqueKeys: (table.uniqueKeys ?? []).map((key) => uniqueKey(model, table, listOf(key))),
    });
  }
  return models;
}

function physicalColumn(
  dialect: Dialect,
  table: SqlTable,
  { model, primaryKey }: QuerySchema,
  field: FieldDescriptor,
): PhysicalColumn {
  const { path, kind } = field;
  const name = columnNameOf(table, path);
  const column = columnOf(table.columns[path] ?? '');
  if (name === undefined) {
    refuse(model, path, 'the table has no such column; declare the column or correct the path.');
  }
  const storage =
    column.storage ??
    (heldKinds(dialect, column).has(kind) ? dialect.storageOf(column.type, kind) : undefined);
  if (!storage) {
    refuse(
      model,
      path,
      `a column of type ${column.type} does not hold kind ${kind} on ${dialect.family}; declare the kind it holds, or how it holds it as storage.`,
    );
  }
  const members = nativeMembers(dialect, column.type, field, column.enumValues);
  const keepsNull =
    primaryKey.includes(path) &&
    column.nullable === undefined &&
    dialect.keyKeepsNull(column.type, primaryKey.length === 1);
  return {
    path,
    name,
    kind,
    storage,
    sqlType: column.type,
    ...members,
    ...(keepsNull && { keepsNull }),
  };
}

function uniqueKey(model: string, table: SqlTable, paths: readonly string[]): string[] {
  return paths.map(
    (path) =>
      columnNameOf(table, path) ??
      refuse(model, path, 'a unique key names it, but the table has no such column; correct it.'),
  );
}

/** Every kind that a declared column can hold, by its type or by its declaration. */
export function heldKinds(dialect: Dialect, column: SqlColumnOptions) {
  // A column with a declared storage form holds only its declared kind.
  if (column.kind && column.storage) return new Set([column.kind]);
  return heldKindsOf(dialect, column.type, column.enumValues ? 'enum' : kindOfType(column.type));
}

function relationsOf(tables: SqlTables, { model, relations }: QuerySchema) {
  const described = new Map(
    describeRelations(tables, model).map((relation) => [relation.path, relation]),
  );
  return relations.map(({ path, target, cardinality }) => {
    const found = described.get(path);
    if (!found) refuse(model, path, 'the table declares no such relation; declare it.');
    if (found.target !== target || found.cardinality !== cardinality) {
      const said = `${found.cardinality} ${found.target}`;
      refuse(model, path, `declared as ${cardinality} ${target}, but the table declares ${said}.`);
    }
    return found;
  });
}

/** Columns without a field. */
function hiddenColumns(table: SqlTable, schema: QuerySchema): PhysicalModel['hidden'] {
  const fields = new Set(schema.fields.map(({ path }) => path));
  const hidden = new Map<string, PhysicalColumn>();
  for (const [path, declared] of Object.entries(table.columns)) {
    if (fields.has(path)) continue;
    const { column: name = path, type, kind: said = kindOfType(type) } = columnOf(declared);
    const kind = said === undefined || said === 'opaque' ? 'string' : said;
    // SQLite's integers have 64 bits; a key that is used only in joins can be read as text.
    const wide = kind === 'integer' ? 'bigint' : kind;
    hidden.set(name, { path, name, kind: wide, storage: 'native', sqlType: type });
  }
  return hidden;
}

function refuse(model: string, path: string, message: string): never {
  throw configurationError(`${model}.${path}: ${message}`, { model, path });
}
