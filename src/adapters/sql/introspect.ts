/** `introspect`: reads the tables and views of a database from its catalogue and returns them as a registry. */

import { checkOptions, knownNames, type OptionTableOf } from '../../lib/index.ts';
import * as option from '../../lib/option-rows.ts';
import { type CatalogueTable, type Dialect, families, kindOfType } from '../../relational/index.ts';
import {
  type SchemaRegistry,
  type SkippedPart,
  configurationError,
  kindRow,
} from '../../schema/index.ts';
import { type SqlConnection, executorOf } from './executors/recognise.ts';
import { type Naming, nameOf, namesOf } from './introspect-names.ts';
import { type FoundColumn, type FoundTable, relationsOf } from './introspect-relations.ts';
import { sqlRegistry } from './registry.ts';
import { type Paths, type SqlColumn, type SqlTables, listOf } from './tables.ts';

/** Options of `introspect`. */
export interface IntrospectOptions {
  /**
   * The schema whose tables are read, or several: schemas of PostgreSQL, databases of MySQL and MariaDB, attached databases
   * of SQLite. Relations between them are found. Where two of them have a table of one name, the names of both models begin
   * with their schema: `billingUsers` and `publicUsers`. Default: the connection's default schema.
   */
  readonly schema?: string | readonly string[] | undefined;
  /**
   * Names of the tables and views to read, with or without the name of their schema: `users`, `billing.users`. Default:
   * all of the schemas.
   */
  readonly tables?: readonly string[] | undefined;
  /**
   * The columns that identify a row of a view, of a materialised view or of a table without a primary key, by its name, as
   * they are named in the database: `{ film_list: 'fid' }`, or `{ 'billing.film_list': 'fid' }`. Their values must be unique
   * and not null, which `introspect` does not check: lists would repeat or miss rows. Default: views and tables without a
   * primary key are left out.
   */
  readonly keys?: { readonly [table: string]: Paths } | undefined;
  /**
   * How database names become paths and model names: `created_at` as `createdAt`, or unchanged. Default `camelCase`.
   */
  readonly naming?: Naming | undefined;
  /** Whether a foreign key to columns without a unique index is refused, by name. Default `false`. */
  readonly strict?: boolean | undefined;
}

const optionTable = {
  schema: option.either(option.nonEmptyString, option.nonEmptyListOf(option.nonEmptyString)),
  tables: option.listOf(option.string),
  keys: option.recordOf(option.either(option.nonEmptyString, option.listOf(option.nonEmptyString))),
  naming: option.oneOf('camelCase', 'as-is'),
  strict: option.boolean,
} satisfies OptionTableOf<IntrospectOptions>;

/** A `one` relation whose columns may find several rows. */
export interface FirstRow {
  /** The relation as `model.path`. */
  readonly relation: string;
  /** English text that names the table and its columns. */
  readonly reason: string;
}

/** A registry with the tables that it was made from. */
export interface IntrospectedRegistry extends SchemaRegistry {
  /** Pass these to `sqlSource`. */
  readonly tables: SqlTables;
  /** Parts that are not in the registry, or only in part. Tables that the option `tables` does not name are not in the list. */
  readonly skipped: readonly SkippedPart[];
  /** The relations that are read as their first row by the primary key, because no index keeps their columns unique. */
  readonly firstRows: readonly FirstRow[];
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
  const { schema, tables: wanted, keys = {}, naming = 'camelCase', strict } = options;
  const execute = executorOf(connection, { namedStatements: false });
  const { familyTools } = await import('../../relational/tools/index.ts');
  const { readCatalogue } = familyTools[execute.family];
  const schemas = schema === undefined ? [null] : new Set(listOf(schema));
  const all: CatalogueTable[] = [];
  for (const each of schemas) {
    const own = await readCatalogue(execute, each, Object.keys(keys));
    if (own.length === 0 && each !== null) {
      throw configurationError(`introspect, "schema": "${each}" has no tables, or does not exist.`);
    }
    all.push(...own);
  }
  const read = wanted ? all.filter((table) => wanted.some((name) => isNamed(table, name))) : all;
  const missing = wanted?.find((name) => !all.some((table) => isNamed(table, name)));
  if (missing !== undefined) {
    const known = knownNames(missing, namesIn(all));
    throw configurationError(`The schema has no table or view "${missing}"; it has ${known}.`);
  }
  const { dialect } = families[execute.family];
  checkKeys(keys, read, dialect);
  const skipped: SkippedPart[] = [];
  const skip = (
    { schema: of, name }: CatalogueTable,
    part: Omit<SkippedPart, 'schema' | 'table'>,
  ): void => {
    skipped.push({ ...(schema !== undefined && { schema: of }), table: name, ...part });
  };
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
        skip(table, { reason });
        return [];
      }
      for (const { column, kind } of columns.values()) {
        const { name, type } = column;
        if (kind === 'opaque')
          skip(table, {
            column: name,
            reason: `its type "${type}" does not determine a kind: it is only shown`,
          });
      }
      return [{ table, columns, primaryKey, model: '' }];
    });
  const { related, left } = relationsOf(withModels(found, naming), naming, {
    schemas: new Set(all.map((table) => table.schema)),
    areWritten: schema !== undefined,
  });
  for (const { table, key, reason } of left) skip(table, { foreignKey: key.columns, reason });
  if (related.length === 0) {
    const known = knownNames('', namesIn(read));
    throw configurationError(
      `The schema has no table with a primary key; it has ${known}. Name a key in "keys", or select another schema.`,
    );
  }
  const tables: SqlTables = Object.fromEntries(
    related.map(({ found: { table, columns, primaryKey, model }, relations: own }) => [
      model,
      {
        table: table.name,
        // The connection's default schema is not written, because it may differ between connections.
        ...(schema !== undefined && { schema: table.schema }),
        primaryKey,
        ...uniqueKeysOf({ table, columns, primaryKey }),
        columns: Object.fromEntries(
          [...columns.values()].map((column) => [column.path, declared(column.path, column)]),
        ),
        relations: Object.fromEntries(own),
      },
    ]),
  );
  const firstRows = firstRowsOf(tables);
  if (strict && firstRows.length > 0) {
    const each = firstRows.map(({ relation, reason }) => `${relation}: ${reason}`);
    throw configurationError(`introspect, "strict": ${each.join('; ')}; add the index.`);
  }
  return Object.assign(sqlRegistry(tables, { families: [execute.family] }) as SchemaRegistry, {
    tables,
    skipped,
    firstRows,
  });
}

