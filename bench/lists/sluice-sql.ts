/** Sluice on the drivers alone. */

import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { sluice } from './contender.ts';
import type { Contender } from './contender.ts';
import type { RequestValues } from './requests.ts';
import { databaseName, mysqlUrl, postgresPool, sqliteFile } from './services.ts';
import { computed, sluiceContender } from './sluice.ts';

/** The tables with the families' own types of flags and instants. */
function tablesWith(flag: string, instant: string) {
  const storage = instant === 'integer' ? ({ storage: 'epoch-milliseconds' } as const) : {};
  return sqlTables({
    user: {
      table: 'users',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        name: 'text',
        email: 'text',
        age: 'integer',
        active: { type: flag, kind: 'boolean' },
        createdAt: { type: instant, column: 'created_at', kind: 'datetime', ...storage },
        companyId: { type: 'integer', column: 'company_id' },
        nameFolded: { type: 'text', column: 'name_folded' },
        emailFolded: { type: 'text', column: 'email_folded' },
      },
      relations: {
        company: { one: 'company', from: 'companyId' },
        posts: { many: 'post', to: 'userId' },
      },
    },
    company: {
      table: 'companies',
      primaryKey: 'id',
      columns: { id: 'integer', name: 'text', country: 'text' },
    },
    post: {
      table: 'posts',
      primaryKey: 'id',
      columns: { id: 'integer', userId: { type: 'integer', column: 'user_id' }, title: 'text' },
    },
  });
}

function contender(
  connection: SqlConnection,
  tables: ReturnType<typeof tablesWith>,
  values: readonly RequestValues[],
  close: () => Promise<void> | void,
  seals?: boolean,
): Promise<Contender> {
  const registry = withComputedFields(sqlRegistry(tables), computed);
  const source = sqlSource({ connection, registry, tables, model: 'user' });
  return sluiceContender(sluice.sql, source, registry, values, close, seals);
}

const onPostgres = () => tablesWith('boolean', 'timestamptz(3)');

/** The models of the tables on PostgreSQL. */
export const userRegistry = () => withComputedFields(sqlRegistry(onPostgres()), computed);

export function sluiceOnPg(values: readonly RequestValues[], seals?: boolean): Promise<Contender> {
  const pool = new pg.Pool(postgresPool());
  return contender(pool, onPostgres(), values, () => pool.end(), seals);
}

export function sluiceOnBetterSqlite(
  values: readonly RequestValues[],
  seals?: boolean,
): Promise<Contender> {
  const database = new Database(sqliteFile());
  const close = () => void database.close();
  return contender(database, tablesWith('integer', 'integer'), values, close, seals);
}

export function sluiceOnMysql2(values: readonly RequestValues[]): Promise<Contender> {
  const pool = mysql.createPool({ uri: mysqlUrl(databaseName), connectionLimit: 4 });
  return contender(pool, tablesWith('tinyint(1)', 'datetime(3)'), values, () => pool.end());
}
