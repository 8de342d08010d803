/**
 * The members of Drizzle's objects that its types do not declare or keep private, as 0.44 to 0.45 have them: metadata of
 * tables, and the session of a database. A database without a session is refused; without `logger`, `queryConfig` and
 * `stmt`, statements run by Drizzle's own objects, which is slower.
 */

import { type Column, Placeholder, type SQL, type Table, type View, entityKind } from 'drizzle-orm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { notInEffect } from '../../lib/index.ts';
import { type Rows, type TypeParsers, families } from '../../relational/index.ts';

// Drizzle registers its metadata under global symbols, so that two copies of the package are compatible.
// `getTableConfig` returns the same metadata, but each dialect has its own and loads the whole dialect.
const symbolNamed = (name: string): symbol => Symbol.for(`drizzle:${name}`);
const schemaName = symbolNamed('Schema');
const extraConfigBuilder = symbolNamed('ExtraConfigBuilder');
const extraConfigColumns = symbolNamed('ExtraConfigColumns');
const tableColumns = symbolNamed('Columns');
const viewConfig = symbolNamed('ViewBaseConfig');

function metadata(table: Table | View, symbol: symbol): unknown {
  return (table as unknown as { [key: symbol]: unknown })[symbol];
}

/** The schema of a table; `undefined` for that of the connection. */
export function schemaNameOf(table: Table): string | undefined {
  const name = metadata(table, schemaName);
  return typeof name === 'string' ? name : undefined;
}

/** Sets the columns of a table. */
export function setColumns(table: Table, columns: Readonly<Record<string, Column>>): void {
  Object.assign(table, { [tableColumns]: columns });
}

interface ViewConfig {
  readonly name: string;
  readonly schema?: string | undefined;
  readonly selectedFields: { readonly [property: string]: unknown };
}

/** The name and the selected fields of a view. */
export const viewConfigOf = (view: View): ViewConfig => metadata(view, viewConfig) as ViewConfig;

/** The keys, indexes and checks that are declared on the table. */
export function extraConfigOf(table: Table): unknown[] {
  const build = metadata(table, extraConfigBuilder);
  if (typeof build !== 'function') return [];
  const config: unknown = build(metadata(table, extraConfigColumns));
  if (Array.isArray(config)) return config.flat(1);
  return config && typeof config === 'object' ? Object.values(config) : [];
}

/** The foreign keys that are declared on columns; `dialect` is Drizzle's own name of the family. */
export function inlineForeignKeysOf(table: Table, dialect: string): readonly unknown[] {
  const keys = metadata(table, symbolNamed(`${dialect}InlineForeignKeys`));
  return Array.isArray(keys) ? keys : [];
}

/** The columns of a primary key or a unique constraint that is being built. */
export const columnsOf = (key: unknown): readonly Column[] =>
  (key as { readonly columns: readonly Column[] }).columns;

interface IndexConfig {
  readonly unique?: boolean;
  readonly where?: unknown;
  /** Columns; an expression has no name. */
  readonly columns: readonly { readonly name?: string }[];
}

/** The parts of an index that is being built. */
export const indexConfigOf = (index: unknown): IndexConfig =>
  (index as { readonly config: IndexConfig }).config;

interface Reference {
  readonly columns: readonly Column[];
  readonly foreignTable: Table;
  readonly foreignColumns: readonly Column[];
}

/** The columns that a foreign key joins. */
export const referenceOf = (key: unknown): Reference =>
  (key as { reference(): Reference }).reference();

interface CasingCache {
  getColumnCasing(column: Column): string | undefined;
  readonly convert?: (name: string) => string;
}

const casingOf = (db: unknown) =>
  (db as { dialect?: { casing?: Partial<CasingCache> } } | null)?.dialect?.casing;

/** The function by which a Drizzle handle renames columns: one for each setting, which handles share. */
export const renamingOf = (db: unknown): CasingCache['convert'] => casingOf(db)?.convert;

/**
 * The column names that a Drizzle handle uses. `drizzle({ casing })` renames the columns that were declared without a
 * name; the handle's dialect has the new names, the tables do not.
 */
export function columnNamingOf(db: unknown): (column: Column) => string {
  const casing = casingOf(db);
  if (typeof casing?.getColumnCasing !== 'function') {
    notInEffect('the option "casing" of a "drizzle-orm" database', 'it is passed over');
    return (column) => column.name;
  }
  const { convert = (name: string) => name } = casing;
  // Drizzle has looked at the columns of one table object for each table name, and knows no others.
  return (column) => (casing as CasingCache).getColumnCasing(column) ?? convert(column.name);
}

/** The condition of a select builder so far. */
export const conditionOf = (builder: object): SQL | undefined =>
  (builder as { readonly config: { readonly where?: SQL } }).config.where;

/** The additional members of a prepared statement of node-postgres's session. */
interface NodePgPrepared {
  readonly logger?: { logQuery(text: string, values: unknown[]): void };
  readonly queryConfig?: { readonly types?: PgTypes };
}

/** The additional members of a prepared statement of better-sqlite3's session. */
interface BetterSqlitePrepared {
  readonly logger?: NodePgPrepared['logger'];
  readonly stmt?: {
    /** Only statements of this driver have it; `raw` of others runs them. */
    readonly pluck?: unknown;
    raw(): { all(...values: readonly unknown[]): Rows };
  };
}

/** The additional member of a prepared statement of mysql2's session: the options of its query. */
interface Mysql2Prepared {
  readonly query?: { readonly rowsAsArray?: boolean; nestTables?: boolean };
}

