/** The drivers alone on the nested requests: SQL by hand in prepared statements. */

import Database from 'better-sqlite3';
import mysql from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import pg from 'pg';
import { type Contender, peer } from '../contender.ts';
import { type NestedName, nestedNames } from '../requests.ts';
import { type Family, databaseName, mysqlUrl, postgresPool, sqliteFile } from '../services.ts';
import { type Statement, childrenOf, pageOf, totalOf } from './sql.ts';

/** A connection that runs a prepared statement. */
interface Connection {
  rows(statement: Statement): Promise<readonly object[]>;
  close(): Promise<void> | void;
}

function onPostgres(): Connection {
  const pool = new pg.Pool(postgresPool());
  const names = new Map<string, { readonly name: string; readonly text: string }>();
  return {
    async rows([sql, ...values]) {
      let known = names.get(sql);
      if (!known) {
        let place = 0;
        known = { name: `s${names.size}`, text: sql.replaceAll('?', () => `$${(place += 1)}`) };
        names.set(sql, known);
      }
      return (await pool.query<object>({ ...known, values })).rows;
    },
    close: () => pool.end(),
  };
}

function onSqlite(): Connection {
  const db = new Database(sqliteFile());
  const kept = new Map<string, Database.Statement>();
  return {
    async rows([sql, ...values]) {
      const statement = kept.get(sql) ?? db.prepare(sql);
      kept.set(sql, statement);
      return statement.all(...values) as object[];
    },
    close: () => void db.close(),
  };
}

function onMysql(): Connection {
  const pool = mysql.createPool({ uri: mysqlUrl(databaseName), connectionLimit: 4, timezone: 'Z' });
  return {
    async rows([sql, ...values]) {
      return (await pool.execute<RowDataPacket[]>(sql, values as (string | number)[]))[0];
    },
    close: () => pool.end(),
  };
}

interface UserRow {
  readonly id: number;
  readonly active: boolean | number;
  readonly createdAt: Date | number;
}

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly userId: number;
}

/** A row as JSON has it. */
const present = (row: UserRow): UserRow => ({
  ...row,
  active: Boolean(row.active),
  createdAt: new Date(row.createdAt),
});

/** The driver of a family. */
export function nestedByHand(family: Family): Contender {
  const connection = { pg: onPostgres, sqlite: onSqlite, mysql: onMysql }[family]();

  async function withPosts(users: readonly UserRow[]): Promise<readonly object[]> {
    const byUser = new Map<number, object[]>(users.map(({ id }) => [id, []]));
    const found = await connection.rows(childrenOf([...byUser.keys()], family));
    for (const { id, title, userId } of found as readonly PostRow[]) {
      byUser.get(userId)?.push({ id, title });
    }
    return users.map((user) => ({ ...user, posts: byUser.get(user.id) }));
  }

  return {
    name: peer.sql,
    requests: nestedNames,
    async answer(request: NestedName, values) {
      const [found, [counted]] = await Promise.all([
        connection.rows(pageOf(request, values, family)),
        connection.rows(totalOf(request, values, family)),
      ]);
      const users = (found as readonly UserRow[]).map(present);
      const { total } = counted as { readonly total: number | string };
      return { data: request === 'Q13' ? await withPosts(users) : users, total: Number(total) };
    },
    close: () => connection.close(),
  };
}