/** The tables with their models. A name that tables of several schemas would share begins with that of the schema. */
function withModels(found: readonly FoundTable[], naming: Naming): FoundTable[] {
  const alike = Map.groupBy(found, ({ table }) => nameOf(table.name, naming));
  const free = namesOf(naming);
  return found.map((each) => {
    const { name, schema } = each.table;
    const others = alike.get(nameOf(name, naming)) ?? [];
    const isShared = others.some(({ table }) => table.schema !== schema);
    return { ...each, model: free(isShared ? `${schema}_${name}` : name) };
  });
}

/** The paths of the unique keys beside the primary key. */
function uniqueKeysOf({ table, columns, primaryKey }: Omit<FoundTable, 'model'>) {
  const uniqueKeys = table.uniqueKeys
    .map((key) => key.flatMap((name) => columns.get(name)?.path ?? []))
    .filter(
      (paths, at) =>
        paths.length > 0 &&
        paths.length === table.uniqueKeys[at]?.length &&
        paths.join() !== primaryKey.join(),
    );
  return uniqueKeys.length > 0 && { uniqueKeys };
}

/** The relations to one row whose columns have no unique key in the catalogue. */
function firstRowsOf(tables: SqlTables): FirstRow[] {
  return Object.entries(tables).flatMap(([model, { relations = {} }]) =>
    Object.entries(relations).flatMap(([path, relation]) => {
      const target = 'one' in relation ? tables[relation.one] : undefined;
      if (!target) return [];
      const to = listOf(relation.to ?? target.primaryKey);
      const keys = [target.primaryKey, ...(target.uniqueKeys ?? [])].map(listOf);
      if (keys.some((key) => key.every((part) => to.includes(part)))) return [];
      const reason = `table ${target.table} has no unique index on its columns ${to.join(', ')}`;
      return [{ relation: `${model}.${path}`, reason }];
    }),
  );
}

type Keys = NonNullable<IntrospectOptions['keys']>;

const namesIn = (tables: readonly CatalogueTable[]): string[] => tables.map(({ name }) => name);

/** Whether a name in the options means the table. */
const isNamed = ({ schema, name }: CatalogueTable, said: string): boolean =>
  said === name || said === `${schema}.${name}`;

/** The columns of the declared key of a table. */
function keyColumns(keys: Keys, { schema, name }: CatalogueTable): readonly string[] {
  const said = [`${schema}.${name}`, name].find((each) => Object.hasOwn(keys, each));
  return said === undefined ? [] : listOf(keys[said] ?? []);
}

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
    const named = tables.filter((table) => isNamed(table, name));
    if (named.length === 0) return [`"${name}" is not one of the tables and views that are read`];
    return named.flatMap((table) => mistakesOf(keys, table, name, dialect));
  });
  if (mistakes.length > 0) throw configurationError(`introspect, "keys": ${mistakes.join('; ')}.`);
}

function mistakesOf(keys: Keys, table: CatalogueTable, name: string, dialect: Dialect): string[] {
  if (table.primaryKey.length > 0) return [`"${name}" has a primary key`];
  const columns = columnsOf(keyed(table, keys), 'as-is', dialect);
  const key = keyColumns(keys, table);
  if (key.length === 0) return [`"${name}" must have a column`];
  return key.flatMap((part) => {
    const kind = columns.get(part)?.kind;
    if (!kind) return [`"${name}" has no column "${part}"`];
    return kindRow(kind).order === 'none' ? [`"${name}.${part}" has a type without an order`] : [];
  });
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
