/** Reads the metadata of Drizzle tables without loading any dialect's module. */

import { Column, entityKind, getTableColumns, getTableName, is, Table } from 'drizzle-orm';
import type { DrizzleEntityClass, View } from 'drizzle-orm';
import { isObject, oncePer } from '../../../lib/index.ts';
import type { DatabaseFamily } from '../../../rules/index.ts';
import { configurationError } from '../../../schema/index.ts';
import type { TableRef } from '../../../relational/index.ts';
import {
  columnsOf,
  extraConfigOf,
  indexConfigOf,
  inlineForeignKeysOf,
  referenceOf,
  schemaNameOf,
  setColumns,
  viewConfigOf,
} from '../foreign.ts';

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

const families: ReadonlyMap<string, FamilyRow> = new Map([
  ['PgTable', { family: 'postgresql', dialect: 'Pg' }],
  ['PgViewBase', { family: 'postgresql', dialect: 'Pg' }],
  ['MySqlTable', { family: 'mysql', dialect: 'MySql' }],
  ['MySqlViewBase', { family: 'mysql', dialect: 'MySql' }],
  ['SQLiteTable', { family: 'sqlite', dialect: 'SQLite' }],
  ['SQLiteViewBase', { family: 'sqlite', dialect: 'SQLite' }],
]);

interface FamilyRow {
  readonly family: DatabaseFamily;
  /** Drizzle's own name of the family. */
  readonly dialect: string;
}

/** The views behind tables that stand for them. */
const views = new WeakMap<object, View>();

/** A table with the name and the columns of a view. Selected expressions, whose type is not known, are left out. */
export const viewAsTable = oncePer((view: View): Table => {
  const { name, schema, selectedFields } = viewConfigOf(view);
  const columns = Object.entries(selectedFields).filter(([, field]) => is(field, Column));
  const table = new Table(name, schema, name);
  setColumns(table, Object.fromEntries(columns) as Record<string, Column>);
  views.set(table, view);
  return table;
});

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
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when a table is of another family, naming the model, or there is no
 * table.
 */
export function familyOfTables(tables: DrizzleTables): DatabaseFamily {
  let family: DatabaseFamily | undefined;
  for (const [model, table] of Object.entries(tables)) {
    const own = familyOf(table);
    family ??= own;
    if (own !== family) {
      throw configurationError(
        `${model}: a ${own} table among ${family} tables; make one registry for each database family.`,
        { model },
      );
    }
  }
  if (!family)
    throw configurationError(
      'The tables have no Drizzle table among them; pass results of pgTable, mysqlTable or sqliteTable by model name, such as { user: users }.',
    );
  return family;
}

/** Schema and name of a table, unquoted. */
export function tableRefOf(table: Table): TableRef {
  return { schema: schemaNameOf(table), name: getTableName(table) };
}

/** The properties of the primary key in key order, declared on a column or on the table. */
export function primaryKeyOf(table: Table): string[] {
  const columns = Object.entries(getTableColumns(table));
  for (const entry of extraConfigOf(table)) {
    if (!entityKinds(entry).some((kind) => kind.endsWith('PrimaryKeyBuilder'))) continue;
    const names = columnsOf(entry).map((column) => column.name);
    return names.flatMap((name) => columns.find(([, column]) => column.name === name)?.[0] ?? []);
  }
  return columns.flatMap(([property, column]) => (column.primary ? [property] : []));
}

/** The columns of each primary or unique key, and of each unique index without a condition or an expression. */
export function uniqueKeysOf(table: Table): (readonly Column[])[] {
  const columns = getTableColumns(table);
  const keys: (readonly Column[])[] = Object.values(columns).flatMap((column) =>
    column.isUnique ? [[column]] : [],
  );
  keys.push(primaryKeyOf(table).flatMap((property) => columns[property] ?? []));
  for (const entry of extraConfigOf(table)) {
    const kinds = entityKinds(entry);
    if (kinds.some((kind) => kind.endsWith('UniqueConstraintBuilder'))) {
      keys.push(columnsOf(entry));
    } else if (kinds.some((kind) => kind.endsWith('IndexBuilder'))) {
      const { unique, where, columns: indexed } = indexConfigOf(entry);
      const named = indexed.flatMap(({ name }) =>
        Object.values(columns).filter((column) => column.name === name),
      );
      if (unique && !where && named.length === indexed.length) keys.push(named);
    }
  }
  return keys;
}

/** The foreign keys that the columns or the table declare. */
export function foreignKeysOf(table: Table): ColumnLink[] {
  const inline = inlineForeignKeysOf(table, familyRowOf(table).dialect);
  const declared = extraConfigOf(table).filter((entry) =>
    entityKinds(entry).some((kind) => kind.endsWith('ForeignKeyBuilder')),
  );
  return [...inline, ...declared].map((key) => {
    const { columns, foreignTable, foreignColumns } = referenceOf(key);
    return { from: columns, table: foreignTable, to: foreignColumns };
  });
}

/** Drizzle's `is`, which fails on objects without a prototype, such as a module among the exports of a schema. */
export const isA = <Entity>(value: unknown, type: DrizzleEntityClass<Entity>): value is Entity =>
  isObject(value) && Object.getPrototypeOf(value) !== null && is(value, type);

/** Drizzle's class names of an object, most derived first; `is()` compares the same names. */
function entityKinds(given: unknown): string[] {
  const kinds: string[] = [];
  if (!given || typeof given !== 'object') return kinds;
  const value = views.get(given) ?? given;
  // A table has its columns as properties of its own, of which one may be called `constructor`.
  let type: unknown = (Object.getPrototypeOf(value) as object | null)?.constructor;
  while (typeof type === 'function') {
    const kind = (type as { [entityKind]?: unknown })[entityKind];
    if (typeof kind === 'string') kinds.push(kind);
    type = Object.getPrototypeOf(type);
  }
  return kinds;
}
