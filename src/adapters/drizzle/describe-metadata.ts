/** Reads the metadata of Drizzle tables without loading any dialect's module. */

import { entityKind, getTableColumns, getTableName, is, Table } from 'drizzle-orm';
import type { Column } from 'drizzle-orm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { configurationError } from '../../schema/index.ts';
import type { TableRef } from '../../relational/index.ts';

/** Tables of one family by model name. */
export interface DrizzleTables {
  readonly [model: string]: Table;
}

/** The name of a column in the database. Drizzle's `casing` option is known only to the database handle. */
export type ColumnNaming = (column: Column) => string;

/** Columns of one table that reference columns of another, paired by position. */
export interface ColumnLink {
  readonly from: readonly Column[];
  readonly table: Table;
  readonly to: readonly Column[];
}

// Drizzle registers its metadata under global symbols, so that two copies of the package are compatible.
// `getTableConfig` returns the same metadata, but each dialect has its own and loads the whole dialect.
const schemaSymbol = Symbol.for('drizzle:Schema');
const extraConfigBuilder = Symbol.for('drizzle:ExtraConfigBuilder');
const extraConfigColumns = Symbol.for('drizzle:ExtraConfigColumns');

interface FamilyRow {
  readonly family: DatabaseFamily;
  readonly inlineForeignKeys: symbol;
}

const families: ReadonlyMap<string, FamilyRow> = new Map([
  ['PgTable', familyRow('postgresql', 'Pg')],
  ['MySqlTable', familyRow('mysql', 'MySql')],
  ['SQLiteTable', familyRow('sqlite', 'SQLite')],
]);

function familyRow(family: DatabaseFamily, dialect: string): FamilyRow {
  return { family, inlineForeignKeys: Symbol.for(`drizzle:${dialect}InlineForeignKeys`) };
}

/**
 * The database family of a table.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when it is not a PostgreSQL, MySQL or SQLite table.
 */
export function familyOf(table: Table): DatabaseFamily {
  return familyRowOf(table).family;
}

function familyRowOf(table: Table): FamilyRow {
  for (const kind of entityKinds(table)) {
    const row = families.get(kind);
    if (row) return row;
  }
  throw configurationError(
    'A table is not a Drizzle table of PostgreSQL, MySQL or SQLite; pass pgTable, mysqlTable or sqliteTable results.',
  );
}

/**
 * The family that all tables share.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a model is not a table or of another family; it names the
 * model.
 */
export function familyOfTables(tables: DrizzleTables): DatabaseFamily {
  let family: DatabaseFamily | undefined;
  for (const [model, table] of Object.entries(tables)) {
    if (!is(table, Table)) {
      throw configurationError(
        `${model}: not a Drizzle table; pass a table, and where modules import each other make sure it is defined by then.`,
        { model },
      );
    }
    const own = familyOf(table);
    family ??= own;
    if (own !== family) {
      throw configurationError(
        `${model}: a ${own} table among ${family} tables; make one registry for each database family.`,
        { model },
      );
    }
  }
  if (!family) throw configurationError('No tables were given; pass at least one, by model name.');
  return family;
}

/** Schema and name of a table, unquoted. */
export function tableRefOf(table: Table): TableRef {
  const schema = metadata(table, schemaSymbol);
  return typeof schema === 'string'
    ? { schema, name: getTableName(table) }
    : { name: getTableName(table) };
}

/** The properties of the primary key in key order, declared on a column or on the table. */
export function primaryKeyOf(table: Table): string[] {
  const columns = Object.entries(getTableColumns(table));
  for (const entry of extraConfigOf(table)) {
    if (!entityKinds(entry).some((kind) => kind.endsWith('PrimaryKeyBuilder'))) continue;
    const names = (entry as { columns: Column[] }).columns.map((column) => column.name);
    return names.flatMap((name) => columns.find(([, column]) => column.name === name)?.[0] ?? []);
  }
  return columns.flatMap(([property, column]) => (column.primary ? [property] : []));
}

/** The foreign keys that the columns or the table declare. */
export function foreignKeysOf(table: Table): ColumnLink[] {
  const inline = metadata(table, familyRowOf(table).inlineForeignKeys);
  const declared = extraConfigOf(table).filter((entry) =>
    entityKinds(entry).some((kind) => kind.endsWith('ForeignKeyBuilder')),
  );
  return [...(Array.isArray(inline) ? inline : []), ...declared].map((key) => {
    const reference = (key as ForeignKeyLike).reference();
    return {
      from: reference.columns,
      table: reference.foreignTable,
      to: reference.foreignColumns,
    };
  });
}

interface ForeignKeyLike {
  reference(): { columns: Column[]; foreignTable: Table; foreignColumns: Column[] };
}

function extraConfigOf(table: Table): unknown[] {
  const build = metadata(table, extraConfigBuilder);
  if (typeof build !== 'function') return [];
  const config: unknown = build(metadata(table, extraConfigColumns));
  if (Array.isArray(config)) return config.flat(1);
  return config && typeof config === 'object' ? Object.values(config) : [];
}

function metadata(table: Table, symbol: symbol): unknown {
  return (table as unknown as { [key: symbol]: unknown })[symbol];
}

/** Drizzle's class names of an object, most derived first; `is()` compares the same names. */
function entityKinds(value: unknown): string[] {
  const kinds: string[] = [];
  if (!value || typeof value !== 'object') return kinds;
  // A table has its columns as properties of its own, of which one may be called `constructor`.
  let type: unknown = (Object.getPrototypeOf(value) as object | null)?.constructor;
  while (typeof type === 'function') {
    const kind = (type as { [entityKind]?: unknown })[entityKind];
    if (typeof kind === 'string') kinds.push(kind);
    type = Object.getPrototypeOf(type);
  }
  return kinds;
}
