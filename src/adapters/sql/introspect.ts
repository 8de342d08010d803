/** `introspect`: reads the tables of a database from its catalogue and returns them as a registry. */

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
import type { SqlColumn, SqlTables } from './tables.ts';

/** Options of `introspect`. */
export interface IntrospectOptions {
  /** Schema whose tables are read. Default: the connection's default schema. */
  readonly schema?: string | undefined;
  /** Names of the tables to read. Default: all tables of the schema. */
  readonly tables?: readonly string[] | undefined;
  /**
   * How database names become paths and model names: `created_at` as `createdAt`, or unchanged. Default `camelCase`.
   */
  readonly naming?: Naming | undefined;
}

const optionTable = {
  schema: option.nonEmptyString,
  tables: option.listOf(option.string),
  naming: option.oneOf('camelCase', 'as-is'),
} satisfies OptionTableOf<IntrospectOptions>;

/** A table that is not in the registry. */
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
 * Columns whose type has no kind are opaque. Views and tables without a primary key are left out, with the reason in
 * `skipped`.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when an option does not exist or has the wrong type, the connection
 * is not of a supported type, or the schema has no table that can be listed
 */
export async function introspect(
  connection: SqlConnection,
  options: IntrospectOptions = {},
): Promise<IntrospectedRegistry> {
  checkOptions('introspect', options, optionTable, (message) => configurationError(message));
  const { schema, tables: wanted, naming = 'camelCase' } = options;
  const execute = executorOf(connection, { namedStatements: false });
  const all = await families[execute.family].readCatalogue(execute, schema ?? null);
  const read = wanted ? all.filter(({ name }) => wanted.includes(name)) : all;
  const missing = wanted?.find((name) => !all.some((table) => table.name === name));
  if (missing !== undefined) {
    throw configurationError(`The schema has no table "${missing}"; views are not read.`);
  }
  const skipped: SkippedPart[] = [];
  const modelNames = namesOf(naming);
  const found = read.flatMap((table): FoundTable[] => {
    const columns = columnsOf(table, naming, families[execute.family].dialect);
    const key = table.primaryKey.flatMap((name) => columns.get(name) ?? []);
    const primaryKey = key.map(({ path }) => path);
    const reason =
      key.length === 0
        ? 'it has no primary key'
        : key.some(({ kind }) => kindRow(kind).order === 'none') &&
          'its primary key has a type without an order';
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

/** The columns by name, with their kinds. */
function columnsOf(
  { columns }: CatalogueTable,
  naming: Naming,
  dialect: Dialect,
): FoundTable['columns'] {
  const paths = namesOf(naming);
  return new Map(
    columns.map((column) => {
      const kind = column.enumValues ? 'enum' : (kindOfType(column.type) ?? 'opaque');
      // The type alone may not determine how the column stores its kind, as with instants in SQLite.
      const known = dialect.storageOf(column.type, kind) ? kind : 'opaque';
      return [column.name, { path: paths(column.name), column, kind: known }];
    }),
  );
}

function declared(path: string, { column, kind }: FoundColumn): SqlColumn {
  const { name, type, nullable, enumValues } = column;
  return {
    type,
    ...(name !== path && { column: name }),
    ...(nullable && { nullable }),
    ...(kind === 'opaque' ? { kind } : enumValues && { enumValues }),
  };
}