/** Parsers of types as `pg` takes them, with Drizzle's exceptions. */
interface PgTypes {
  getTypeParser(oid: number, format: 'text'): (text: string) => unknown;
}

/** A statement prepared in a session. */
export interface PreparedStatement {
  /** Tells the logger of the session of a run outside of Drizzle. */
  log?(values: readonly unknown[]): void;
  /** The parsers of columns, where the session's are known. */
  readonly parsers?: TypeParsers | undefined;
  /** Default `client`: that of the session. */
  run(values: readonly unknown[], client?: object): Promise<Rows> | Rows;
}

/** The part of a Drizzle database or transaction that Sluice uses; every driver has it. */
export interface DrizzleHandle {
  readonly session: DrizzleSession;
  readonly dialect: object;
}

interface DrizzleSession {
  readonly client?: object;
  prepareQuery(query: { sql: string; params: unknown[] }, ...rest: unknown[]): DrizzlePrepared;
}

interface DrizzlePrepared {
  /** The function for rows that the session was given. */
  readonly customResultMapper?: unknown;
  execute(values: object): Promise<Rows>;
  all(values: object): Promise<Rows> | Rows;
  values(values: object): Promise<Rows> | Rows;
}

/** Whether a value is a Drizzle database or transaction. */
export const hasSession = (db: object): db is DrizzleHandle =>
  typeof (db as Partial<DrizzleHandle>).session?.prepareQuery === 'function';

/** The session of a database, a transaction or a builder. */
export const sessionOf = ({ session }: Pick<DrizzleHandle, 'session'>): DrizzleSession => session;

/** The pool or connection of the driver, in all sessions whose statements can be ended. */
export const clientOf = ({ session }: DrizzleHandle): object | undefined => session.client;

/** A database like another one on a session of its own. */
export const handleOn = (session: DrizzleSession, { dialect }: DrizzleHandle): DrizzleHandle => ({
  session,
  dialect,
});

const asRows = (rows: Rows): Rows => rows;

/**
 * How a family's session is called: arguments after the query, and the method of a prepared statement that returns
 * rows.
 */
interface SessionForm {
  rest(name: string | undefined): unknown[];
  readonly method: 'execute' | 'all';
}

/** Rows are returned as arrays, without conversion. */
const forms: Readonly<Record<DatabaseFamily, SessionForm>> = {
  postgresql: { rest: (name) => [undefined, name, true, asRows], method: 'execute' },
  mysql: { rest: () => [undefined, asRows], method: 'execute' },
  sqlite: { rest: () => [undefined, 'all', true, asRows], method: 'all' },
};

const placeholders: Placeholder[] = [];

/** Placeholders named by position, so that an array of values serves as the record of values. */
function positional(count: number): Placeholder[] {
  while (placeholders.length < count)
    placeholders.push(new Placeholder(String(placeholders.length)));
  return placeholders.slice(0, count);
}

/** Prepares SQL in the handle's session. `name` creates a named statement where the driver supports them. */
export function prepareIn(
  handle: DrizzleHandle,
  family: DatabaseFamily,
  text: string,
  parameters: number,
  name: string | undefined,
): PreparedStatement {
  const { rest, method } = forms[family];
  const query = { sql: text, params: positional(parameters) };
  const prepared = handle.session.prepareQuery(query, ...rest(name));
  tellLacking(prepared);
  listRows(prepared);
  const { textValues } = families[family];
  const on = (client: object | undefined): DrizzlePrepared =>
    client ? (Object.create(prepared, { client: { value: client } }) as DrizzlePrepared) : prepared;
  if (method === 'all') {
    // The session of sql.js passes no function for rows on, without which they are objects.
    const all = prepared.customResultMapper ? 'all' : 'values';
    return keptStatement(prepared, text) ?? { run: (values) => prepared[all](values) };
  }
  const { logger, queryConfig } = prepared as NodePgPrepared;
  const types = queryConfig?.types;
  return {
    run: (values, client) => on(client).execute(textValues(values)),
    ...(logger && { log: (values) => logger.logQuery(text, values as unknown[]) }),
    ...(logger && types && { parsers: (oid) => types.getTypeParser(oid, 'text') }),
  };
}

/** Members of the prepared statements of sessions, by Drizzle's names of their classes. */
const members: ReadonlyMap<unknown, readonly string[]> = new Map([
  ['NodePgPreparedQuery', ['client', 'logger', 'queryConfig']],
  ['MySql2PreparedQuery', ['client', 'query']],
  ['BetterSQLitePreparedQuery', ['logger', 'stmt']],
]);

function tellLacking(prepared: object): void {
  const { [entityKind]: kind } = prepared.constructor as { readonly [entityKind]?: unknown };
  const lacking = members.get(kind)?.find((name) => !(name in prepared));
  if (lacking === undefined) return;
  notInEffect(
    `"${lacking}" of a prepared statement of "drizzle-orm"`,
    'statements run without it, which is slower, or on another connection of the pool',
  );
}

/** On mysql2, a pool with the setting `nestTables` would give objects in the place of lists. */
function listRows(prepared: object): void {
  const { query } = prepared as Mysql2Prepared;
  if (query?.rowsAsArray) query.nestTables = false;
}

/** A statement of better-sqlite3 without Drizzle's object for each run; `undefined` for sessions of other drivers. */
function keptStatement(prepared: object, text: string): PreparedStatement | undefined {
  const { logger, stmt } = prepared as BetterSqlitePrepared;
  if (!logger || typeof stmt?.pluck !== 'function') return undefined;
  const kept = stmt.raw();
  return {
    run: (values) => {
      logger.logQuery(text, values as unknown[]);
      return kept.all(...values);
    },
  };
}
