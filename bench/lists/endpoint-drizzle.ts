/** Drizzle's query builder as a list endpoint that a careful person writes by hand: the bytes that Sluice sends. */

import Database from 'better-sqlite3';
import { and, asc, count, desc, eq, lt, lte, or } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onPostgres } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { type Contender, peer } from './contender.ts';
import { type NewestPage, endpointByHand } from './endpoint.ts';
import type { RequestValues } from './requests.ts';
import { postgresPool, sqliteFile } from './services.ts';
import * as postgres from './tables-pg.ts';
import * as sqlite from './tables-sqlite.ts';

/** The columns of an answer. */
function columnsOf<Users extends typeof postgres.users | typeof sqlite.users>(users: Users) {
  const { id, name, email, age, active, createdAt, companyId } = users;
  return { id, name, email, age, active, createdAt, companyId } as Pick<
    Users,
    'id' | 'name' | 'email' | 'age' | 'active' | 'createdAt' | 'companyId'
  >;
}

/** The rows behind a cursor, newest first. */
function behind(users: typeof postgres.users | typeof sqlite.users, asked: NewestPage) {
  const createdAt = new Date(asked.createdAt);
  return and(
    eq(users.active, asked.active),
    lte(users.createdAt, createdAt),
    or(lt(users.createdAt, createdAt), lt(users.id, Number(asked.id))),
  );
}

/** An endpoint of Q0 and Q7 on its own pool. */
export function drizzleEndpointPostgres(values: readonly RequestValues[]): Contender {
  const { users } = postgres;
  const pool = new pg.Pool(postgresPool());
  const db = onPostgres(pool);
  const columns = columnsOf(users);
  return endpointByHand(
    peer.drizzleEndpoint,
    values,
    {
      async company({ company, perPage, page }) {
        const where = eq(users.companyId, company);
        const [rows, [counted]] = await Promise.all([
          db
            .select(columns)
            .from(users)
            .where(where)
            .orderBy(asc(users.id))
            .limit(perPage)
            .offset((page - 1) * perPage),
          db.select({ total: count() }).from(users).where(where),
        ]);
        return { rows, total: counted?.total ?? 0 };
      },
      newest: (asked) =>
        db
          .select(columns)
          .from(users)
          .where(behind(users, asked))
          .orderBy(desc(users.createdAt), desc(users.id))
          .limit(asked.perPage + 1)
          .execute(),
    },
    () => pool.end(),
  );
}

/** An endpoint of Q0 and Q7 on its own connection. */
export function drizzleEndpointSqlite(values: readonly RequestValues[]): Contender {
  const { users } = sqlite;
  const client = new Database(sqliteFile());
  const db = onSqlite(client);
  const columns = columnsOf(users);
  return endpointByHand(
    peer.drizzleEndpoint,
    values,
    {
      company({ company, perPage, page }) {
        const where = eq(users.companyId, company);
        const rows = db
          .select(columns)
          .from(users)
          .where(where)
          .orderBy(asc(users.id))
          .limit(perPage)
          .offset((page - 1) * perPage)
          .all();
        const counted = db.select({ total: count() }).from(users).where(where).get();
        return { rows, total: counted?.total ?? 0 };
      },
      newest: (asked) =>
        db
          .select(columns)
          .from(users)
          .where(behind(users, asked))
          .orderBy(desc(users.createdAt), desc(users.id))
          .limit(asked.perPage + 1)
          .all(),
    },
    () => void client.close(),
  );
}
