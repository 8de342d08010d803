/** Describes declared tables. */

import { type FieldKind, configurationError } from '../../schema/index.ts';
import {
  type DescribedColumn,
  type DescribedTable,
  type DescribedTables,
  heldKindsOf,
  kindOfType,
} from '../../relational/index.ts';
import { columnNameOf, describeRelations, tableRefOf } from './describe-relations.ts';
import { type SqlColumn, type SqlTable, type SqlTables, columnOf, listOf } from './tables.ts';

/** The tables by model. Relations and unique keys are resolved on first use. */
export function describeTables(tables: SqlTables): DescribedTables {
  const models = new Map<string, DescribedTable>();
  for (const [model, table] of Object.entries(tables)) {
    const columns = new Map<string, DescribedColumn>();
    for (const [path, column] of Object.entries(table.columns)) {
      columns.set(path, described(path, column));
    }
    models.set(model, {
      table: tableRefOf(table),
      columns,
      primaryKey: listOf(table.primaryKey),
      get uniqueKeys() {
        return (table.uniqueKeys ?? []).map((key) => uniqueKey(model, table, listOf(key)));
      },
      get relations() {
        return describeRelations(tables, model, table);
      },
    });
  }
  return models;
}

/** The kind of a column: the declared one, `enum` where members are declared, else that of its type. */
function described(path: string, declared: SqlColumn): DescribedColumn {
  const said = columnOf(declared);
  const { type, column: name = path, enumValues, nullable, storage } = said;
  const own: FieldKind | undefined = enumValues
    ? type.endsWith('[]')
      ? 'enum[]'
      : 'enum'
    : kindOfType(type);
  const kind = said.kind ?? own ?? 'opaque';
  return {
    name,
    sqlType: type,
    kind,
    nullable: nullable ?? false,
    isNotNull: nullable !== undefined,
    enumValues,
    said,
    // A column with a declared storage form holds only its declared kind.
    held: (dialect) =>
      said.kind && storage ? new Set([said.kind]) : heldKindsOf(dialect, type, own),
    storageOf: (dialect, of) => {
      const isHeld = heldKindsOf(dialect, type, own).has(of);
      return storage ?? (isHeld ? dialect.storageOf(type, of) : undefined);
    },
  };
}

function uniqueKey(model: string, table: SqlTable, paths: readonly string[]): string[] {
  return paths.map((path) => {
    const name = columnNameOf(table, path);
    if (name !== undefined) return name;
    throw configurationError(
      `${model}.${path}: a unique key names it, but the table has no such column; correct it.`,
      { model, path },
    );
  });
}
