/** Hand-written Drizzle on SQLite, as an experienced engineer writes these endpoints. */

import { and, asc, between, count, desc, eq, exists, like, lt, lte, or } from 'drizzle-orm';
import type { SQL } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import Database from 'better-sqlite3';
import { peer } from './contender.ts';
import type { Contender } from './contender.ts';
import { firstNames, pageOf, perPage } from './requests.ts';
import type { FirstName, RequestValues } from './requests.ts';
import { sqliteFile } from './services.ts';
import * as schema from './tables-sqlite.ts';

const { posts, users } = schema;

const columns = {
  id: users.id,
  name: users.name,
  email: users.email,
  age: users.age,
  active: users.active,
  createdAt: users.createdAt,
  companyId: users.companyId,
};

/** The same columns, as the relational queries name them. */
const shown = {
  id: true,
  name: true,
  email: true,
  age: true,
  active: true,
  createdAt: true,
  companyId: true,
} as const;

const newestFirst = [desc(users.createdAt), desc(users.id)];

/** Drizzle on its own connection. */
export function drizzleSqlite(): Contender {
  const client = new Database(sqliteFile());
  const db = drizzle(client, { schema });

  function condition(request: FirstName, values: RequestValues): SQL | undefined {
    switch (request) {
      case 'Q0':
        return eq(users.companyId, values.companyId);
      case 'Q1':
      case 'Q2':
        return and(between(users.age, values.ageLow, values.ageHigh), eq(users.active, true));
      case 'Q3':
        return exists(
          db
            .select({ id: posts.id })
            .from(posts)
            .where(and(eq(posts.userId, users.id), like(posts.title, `%${values.word}%`))),
        );
      case 'Q4':
      case 'Q5':
        return eq(users.active, true);
      case 'Q6':
        return or(
          like(users.nameFolded, `%${values.term}%`),
          like(users.emailFolded, `%${values.term}%`),
        );
      case 'Q7':
        return and(
          eq(users.active, true),
          lte(users.createdAt, values.after.createdAt),
          or(lt(users.createdAt, values.after.createdAt), lt(users.id, values.after.id)),
        );
    }
  }

  function order(request: FirstName): SQL[] {
    if (request === 'Q3') return [asc(users.name), asc(users.id)];
    return request === 'Q1' || request === 'Q2' || request === 'Q5' ? newestFirst : [asc(users.id)];
  }

  function page(request: FirstName, values: RequestValues): unknown[] {
    const where = condition(request, values);
    const offset = (pageOf(request, values) - 1) * perPage;
    if (request === 'Q2') {
      return db.query.users
        .findMany({
          columns: shown,
          with: { company: { columns: { id: true, name: true, country: true } } },
          where,
          orderBy: order(request),
          limit: perPage,
          offset,
        })
        .sync();
    }
    if (request === 'Q4') {
      return db.query.users
        .findMany({
          columns: shown,
          with: { posts: { columns: { id: true, title: true }, orderBy: asc(posts.id) } },
          where,
          orderBy: order(request),
          limit: perPage,
          offset,
        })
        .sync();
    }
    if (request === 'Q7') {
      return db
        .select(columns)
        .from(users)
        .where(where)
        .orderBy(...newestFirst)
        .limit(perPage)
        .all();
    }
    return db
      .select(columns)
      .from(users)
      .where(where)
      .orderBy(...order(request))
      .limit(perPage)
      .offset(offset)
      .all();
  }

  return {
    name: peer.drizzle,
    requests: firstNames,
    answer(request: FirstName, values) {
      if (request === 'Q7') return { data: page(request, values) };
      const total = db
        .select({ total: count() })
        .from(users)
        .where(condition(request, values))
        .get();
      return { data: page(request, values), total: total?.total ?? 0 };
    },
    close: () => void client.close(),
  };
}
