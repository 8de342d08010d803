/** Prepared statements of a Drizzle session, which each family's session creates in its own way. */

import { Placeholder } from 'drizzle-orm';
import type { DatabaseFamily } from '../../rules/index.ts';
import { type Rows, type TypeParsers, families } from '../../relational/index.ts';

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
  /** The pool or connection of the driver, in all sessions whose statements can be ended. */
  readonly client?: object;
  prepareQuery(query: { sql: string; params: unknown[] }, ...rest: unknown[]): DrizzlePrepared;
}

interface DrizzlePrepared {
  execute(values: object): Promise<Rows>;
  all(values: object): Promise<Rows> | Rows;
}

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
  listRows(prepared);
  const { textValues } = families[family];
  const on = (client: object | undefined): DrizzlePrepared =>
    client ? (Object.create(prepared, { client: { value: client } }) as DrizzlePrepared) : prepared;
  if (method === 'all')
    return keptStatement(prepared, text) ?? { run: (values) => prepared.all(values) };
  const { logger, queryConfig } = prepared as NodePgPrepared;
  const types = queryConfig?.types;
  return {
    run: (values, client) => on(client).execute(textValues(values)),
    ...(logger && { log: (values) => logger.logQuery(text, values as unknown[]) }),
    ...(logger && types && { parsers: (oid) => types.getTypeParser(oid, 'text') }),
  };
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

interface Transactional {
  transaction<T>(body: (transaction: DrizzleHandle) => Promise<T>): Promise<T>;
}

/** A connection that emits an event when it ends, as those of node-postgres do. */
interface Connection {
  on(event: 'error', listener: () => void): unknown;
  off(event: 'error', listener: () => void): unknown;
}

function connectionOf({ session }: DrizzleHandle): Connection | undefined {
  const { client } = session as { readonly client?: Partial<Connection> };
  const tells = typeof client?.on === 'function' && typeof client.off === 'function';
  return tells ? (client as Connection) : undefined;
}

const ignore = (): void => {};

/**
 * Runs a transaction, or a savepoint inside another transaction. While it runs, a lost connection only fails its
 * statements: a connection taken from the pool has no error listener, so the error would end the process.
 */
export async function inTransaction<T>(
  handle: DrizzleHandle,
  body: (transaction: DrizzleHandle) => Promise<T>,
): Promise<T> {
  let connection: Connection | undefined;
  try {
    return await (handle as unknown as Transactional).transaction((inner) => {
      connection = connectionOf(inner);
      connection?.on('error', ignore);
      return body(inner);
    });
  } finally {
    connection?.off('error', ignore);
  }
}

/** Whether the handle is a transaction, which has no connection of its own. */
export function isTransaction(handle: DrizzleHandle): boolean {
  return (handle as { readonly $client?: object }).$client === undefined;
}

/** The driver's pool or connection: that of the database, or the connection of a transaction. */
export function connectionBehind(handle: DrizzleHandle): object {
  const { client } = handle.session as { readonly client?: unknown };
  const own = (handle as { readonly $client?: unknown }).$client ?? client;
  return isObject(own) ? own : handle.session;
}

function isObject(value: unknown): value is object {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

/** An object that lives as long as the connection to the server. */
export function serverOf(handle: DrizzleHandle): object {
  return (handle as { readonly $client?: object }).$client ?? handle.session;
}

/** Whether the handle uses a pool, so that two statements can run concurrently. */
export function isPooled(handle: object): boolean {
  const client = (handle as { $client?: unknown }).$client;
  // The client of postgres.js is a function, which reserves connections of its pool.
  if (typeof client === 'function') return 'reserve' in client;
  if (typeof client !== 'object' || client === null) return false;
  // node-postgres pools count their clients; mysql2 pools have `getConnection`.
  return 'totalCount' in client || ('getConnection' in client && !('threadId' in client));
}
