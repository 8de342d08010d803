/** Hand-written Drizzle on the nested requests. */

import Database from 'better-sqlite3';
import {
  and,
  asc,
  between,
  count,
  desc,
  eq,
  exists,
  gt,
  gte,
  like,
  not,
  or,
  sql,
} from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { drizzle as overSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as overMysql } from 'drizzle-orm/mysql2';
import { type NodePgDatabase, drizzle as overPostgres } from 'drizzle-orm/node-postgres';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { type Contender, peer } from '../contender.ts';
import { type NestedName, type RequestValues, nestedNames, perPage } from '../requests.ts';
import { type Family, databaseName, mysqlUrl, postgresPool, sqliteFile } from '../services.ts';
import * as mysqlTables from '../tables-mysql.ts';
import * as pgTables from '../tables-pg.ts';
import * as sqliteTables from '../tables-sqlite.ts';

/** A database with its tables. The builders are called alike; those of PostgreSQL stand for all. */
interface Opened {
  readonly db: NodePgDatabase<typeof pgTables>;
  readonly tables: typeof pgTables;
  close(): Promise<void> | void;
}

function opened(family: Family): Opened {
  switch (family) {
    case 'pg': {
      const pool = new pg.Pool(postgresPool());
      return {
        db: overPostgres(pool, { schema: pgTables }),
        tables: pgTables,
        close: () => pool.end(),
      };
    }
    case 'sqlite': {
      const client = new Database(sqliteFile());
      return {
        db: overSqlite(client, { schema: sqliteTables }) as unknown as Opened['db'],
        tables: sqliteTables as unknown as typeof pgTables,
        close: () => void client.close(),
      };
    }
    case 'mysql': {
      const pool = mysql.createPool({
        uri: mysqlUrl(databaseName),
        connectionLimit: 4,
        timezone: 'Z',
      });
      return {
        db: overMysql(pool, {
          schema: mysqlTables,
          mode: 'default',
        }) as unknown as Opened['db'],
        tables: mysqlTables as unknown as typeof pgTables,
        close: () => pool.end(),
      };
    }
  }
}

/** Drizzle on its own connections. MariaDB has no lateral joins, which its relational queries need. */
export function nestedDrizzle(family: Family): Contender {
  const { db, tables, close } = opened(family);
  const { posts, users } = tables;
  const columns = {
    id: users.id,
    name: users.name,
    email: users.email,
    age: users.age,
    active: users.active,
    createdAt: users.createdAt,
    companyId: users.companyId,
  };
  const some = (...conditions: (SQL | undefined)[]): SQL =>
    exists(
      db
        .select({ id: posts.id })
        .from(posts)
        .where(and(eq(posts.userId, users.id), ...conditions)),
    );

  function condition(request: NestedName, values: RequestValues): SQL | undefined {
    const hasWord = like(posts.title, `%${values.word}%`);
    switch (request) {
      case 'Q8':
        return like(users.name, `${values.start}%`);
      case 'Q9':
        return or(
          and(between(users.age, values.ageLow, values.ageHigh), eq(users.active, true)),
          eq(users.companyId, values.companyId),
        );
      case 'Q10':
        return some(hasWord, gte(posts.id, values.firstPost));
      case 'Q11':
        return and(
          eq(users.active, true),
          not(some(hasWord)),
          not(some(gt(posts.id, values.lastPost))),
        );
      case 'Q12':
      case 'Q13':
        return eq(users.active, true);
      case 'Q14':
        return gte(sql`${users.age} * 1000 + ${users.companyId}`, values.score);
    }
  }

  const byName = [asc(users.name), asc(users.id)];
  const counted = sql`(select count(*) from ${posts} where ${posts.userId} = ${users.id})`;
  const orders: Readonly<Record<NestedName, SQL[]>> = {
    Q8: byName,
    Q9: [desc(users.createdAt), desc(users.id)],
    Q10: byName,
    Q11: byName,
    Q12: [desc(counted), desc(users.id)],
    Q13: [asc(users.id)],
    Q14: [asc(users.id)],
  };

  const withPosts = (where: SQL | undefined) =>
    db.query.users.findMany({
      columns: {
        id: true,
        name: true,
        email: true,
        age: true,
        active: true,
        createdAt: true,
        companyId: true,
      },
      with: {
        posts: {
          columns: { id: true, title: true },
          orderBy: [asc(posts.title), asc(posts.id)],
          limit: 5,
        },
      },
      where,
      orderBy: orders.Q13,
      limit: perPage,
    });

  return {
    name: peer.drizzleNested,
    requests: family === 'mysql' ? nestedNames.filter((name) => name !== 'Q13') : nestedNames,
    async answer(request: NestedName, values) {
      const where = condition(request, values);
      const [data, totals] = await Promise.all([
        request === 'Q13'
          ? withPosts(where)
          : db
              .select(columns)
              .from(users)
              .where(where)
              .orderBy(...orders[request])
              .limit(perPage),
        db.select({ total: count() }).from(users).where(where),
      ]);
      return { data, total: totals[0]?.total ?? 0 };
    },
    close,
  };
}
