/** Sluice on the drivers alone. */

import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import pg from 'pg';
import type { SqlExecutor } from '../../src/adapters/sql/executors/executor.ts';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  sqlTables,
  withComputedFields,
} from '../../src/adapters/sql/index.ts';
import { heard } from '../heard.ts';
import { sluice } from './contender.ts';
import type { Contender } from './contender.ts';
import { nestedNames } from './requests.ts';
import type { RequestValues } from './requests.ts';
import { type Family, databaseName, mysqlUrl, postgresPool, sqliteFile } from './services.ts';
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
  connection: SqlConnection | SqlExecutor,
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

/** Opens the connection and the tables of a family. */
const opened = {
  pg() {
    const connection = new pg.Pool(postgresPool());
    return { connection, tables: onPostgres(), close: () => connection.end() };
  },
  sqlite() {
    const connection = new Database(sqliteFile());
    const close = () => void connection.close();
    return { connection, tables: tablesWith('integer', 'integer'), close };
  },
  mysql() {
    const connection = mysql.createPool({ uri: mysqlUrl(databaseName), connectionLimit: 4 });
    const tables = tablesWith('tinyint(1)', 'datetime(3)');
    return { connection, tables, close: () => connection.end() };
  },
};

/** Sluice on the driver of a family. */
export function sluiceOnDriver(
  family: Family,
  values: readonly RequestValues[],
  seals?: boolean,
): Promise<Contender> {
  const { connection, tables, close } = opened[family]();
  return contender(connection, tables, values, close, seals);
}

/** Variants whose statements are kept: as many as are asked before the measured ones. */
const keptVariants = 20;

/** The statements that Sluice sends for the nested requests, alone: no request is read, and no row is presented. */
export async function sluiceStatements(
  family: Family,
  values: readonly RequestValues[],
): Promise<Contender> {
  const { connection, tables, close } = opened[family]();
  const { executor, again } = heard(connection);
  const whole = await contender(executor, tables, values, close);
  const kept = new Map<string, readonly (() => Promise<unknown>)[]>();
  return {
    name: sluice.statements,
    requests: nestedNames,
    answer: whole.answer,
    ...(whole.comparable && { comparable: whole.comparable }),
    async text(request, index) {
      const variant = index % keptVariants;
      const key = `${request} ${variant}`;
      let statements = kept.get(key);
      if (!statements) {
        again.length = 0;
        await whole.answer(request, values[variant] as RequestValues, variant);
        statements = again.splice(0);
        kept.set(key, statements);
      }
      // As by hand: the page and its count at once, then the rows of the page's keys.
      const [page, total, ...more] = statements;
      await Promise.all([page?.(), total?.()]);
      for (const run of more) await run();
      return '';
    },
    close,
  };
}
