/** The driver alone on SQLite: SQL by hand, prepared at each request or tuned. */

import Database from 'better-sqlite3';
import { peer } from './contender.ts';
import type { Contender } from './contender.ts';
import { firstNames, pageOf, perPage } from './requests.ts';
import type { FirstName, RequestValues } from './requests.ts';
import { sqliteFile } from './services.ts';

const columns =
  'u.id, u.name, u.email, u.age, u.active, u.created_at as createdAt, u.company_id as companyId';
const inRange = 'u.age between ? and ? and u.active = ?';
const newestFirst = 'order by u.created_at desc, u.id desc';
const hasPost = 'exists (select 1 from posts p where p.user_id = u.id and instr(p.title, ?) > 0)';
const inPosts = 'u.id in (select p.user_id from posts p where p.title glob ?)';
const matches = 'u.name_folded like ? or u.email_folded like ?';

export const pages: Readonly<Record<FirstName, string>> = {
  Q0: `select ${columns} from users u where u.company_id = ? order by u.id limit ? offset ?`,
  Q1: `select ${columns} from users u where ${inRange} ${newestFirst} limit ? offset ?`,
  Q2: `select ${columns}, c.id as c_id, c.name as c_name, c.country as c_country
       from users u join companies c on c.id = u.company_id
       where ${inRange} ${newestFirst} limit ? offset ?`,
  Q3: `select ${columns} from users u where ${hasPost} order by u.name, u.id limit ? offset ?`,
  Q4: `select ${columns} from users u where u.active = ? order by u.id limit ? offset ?`,
  Q5: `select ${columns} from users u where u.active = ? ${newestFirst} limit ? offset ?`,
  Q6: `select ${columns} from users u where ${matches} order by u.id limit ? offset ?`,
  Q7: `select ${columns} from users u
       where u.active = ? and u.created_at <= ? and (u.created_at < ? or u.id < ?)
       ${newestFirst} limit ?`,
};

const count = 'select count(*) as total from users u where';

export function countSql(request: Exclude<FirstName, 'Q7'>, tuned: boolean): string {
  switch (request) {
    case 'Q0':
      return `${count} u.company_id = ?`;
    case 'Q1':
    case 'Q2':
      return `${count} ${inRange}`;
    case 'Q3':
      return `${count} ${tuned ? inPosts : hasPost}`;
    case 'Q4':
    case 'Q5':
      return `${count} u.active = ?`;
    case 'Q6':
      return `${count} ${matches}`;
  }
}

function filterValues(request: FirstName, values: RequestValues): (string | number)[] {
  const created = values.after.createdAt.getTime();
  switch (request) {
    case 'Q0':
      return [values.companyId];
    case 'Q1':
    case 'Q2':
      return [values.ageLow, values.ageHigh, 1];
    case 'Q3':
      return [values.word];
    case 'Q4':
    case 'Q5':
      return [1];
    case 'Q6':
      return [`%${values.term}%`, `%${values.term}%`];
    case 'Q7':
      return [1, created, created, values.after.id];
  }
}

/** The stored form of the columns that every row of users has. */
export interface StoredUser {
  id: number;
  active: number;
  createdAt: number;
}

interface UserRow extends StoredUser {
  c_id: number;
  c_name: string;
  c_country: string;
}

interface PostRow {
  id: number;
  title: string;
  userId: number;
}

/** Converts stored numbers to their JSON form, in place. */
export function present(row: StoredUser): { readonly id: number; readonly createdAt: Date } {
  return Object.assign(row, { active: row.active === 1, createdAt: new Date(row.createdAt) });
}

/** The driver; `tuned` caches prepared statements and counts Q3 with `in`. */
export function rawSqlite(tuned: boolean): Contender {
  const db = new Database(sqliteFile());
  const kept = new Map<string, Database.Statement>();

  function prepared(sql: string): Database.Statement {
    if (!tuned) return db.prepare(sql);
    const found = kept.get(sql);
    if (found !== undefined) return found;
    const made = db.prepare(sql);
    kept.set(sql, made);
    return made;
  }

  function withCompany(row: UserRow): object {
    const { c_id: id, c_name: name, c_country: country, ...user } = row;
    return { ...user, company: { id, name, country } };
  }

  function withPosts(users: UserRow[]): object[] {
    const byUser = new Map<number, object[]>(users.map((user) => [user.id, []]));
    const marks = users.map(() => '?').join(', ');
    const sql = `select p.id, p.title, p.user_id as userId from posts p where p.user_id in (${marks}) order by p.id`;
    for (const post of prepared(sql).all(...byUser.keys()) as PostRow[]) {
      byUser.get(post.userId)?.push({ id: post.id, title: post.title });
    }
    return users.map((user) => ({ ...user, posts: byUser.get(user.id) }));
  }

  function page(request: FirstName, values: RequestValues): object[] {
    const bound = [...filterValues(request, values), perPage];
    if (request !== 'Q7') bound.push((pageOf(request, values) - 1) * perPage);
    const rows = prepared(pages[request]).all(...bound) as UserRow[];
    for (const row of rows) present(row);
    if (request === 'Q2') return rows.map(withCompany);
    return request === 'Q4' ? withPosts(rows) : rows;
  }

  function total(request: Exclude<FirstName, 'Q7'>, values: RequestValues): number {
    const isTunedQ3 = tuned && request === 'Q3';
    const bound = isTunedQ3 ? [`*${values.word}*`] : filterValues(request, values);
    return (prepared(countSql(request, tuned)).get(...bound) as { total: number }).total;
  }

  return {
    name: tuned ? peer.sqlite : 'raw better-sqlite3',
    requests: firstNames,
    answer(request: FirstName, values) {
      if (request === 'Q7') return { data: page(request, values) };
      return { data: page(request, values), total: total(request, values) };
    },
    close: () => void db.close(),
  };
}
