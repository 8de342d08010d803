/** The hostile endpoint through Drizzle. */

import Database from 'better-sqlite3';
import { drizzle as sqliteDrizzle } from 'drizzle-orm/better-sqlite3';
import { drizzle as mysqlDrizzle } from 'drizzle-orm/mysql2';
import { drizzle as pgDrizzle } from 'drizzle-orm/node-postgres';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import { hostileDatabase } from './database.ts';
import type { OpenHostile } from './hostile-cell.ts';
import { hostileRules } from './rules.ts';
import * as mysqlTables from './tables-mysql.ts';
import * as pgTables from './tables-postgresql.ts';
import * as sqliteTables from './tables-sqlite.ts';

class StatementCounter {
  count = 0;
  logQuery(): void {
    this.count += 1;
  }
}

/** Opens a database; differs between families. */
type Open = (
  url: string,
  logger: StatementCounter,
) => {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource<object>;
  end(): Promise<unknown>;
};

const openings: { readonly [family in DatabaseFamily]: Open } = {
  sqlite: (url, logger) => {
    const client = new Database(url);
    const db = sqliteDrizzle(client, { logger });
    const tables = sqliteTables.models;
    const registry = drizzleRegistry(tables, sqliteTables.links, {
      person: { code: { kind: 'uuid' }, born: { kind: 'date' }, visits: { kind: 'bigint' } },
    });
    const source = drizzleSource({ db, registry, tables, model: 'person' });
    return { registry, source, end: async () => client.close() };
  },
  postgresql: (url, logger) => {
    const pool = new pg.Pool({ connectionString: url });
    const db = pgDrizzle(pool, { logger });
    const tables = pgTables.models;
    const registry = drizzleRegistry(tables, pgTables.links);
    const source = drizzleSource({ db, registry, tables, model: 'person' });
    return { registry, source, end: () => pool.end() };
  },
  mysql: (url, logger) => {
    const pool = createPool({ uri: url, timezone: 'Z' });
    const db = mysqlDrizzle(pool, { logger });
    const tables = mysqlTables.models;
    const registry = drizzleRegistry(tables, mysqlTables.links, {
      person: { code: { kind: 'uuid' } },
    });
    const source = drizzleSource({ db, registry, tables, model: 'person' });
    return { registry, source, end: () => pool.end() };
  },
};

/** Opens the endpoint through Drizzle. */
export const drizzleHostile: OpenHostile = async (family) => {
  const database = await hostileDatabase(family, 'epoch-milliseconds');
  if ('missing' in database) return database;
  const logger = new StatementCounter();
  const { registry, source, end } = openings[family](database.url, logger);
  return {
    rules: hostileRules(registry),
    source,
    statements: () => logger.count,
    mostStatements: 4,
    close: async () => {
      await end();
      await database.drop();
    },
  };
};
