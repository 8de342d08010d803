/** Recognises a connection by its methods, so that no driver is loaded. */

import { oncePer } from '../../../lib/index.ts';
import { configurationError } from '../../../schema/index.ts';
import type { SqlExecutor } from './executor.ts';
import { type KnexInstance, knexExecutor } from './knex.ts';
import { type KyselyInstance, kyselyExecutor } from './kysely.ts';
import { type MysqlHandle, mysqlExecutor } from './mysql.ts';
import { type PgClient, type PgPool, pgClientExecutor, pgPoolExecutor } from './postgresql.ts';
import { type SqliteDatabase, sqliteExecutor } from './sqlite.ts';

/** Every connection that a source can run on. */
export type SqlConnection =
  | SqlExecutor
  | PgPool
  | PgClient
  | MysqlHandle
  | SqliteDatabase
  | KnexInstance
  | KyselyInstance;

/** Options of an executor in addition to its connection. */
export interface ExecutorOptions {
  /**
   * Whether recurring statements get a name on PostgreSQL. Default: where the connection leads to the server itself, and
   * not to a pooler.
   */
  readonly namedStatements?: boolean | undefined;
}

/** One supported type of connection. */
interface ConnectionRow {
  readonly name: string;
  fits(connection: Shape): boolean;
  executor(connection: never, options: ExecutorOptions): SqlExecutor;
}

type Shape = { readonly [property: string]: unknown };

const has = (shape: Shape, ...methods: readonly string[]): boolean =>
  methods.every((method) => typeof shape[method] === 'function');

const rows: readonly ConnectionRow[] = [
  {
    name: 'an executor',
    fits: (shape) => has(shape, 'run', 'transaction') && typeof shape['family'] === 'string',
    executor: (executor: SqlExecutor) => executor,
  },
  {
    name: 'a Pool of pg',
    fits: (shape) => has(shape, 'query', 'connect') && typeof shape['totalCount'] === 'number',
    executor: (pool: PgPool, { namedStatements }) => pgPoolExecutor(pool, namedStatements),
  },
  {
    name: 'a Client of pg',
    fits: (shape) => has(shape, 'query', 'connect', 'on', 'off', 'getTypeParser'),
    executor: (client: PgClient, { namedStatements }) => pgClientExecutor(client, namedStatements),
  },
  {
    name: 'a pool or connection of mysql2',
    fits: (shape) =>
      has(shape, 'query', 'execute') &&
      (has(shape, 'promise') || isShape(shape['pool']) || isShape(shape['connection'])),
    executor: mysqlExecutor,
  },
  {
    name: 'a Database of better-sqlite3',
    fits: (shape) =>
      has(shape, 'prepare', 'exec', 'pragma') && typeof shape['inTransaction'] === 'boolean',
    executor: sqliteExecutor,
  },
  {
    name: 'a Knex instance',
    fits: (shape) =>
      typeof shape === 'function' && has(shape, 'raw', 'transaction') && isShape(shape['client']),
    executor: (knex: KnexInstance, { namedStatements }) => knexExecutor(knex, namedStatements),
  },
  {
    name: 'a Kysely instance',
    fits: (shape) => has(shape, 'getExecutor', 'executeQuery', 'withoutPlugins', 'transaction'),
    executor: kyselyExecutor,
  },
];

/**
 * The executor of a connection; repeated calls return the same executor.
 *
 * @throws {QueryError} SOURCE_CONFIGURATION_INVALID when the connection is not of a supported type
 */
export function executorOf(
  connection: SqlConnection,
  { namedStatements }: ExecutorOptions = {},
): SqlExecutor {
  const row = rows.find(({ fits }) => isShape(connection) && fits(connection));
  if (!row) {
    const accepted = rows.map(({ name }) => name).join(', ');
    throw configurationError(
      `"connection" must be one of: ${accepted}; it is ${described(connection)}.`,
    );
  }
  return executorWith(row, connection, namedStatements);
}

const executorWith = oncePer(
  (row: (typeof rows)[number], connection: SqlConnection, namedStatements?: boolean) =>
    row.executor(connection as never, { namedStatements }),
);

function isShape(value: unknown): value is Shape {
  return (typeof value === 'object' || typeof value === 'function') && value !== null;
}

/** Describes a value by its type only, because a connection may contain a password. */
function described(value: unknown): string {
  if (!isShape(value)) return value === null ? 'null' : `a value of type ${typeof value}`;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== 'Object'
    ? `an instance of ${name}`
    : 'an object of another kind';
}
