/** The nested requests as SQL: the best statements known by hand in each family, with `?` for values. */

import { type NestedName, type RequestValues, perPage } from '../requests.ts';
import type { Family } from '../services.ts';

/** A statement with its values. */
export type Statement = readonly [sql: string, ...values: readonly unknown[]];

const newestFirst = 'u.created_at desc, u.id desc';
const byName = 'u.name, u.id';
const related = 'from posts p where p.user_id = u.id';

/** Where a family is free to choose, `<=>` keeps the subquery of a page correlated, as in Q3. */
const correlated = (family: Family): string =>
  family === 'mysql' ? 'from posts p where p.user_id <=> u.id' : related;

/** The condition of a request, with its values. */
function condition(request: NestedName, values: RequestValues, family: Family): Statement {
  const flag = family === 'pg' ? true : 1;
  const has = family === 'pg' ? 'p.title like ?' : 'instr(p.title, ?) > 0';
  const word = family === 'pg' ? `%${values.word}%` : values.word;
  const { start, ageLow, ageHigh, companyId } = values;
  switch (request) {
    case 'Q8':
      if (family !== 'sqlite') return ['u.name like ?', `${start}%`];
      return ['u.name >= ? and u.name < ?', start, `${start}\u{10FFFF}`];
    case 'Q9':
      return [
        '((u.age between ? and ? and u.active = ?) or u.company_id = ?)',
        ageLow,
        ageHigh,
        flag,
        companyId,
      ];
    case 'Q10':
      return [
        `exists (select 1 ${correlated(family)} and ${has} and p.id >= ?)`,
        word,
        values.firstPost,
      ];
    case 'Q11':
      return [
        `u.active = ? and not exists (select 1 ${related} and (${has} or p.id > ?))`,
        flag,
        word,
        values.lastPost,
      ];
    case 'Q12':
    case 'Q13':
      return ['u.active = ?', flag];
    case 'Q14':
      return ['u.age * 1000 + u.company_id >= ?', values.score];
  }
}

const orders: Readonly<Record<NestedName, string>> = {
  Q8: byName,
  Q9: newestFirst,
  Q10: byName,
  Q11: byName,
  Q12: `(select count(*) ${related}) desc, u.id desc`,
  Q13: 'u.id',
  Q14: 'u.id',
};

/** The statement of a page. */
export function pageOf(request: NestedName, values: RequestValues, family: Family): Statement {
  const [where, ...bound] = condition(request, values, family);
  const quoted = (name: string) => (family === 'pg' ? `"${name}"` : name);
  const columns = `u.id, u.name, u.email, u.age, u.active, u.created_at as ${quoted('createdAt')}, u.company_id as ${quoted('companyId')}`;
  return [
    `select ${columns} from users u where ${where} order by ${orders[request]} limit ${perPage}`,
    ...bound,
  ];
}

/** The statement of a total. */
export function totalOf(request: NestedName, values: RequestValues, family: Family): Statement {
  const [where, ...bound] = condition(request, values, family);
  const best =
    request === 'Q10' && family !== 'pg'
      ? 'u.id in (select p.user_id from posts p where instr(p.title, ?) > 0 and p.id >= ?)'
      : where;
  return [`select count(*) as total from users u where ${best}`, ...bound];
}

/** The statement of the first five posts of users by title. */
export function childrenOf(ids: readonly number[], family: Family): Statement {
  if (family === 'pg') {
    return [
      `select x.* from unnest(?::int[]) as k(id) cross join lateral
       (select p.id, p.title, p.user_id as "userId" from posts p where p.user_id = k.id order by p.title, p.id limit 5) x`,
      ids,
    ];
  }
  return [
    `select id, title, userId from (select p.id, p.title, p.user_id as userId,
       row_number() over (partition by p.user_id order by p.title, p.id) as place
       from posts p where p.user_id in (${ids.map(() => '?').join()})) k
     where place <= 5 order by userId, place`,
    ...ids,
  ];
}
