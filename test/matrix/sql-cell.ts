/** The cells of plain connections: each driver by itself on its database, filled with the dataset. */

import Sqlite from 'better-sqlite3';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import {
  type SqlConnection,
  checkProfile,
  sqlRegistry,
  sqlSource,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import { processQuery } from '../../src/relational/databases/postgresql/named-statements.ts';
import type { Scratch } from '../services/index.ts';
import type { DatabaseCell, InTransaction, StatementLogger } from './cell.ts';
import { computedFields } from './fixtures/computed.ts';
import { loadedDatabase } from './fixtures/loaded-database.ts';
import { sqlTablesOf } from './fixtures/tables-sql.ts';

/** Opens a database; differs between drivers. */
type Open = (
  url: string,
  logger: StatementLogger | undefined,
) => {
  readonly connection: SqlConnection;
  /** Runs work on a connection that is in a transaction; absent where the driver has no asynchronous one. */
  readonly transaction?: (work: (connection: SqlConnection) => Promise<void>) => Promise<void>;
  close(): Promise<unknown>;
};

const openPostgresql: Open = (url, logger) => {
  const pool = new pg.Pool({ connectionString: url, max: 4 });
  // A connection that breaks while it is idle concerns no request.
  pool.on('error', () => {});
  if (logger) pool.on('connect', (client) => logged(client, 'query', logger));
  return {
    connection: pool,
    transaction: async (work) => {
      const client = await pool.connect();
      try {
        await client.query('begin');
        await work(client);
        await client.query('commit');
      } catch (error) {
        await client.query('rollback');
        throw error;
      } finally {
        client.release();
      }
    },
    close: () => pool.end(),
  };
};

/** Tells the logger of each statement that a method of the driver is called with. */
function logged(target: object, method: string, logger: StatementLogger): void {
  const own = Reflect.get(target, method) as (...given: unknown[]) => unknown;
  Reflect.set(target, method, (...given: unknown[]) => {
    const [first] = given as [string | { readonly text?: string; readonly sql?: string }];
    const text = typeof first === 'string' ? first : (first.text ?? first.sql ?? '');
    // Sent once for each pool, beside the statements of requests.
    if (text !== processQuery) logger.logQuery(text);
    return own.apply(target, given);
  });
}

const openMysql: Open = (url, logger) => {
  const pool = mysql2.createPool({ uri: url, connectionLimit: 4 });
  // A logged connection logs for the pool as well: the pool runs its statements on one.
  if (logger) pool.pool.on('connection', (connection) => logged(connection, 'query', logger));
  return {
    connection: pool,
    transaction: async (work) => {
      const connection = await pool.getConnection();
      try {
        await connection.beginTransaction();
        await work(connection);
        await connection.commit();
      } catch (error) {
        await connection.rollback();
        throw error;
      } finally {
        connection.release();
      }
    },
    close: () => pool.end(),
  };
};

const openSqlite: Open = (url, logger) => {
  const database = new Sqlite(url);
  if (logger) {
    const { prepare } = database;
    database.prepare = ((text: string) => {
      const statement = prepare.call(database, text) as Sqlite.Statement<unknown[]>;
      const { all } = statement;
      statement.all = (...values) => {
        logger.logQuery(text);
        return all.apply(statement, values);
      };
      return statement;
    }) as typeof prepare;
  }
  return { connection: database, close: async () => database.close() };
};

const openings: { readonly [family in DatabaseFamily]: Open } = {
  postgresql: openPostgresql,
  mysql: openMysql,
  sqlite: openSqlite,
};

/** Opens a cell on a separate scratch database, or returns instructions for a missing server. */
export async function sqlCell(
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
  scratch?: Scratch,
): Promise<DatabaseCell | string> {
  const database = await loadedDatabase(family, suite, undefined, scratch);
  if ('missing' in database) return database.advice;
  const { connection, transaction, close } = openings[family](
    database.replicas?.[0] ?? database.url,
    logger,
  );
  const tables = sqlTablesOf(family);
  const registry = withComputedFields(sqlRegistry(tables, { families: [family] }), computedFields);
  const sources = new Map<string, QuerySource>();
  const source = (model: string): QuerySource => {
    const known = sources.get(model) ?? sqlSource({ connection, registry, tables, model });
    sources.set(model, known);
    return known;
  };
  const inTransaction: InTransaction | undefined =
    transaction &&
    ((model, work) =>
      transaction((inner) => work(sqlSource({ connection: inner, registry, tables, model }))));
  return {
    name: `sql on ${family}`,
    family,
    about: database.about,
    database,
    registry,
    source,
    violations: () => checkProfile(sqlSource({ connection, registry, tables, model: 'user' })),
    ...(inTransaction && { transaction: inTransaction }),
    dispose: async () => {
      await close();
      await database.drop();
    },
  };
}
