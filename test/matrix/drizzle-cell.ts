/** The Drizzle cells: Drizzle's own handles on the three databases, filled with the dataset. */

import Sqlite from 'better-sqlite3';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { withReplicas as mysqlReplicas } from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import { withReplicas as postgresqlReplicas } from 'drizzle-orm/pg-core';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import {
  checkProfile,
  drizzleRegistry,
  drizzleSource,
  withComputedFields,
} from '../../src/adapters/drizzle/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { Scratch, ScratchDatabase } from '../services/index.ts';
import type { DatabaseCell, StatementLogger } from './cell.ts';
import { computedFields } from './fixtures/computed.ts';
import { loadedDatabase } from './fixtures/loaded-database.ts';
import * as mysql from './fixtures/tables-mysql.ts';
import * as postgresql from './fixtures/tables-postgresql.ts';
import * as sqlite from './fixtures/tables-sqlite.ts';

type ModelName = keyof typeof sqlite.tables;

/** Opens a database; differs between families. */
type Open = (
  database: ScratchDatabase,
  logger: StatementLogger | undefined,
) => Pick<DatabaseCell, 'registry' | 'source' | 'violations' | 'transaction'> & {
  close(): Promise<unknown>;
};

const openPostgresql: Open = ({ url, replicas = [] }, logger) => {
  const { tables, links, overrides } = postgresql;
  const open = (connectionString: string) => {
    const pool = new pg.Pool({ connectionString, max: 4 });
    // A connection that breaks while it is idle concerns no request.
    pool.on('error', () => {});
    return drizzlePostgresql(pool, { logger: logger ?? false });
  };
  const primary = open(url);
  const [first, ...others] = replicas.map(open);
  const db = first ? postgresqlReplicas(primary, [first, ...others]) : primary;
  const pools = [primary, first ?? primary, ...others].map(({ $client }) => $client);
  const registry = withComputedFields(drizzleRegistry(tables, links, overrides), computedFields);
  return {
    registry,
    source: (model) => drizzleSource({ db, registry, tables, model: model as ModelName }),
    violations: () => checkProfile(drizzleSource({ db, registry, tables, model: 'user' })),
    transaction: (model, work) =>
      db.transaction((tx) =>
        work(drizzleSource({ db: tx, registry, tables, model: model as ModelName })),
      ),
    close: () => Promise.all([...new Set(pools)].map((pool) => pool.end())),
  };
};

const openMysql: Open = ({ url, replicas = [] }, logger) => {
  const { tables, links, overrides } = mysql;
  const open = (uri: string) =>
    drizzleMysql(mysql2.createPool({ uri, connectionLimit: 4 }), { logger: logger ?? false });
  const primary = open(url);
  const [first, ...others] = replicas.map(open);
  const db = first ? mysqlReplicas(primary, [first, ...others]) : primary;
  const pools = [primary, first ?? primary, ...others].map(({ $client }) => $client);
  const registry = withComputedFields(drizzleRegistry(tables, links, overrides), computedFields);
  return {
    registry,
    source: (model) => drizzleSource({ db, registry, tables, model: model as ModelName }),
    violations: () => checkProfile(drizzleSource({ db, registry, tables, model: 'user' })),
    transaction: (model, work) =>
      db.transaction((tx) =>
        work(drizzleSource({ db: tx, registry, tables, model: model as ModelName })),
      ),
    close: () => Promise.all([...new Set(pools)].map((pool) => pool.end())),
  };
};

const openSqlite: Open = ({ url }, logger) => {
  const { tables, links, overrides } = sqlite;
  const client = new Sqlite(url);
  const db = drizzleSqlite(client, { logger: logger ?? false });
  const registry = withComputedFields(drizzleRegistry(tables, links, overrides), computedFields);
  return {
    registry,
    source: (model) => drizzleSource({ db, registry, tables, model: model as ModelName }),
    violations: () => checkProfile(drizzleSource({ db, registry, tables, model: 'user' })),
    close: async () => client.close(),
  };
};

const openings: { readonly [family in DatabaseFamily]: Open } = {
  postgresql: openPostgresql,
  mysql: openMysql,
  sqlite: openSqlite,
};

/** Opens a Drizzle cell on a separate scratch database, or returns instructions for a missing server. */
export async function drizzleCell(
  family: DatabaseFamily,
  suite: string,
  logger?: StatementLogger,
  scratch?: Scratch,
): Promise<DatabaseCell | string> {
  const database = await loadedDatabase(family, suite, undefined, scratch);
  if ('missing' in database) return database.advice;
  const { source, close, ...rest } = openings[family](database, logger);
  const sources = new Map<string, QuerySource>();
  return {
    name: `drizzle on ${family}`,
    family,
    about: database.about,
    database,
    ...rest,
    source: (model) => {
      const known = sources.get(model) ?? source(model);
      sources.set(model, known);
      return known;
    },
    dispose: async () => {
      await close();
      await database.drop();
    },
  };
}
