/** Q3 on MariaDB: the driver with the best SQL known by hand, and hand-written Drizzle. */

import { and, asc, count, eq, exists, like } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/mysql2';
import mysql from 'mysql2/promise';
import type { RowDataPacket } from 'mysql2/promise';
import { peer } from './contender.ts';
import type { Contender } from './contender.ts';
import { perPage } from './requests.ts';
import { databaseName, mysqlUrl } from './services.ts';
import * as schema from './tables-mysql.ts';

const { posts, users } = schema;

/** Connection options of every contender: instants are UTC, as the database profile requires. */
function pool(): mysql.Pool {
  return mysql.createPool({ uri: mysqlUrl(databaseName), connectionLimit: 4, timezone: 'Z' });
}

const columns =
  'u.id, u.name, u.email, u.age, u.active, u.created_at as createdAt, u.company_id as companyId';
const test = 'instr(p.title, ?) > 0';

/**
 * `<=>` keeps the subquery of the page correlated. With `=` it becomes a materialised semi-join, which reads every post
 * before the first row; that is the best plan for the count only.
 */
const page = `select ${columns} from users u
  where exists (select 1 from posts p where p.user_id <=> u.id and ${test})
  order by u.name, u.id limit ? offset ?`;
const total = `select count(*) as total from users u
  where u.id in (select p.user_id from posts p where ${test})`;

/** The driver with prepared statements. */
export function rawMysql(): Contender {
  const connections = pool();
  return {
    name: 'raw mysql2, prepared',
    requests: ['Q3'],
    async answer(_request, values) {
      const [[data], [totals]] = await Promise.all([
        connections.execute<RowDataPacket[]>(page, [values.word, String(perPage), '0']),
        connections.execute<RowDataPacket[]>(total, [values.word]),
      ]);
      for (const row of data) row['active'] = row['active'] === 1;
      return { data, total: Number(totals[0]?.['total']) };
    },
    close: () => connections.end(),
  };
}

const shown = {
  id: users.id,
  name: users.name,
  email: users.email,
  age: users.age,
  active: users.active,
  createdAt: users.createdAt,
  companyId: users.companyId,
};

/** Drizzle in its usual form. */
export function drizzleMysql(): Contender {
  const connections = pool();
  const db = drizzle(connections, { schema, mode: 'default' });
  return {
    name: peer.drizzle,
    requests: ['Q3'],
    async answer(_request, values) {
      const where = exists(
        db
          .select({ id: posts.id })
          .from(posts)
          .where(and(eq(posts.userId, users.id), like(posts.title, `%${values.word}%`))),
      );
      const [data, totals] = await Promise.all([
        db
          .select(shown)
          .from(users)
          .where(where)
          .orderBy(asc(users.name), asc(users.id))
          .limit(perPage),
        db.select({ total: count() }).from(users).where(where),
      ]);
      return { data, total: totals[0]?.total ?? 0 };
    },
    close: () => connections.end(),
  };
}
