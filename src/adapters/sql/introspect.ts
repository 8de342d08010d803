/** `introspect`: reads the tables and views of a database from its catalogue and returns them as a registry. */

import { checkOptions } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import type { OptionTableOf } from '../../lib/index.ts';
import { type CatalogueTable, type Dialect, families } from '../../relational/index.ts';
import { type SchemaRegistry, configurationError, kindRow } from '../../schema/index.ts';
import { kindOfType } from './column-kinds.ts';
import { type SqlConnection, executorOf } from './executors/recognise.ts';
import { type Naming, namesOf } from './introspect-names.ts';
import { type FoundColumn, type FoundTable, relationsOf } from './introspect-relations.ts';
import { sqlRegistry } from './registry.ts';
import { type Paths, type SqlColumn, type SqlTables, listOf } from './tables.ts';

/** Options of `introspect`. */
export interface IntrospectOptions {
  /** Schema whose tables are read. Default: the connection's default schema. */
  readonly schema?: string | undefined;
  /** Names of the tables and views to read. Default: all of the schema. */
  readonly tables?: readonly string[] | undefined;
  /**
   * The columns that identify a row of a view, of a materialised view or of a table without a primary key, by its name, as
   * they are named in the database: `{ film_list: 'fid' }`. Their values must be unique and not null, which `introspect`
   * does not check: lists would repeat or miss rows. Default: views and tables without a primary key are left out.
   */
  readonly keys?: { readonly [table: string]: Paths } | undefined;
  /**
   * How database names become paths and model names: `created_at` as `createdAt`, or unchanged. Default `camelCase`.
   */
  readonly naming?: Naming | undefined;
}

const optionTable = {
  schema: option.nonEmptyString,
  tables: option.listOf(option.string),
  keys: option.recordOf(option.either(option.nonEmptyString, option.listOf(option.nonEmptyString))),
  naming: option.oneOf('camelCase', 'as-is'),
} satisfies OptionTableOf<IntrospectOptions>;

/** A table or view that is not in the registry. */
export interface SkippedPart {
  /** Name of the table. */
  readonly table: string;
  /** English text that says why. */
  readonly reason: string;
}

/** A registry with the tables that it was made from. */
export interface IntrospectedRegistry extends SchemaRegistry {
  /** Pass these to `sqlSource`. */
  readonly tables: SqlTables;
  readonly skipped: readonly SkippedPart[];
}

/**
 * Reads tables, primary keys, enums and foreign keys. A model has the name of its table. A foreign key gives a `one`
 * relation with the name of its column (`manager_id` gives `manager`), and at the other end a `many` relation with the
 * name of the table, or `employeesByManager` where one table references another more than once; a `one` relation where
 * the key is unique. A join table gives each of its two tables a `many` relation, and does not become a model.
 *
 * Columns whose type has no kind are opaque. A view is taken where `keys` names its key; other views, and tables without a
 * primary key, are left out, with the reason in `skipped`.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option does not exist or has the wrong type, the connection
 * is not of a supported type, a key is not one, or the schema has no table that can be listed
 */
