/** The driver alone on PostgreSQL: SQL by hand, unnamed or as named prepared statements. */

import pg from 'pg';
import { peer } from './contender.ts';
import type { Answer, Contender } from './contender.ts';
import { firstNames, pageOf, perPage } from './requests.ts';
import type { FirstName, RequestValues } from './requests.ts';
import { postgresPool } from './services.ts';

const columns =
  'u.id, u.name, u.email, u.age, u.active, u.created_at as "createdAt", u.company_id as "companyId"';
const inRange = 'u.age between $1 and $2 and u.active = $3';
const newestFirst = 'order by u.created_at desc, u.id desc';
const hasPost = 'exists (select 1 from posts p where p.user_id = u.id and p.title like $1)';
const matches = 'u.name_folded like $1 or u.email_folded like $1';

export const pages: Readonly<Record<FirstName, string>> = {
  Q0: `select ${columns} from users u where u.company_id = $1 order by u.id limit $2 offset $3`,
  Q1: `select ${columns} from users u where ${inRange} ${newestFirst} limit $4 offset $5`,
  Q2: `select ${columns}, c.id as c_id, c.name as c_name, c.country as c_country
       from users u join companies c on c.id = u.company_id
       where ${inRange} ${newestFirst} limit $4 offset $5`,
  Q3: `select ${columns} from users u where ${hasPost} order by u.name, u.id limit $2 offset $3`,
  Q4: `select ${columns} from users u where u.active = $1 order by u.id limit $2 offset $3`,
  Q5: `select ${columns} from users u where u.active = $1 ${newestFirst} limit $2 offset $3`,
  Q6: `select ${columns} from users u where ${matches} order by u.id limit $2 offset $3`,
  Q7: `select ${columns} from users u
       where u.active = $1 and u.created_at <= $2 and (u.created_at < $2 or u.id < $3)
       ${newestFirst} limit $4`,
};

const count = 'select count(*)::int as total from users u where';

export const counts: Readonly<Record<Exclude<FirstName, 'Q7'>, string>> = {
  Q0: `${count} u.company_id = $1`,
  Q1: `${count} ${inRange}`,
  Q2: `${count} ${inRange}`,
  Q3: `${count} ${hasPost}`,
  Q4: `${count} u.active = $1`,
  Q5: `${count} u.active = $1`,
  Q6: `${count} ${matches}`,
};

const postsOf =
  'select p.id, p.title, p.user_id as "userId" from posts p where p.user_id = any($1) order by p.id';

function filterValues(request: FirstName, values: RequestValues): unknown[] {
  switch (request) {
    case 'Q0':
      return [values.companyId];
    case 'Q1':
    case 'Q2':
      return [values.ageLow, values.ageHigh, true];
    case 'Q3':
      return [`%${values.word}%`];
    case 'Q4':
    case 'Q5':
      return [true];
    case 'Q6':
      return [`%${values.term}%`];
    case 'Q7':
      return [true, values.after.createdAt, values.after.id];
  }
}

interface UserRow {
  id: number;
}

interface CompanyColumns {
  c_id: number;
  c_name: string;
  c_country: string;
}

interface PostRow {
  id: number;
  title: string;
  userId: number;
}

/** The driver; `named` prepares each statement once per connection. */
export function rawPostgres(named: boolean): Contender {
  const pool = new pg.Pool(postgresPool());

  async function rows<R extends object>(
    name: string,
    text: string,
    values: unknown[],
  ): Promise<R[]> {
    const result = await pool.query<R>(named ? { name, text, values } : { text, values });
    return result.rows;
  }

  /** Nests the columns of the joined company. */
  function withCompany(row: UserRow & CompanyColumns): object {
    const { c_id: id, c_name: name, c_country: country, ...user } = row;
    return { ...user, company: { id, name, country } };
  }

  async function withPosts(users: UserRow[]): Promise<object[]> {
    const byUser = new Map<number, object[]>(users.map((user) => [user.id, []]));
    for (const post of await rows<PostRow>('posts', postsOf, [[...byUser.keys()]])) {
      byUser.get(post.userId)?.push({ id: post.id, title: post.title });
    }
    return users.map((user) => ({ ...user, posts: byUser.get(user.id) }));
  }

  async function page(request: FirstName, values: RequestValues): Promise<object[]> {
    const bound = [...filterValues(request, values), perPage];
    if (request !== 'Q7') bound.push((pageOf(request, values) - 1) * perPage);
    const found = await rows<UserRow & CompanyColumns>(`${request}p`, pages[request], bound);
    if (request === 'Q2') return found.map(withCompany);
    return request === 'Q4' ? withPosts(found) : found;
  }

  async function total(request: Exclude<FirstName, 'Q7'>, values: RequestValues): Promise<number> {
    const bound = filterValues(request, values);
    const [row] = await rows<{ total: number }>(`${request}c`, counts[request], bound);
    return row?.total ?? 0;
  }

  return {
    name: named ? peer.pg : 'raw pg',
    requests: firstNames,
    async answer(request: FirstName, values): Promise<Answer> {
      if (request === 'Q7') return { data: await page(request, values) };
      const [data, all] = await Promise.all([page(request, values), total(request, values)]);
      return { data, total: all };
    },
    close: () => pool.end(),
  };
}
