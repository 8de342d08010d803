/** Sluice on Drizzle. */

import Database from 'better-sqlite3';
import { drizzle as drizzleOverSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as drizzleOverMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzleOverPostgres } from 'drizzle-orm/node-postgres';
import mysql from 'mysql2/promise';
import pg from 'pg';
import {
  drizzleRegistry,
  drizzleSource,
  withComputedFields,
} from '../../src/adapters/drizzle/index.ts';
import { sluice } from './contender.ts';
import type { Contender } from './contender.ts';
import type { RequestValues } from './requests.ts';
import { databaseName, mysqlUrl, postgresPool, sqliteFile } from './services.ts';
import { computed, sluiceContender } from './sluice.ts';
import * as mysqlTables from './tables-mysql.ts';
import * as pgTables from './tables-pg.ts';
import * as sqliteTables from './tables-sqlite.ts';

export async function sluiceOnDrizzlePostgres(
  values: readonly RequestValues[],
  seals?: boolean,
): Promise<Contender> {
  const pool = new pg.Pool(postgresPool());
  const tables = { user: pgTables.users, company: pgTables.companies, post: pgTables.posts };
  const registry = withComputedFields(drizzleRegistry(tables, pgTables), computed);
  const source = drizzleSource({ db: drizzleOverPostgres(pool), registry, tables, model: 'user' });
  return sluiceContender(sluice.drizzle, source, registry, values, () => pool.end(), seals);
}

export async function sluiceOnDrizzleSqlite(
  values: readonly RequestValues[],
  seals?: boolean,
): Promise<Contender> {
  const client = new Database(sqliteFile());
  const tables = {
    user: sqliteTables.users,
    company: sqliteTables.companies,
    post: sqliteTables.posts,
  };
  const registry = withComputedFields(drizzleRegistry(tables, sqliteTables), computed);
  const source = drizzleSource({ db: drizzleOverSqlite(client), registry, tables, model: 'user' });
  const close = () => void client.close();
  return sluiceContender(sluice.drizzle, source, registry, values, close, seals);
}

export async function sluiceOnDrizzleMysql(values: readonly RequestValues[]): Promise<Contender> {
  const pool = mysql.createPool({ uri: mysqlUrl(databaseName), connectionLimit: 4, timezone: 'Z' });
  const tables = {
    user: mysqlTables.users,
    company: mysqlTables.companies,
    post: mysqlTables.posts,
  };
  const registry = withComputedFields(drizzleRegistry(tables, mysqlTables), computed);
  const source = drizzleSource({ db: drizzleOverMysql(pool), registry, tables, model: 'user' });
  return sluiceContender(sluice.drizzle, source, registry, values, () => pool.end());
}