export async function introspect(
  connection: SqlConnection,
  options: IntrospectOptions = {},
): Promise<IntrospectedRegistry> {
  checkOptions('introspect', options, optionTable, (message) => configurationError(message));
  const { schema, tables: wanted, keys = {}, naming = 'camelCase' } = options;
  const execute = executorOf(connection, { namedStatements: false });
  const { familyTools } = await import('../../relational/tools/index.ts');
  const all = await familyTools[execute.family].readCatalogue(
    execute,
    schema ?? null,
    Object.keys(keys),
  );
  const read = wanted ? all.filter(({ name }) => wanted.includes(name)) : all;
  const missing = wanted?.find((name) => !all.some((table) => table.name === name));
  if (missing !== undefined) {
    throw configurationError(`The schema has no table or view "${missing}".`);
  }
  const { dialect } = families[execute.family];
  checkKeys(keys, read, dialect);
  const skipped: SkippedPart[] = [];
  const modelNames = namesOf(naming);
  const found = read
    .map((table) => keyed(table, keys))
    .flatMap((table): FoundTable[] => {
      const columns = columnsOf(table, naming, dialect);
      const key = table.primaryKey.flatMap((name) => columns.get(name) ?? []);
      const primaryKey = key.map(({ path }) => path);
      const reason =
        key.length === 0
          ? table.isView
            ? 'it is a view without a key in "keys"'
            : 'it has no primary key'
          : key.some(({ kind }) => kindRow(kind).order === 'none') &&
            'its primary key has a type without an order; UUIDs as bytes are listed where a declared table gives them kind "uuid"';
      if (reason) {
        skipped.push({ table: table.name, reason });
        return [];
      }
      return [{ table, columns, primaryKey, model: '' }];
    });
  const relations = relationsOf(
    found.map((each) => ({ ...each, model: modelNames(each.table.name) })),
    naming,
    schema,
  );
  if (relations.length === 0) {
    throw configurationError('The schema has no table with a primary key; select another schema.');
  }
  const tables: SqlTables = Object.fromEntries(
    relations.map(({ found: { table, columns, primaryKey, model }, relations: own }) => [
      model,
      {
        table: table.name,
        // The connection's default schema is not written, because it may differ between connections.
        ...(schema !== undefined && { schema }),
        primaryKey,
        columns: Object.fromEntries(
          [...columns.values()].map((column) => [column.path, declared(column.path, column)]),
        ),
        relations: Object.fromEntries(own),
      },
    ]),
  );
  return Object.assign(sqlRegistry(tables, { families: [execute.family] }) as SchemaRegistry, {
    tables,
    skipped,
  });
}

type Keys = NonNullable<IntrospectOptions['keys']>;

/** The columns of the declared key of a table. */
const keyColumns = (keys: Keys, { name }: CatalogueTable): readonly string[] =>
  Object.hasOwn(keys, name) ? listOf(keys[name] ?? []) : [];

/** The table with the key that is declared for it, whose columns do not hold null. */
function keyed(table: CatalogueTable, keys: Keys): CatalogueTable {
  const key = keyColumns(keys, table);
  if (key.length === 0) return table;
  const columns = table.columns.map((column) =>
    key.includes(column.name) ? { ...column, nullable: false } : column,
  );
  return { ...table, columns, primaryKey: key };
}

function checkKeys(keys: Keys, tables: readonly CatalogueTable[], dialect: Dialect): void {
  const mistakes = Object.keys(keys).flatMap((name): string[] => {
    const table = tables.find((each) => each.name === name);
    if (!table) return [`"${name}" is not one of the tables and views that are read`];
    if (table.primaryKey.length > 0) return [`"${name}" has a primary key`];
    const columns = columnsOf(keyed(table, keys), 'as-is', dialect);
    const key = keyColumns(keys, table);
    if (key.length === 0) return [`"${name}" must have a column`];
    return key.flatMap((part) => {
      const kind = columns.get(part)?.kind;
      if (!kind) return [`"${name}" has no column "${part}"`];
      return kindRow(kind).order === 'none'
        ? [`"${name}.${part}" has a type without an order`]
        : [];
    });
  });
  if (mistakes.length > 0) throw configurationError(`introspect, "keys": ${mistakes.join('; ')}.`);
}

/** The columns by name, with their kinds. Those of 16 bytes that identify rows are UUIDs. */
function columnsOf(
  { columns, primaryKey, foreignKeys }: CatalogueTable,
  naming: Naming,
  dialect: Dialect,
): FoundTable['columns'] {
  const paths = namesOf(naming);
  const identifying = new Set([...primaryKey, ...foreignKeys.flatMap((key) => key.columns)]);
  return new Map(
    columns.map((column) => {
      const isUuid = identifying.has(column.name) && /^binary\(16\)$/i.test(column.type);
      const typed = column.enumValues ? 'enum' : (kindOfType(column.type) ?? 'opaque');
      const kind = isUuid ? 'uuid' : typed;
      // The type alone may not determine how the column stores its kind, as with instants in SQLite.
      const known = dialect.storageOf(column.type, kind) ? kind : 'opaque';
      return [column.name, { path: paths(column.name), column, kind: known }];
    }),
  );
}

function declared(path: string, { column, kind }: FoundColumn): SqlColumn {
  const { name, type, nullable, enumValues, notNull } = column;
  const isUuid = kind === 'uuid' && kindOfType(type) !== kind;
  return {
    type,
    ...(name !== path && { column: name }),
    ...((nullable || notNull) && { nullable }),
    ...(kind === 'opaque' || isUuid ? { kind } : enumValues && { enumValues }),
  };
}
