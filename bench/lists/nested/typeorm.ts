/** Hand-written TypeORM on the nested requests: its query builder, with a concurrent count. */

import type { SelectQueryBuilder } from 'typeorm';
import { type Contender, peer } from '../contender.ts';
import { type NestedName, type RequestValues, nestedNames, perPage } from '../requests.ts';
import {
  type TypeormFamily,
  type User,
  typeormDataSource,
  typeormEntities,
} from '../typeorm-entities.ts';
import { childrenOf } from './sql.ts';

const columns = ['id', 'name', 'email', 'age', 'active', 'createdAt', 'companyId'].map(
  (name) => `u.${name}`,
);

/** A subquery of the posts of a user. */
const posts = (builder: SelectQueryBuilder<User>, condition: string): string =>
  builder
    .subQuery()
    .select('1')
    .from('Post', 'p')
    .where('p.userId = u.id')
    .andWhere(condition)
    .getQuery();

/** Adds the condition of the request. */
function where(
  builder: SelectQueryBuilder<User>,
  request: NestedName,
  values: RequestValues,
): SelectQueryBuilder<User> {
  const word = `%${values.word}%`;
  switch (request) {
    case 'Q8':
      return builder.where('u.name LIKE :start', { start: `${values.start}%` });
    case 'Q9':
      return builder.where(
        '((u.age BETWEEN :low AND :high AND u.active = :active) OR u.companyId = :company)',
        {
          low: values.ageLow,
          high: values.ageHigh,
          active: true,
          company: values.companyId,
        },
      );
    case 'Q10':
      return builder.where(`EXISTS ${posts(builder, 'p.title LIKE :word AND p.id >= :first')}`, {
        word,
        first: values.firstPost,
      });
    case 'Q11':
      return builder
        .where('u.active = :active', { active: true })
        .andWhere(`NOT EXISTS ${posts(builder, 'p.title LIKE :word')}`, { word })
        .andWhere(`NOT EXISTS ${posts(builder, 'p.id > :last')}`, { last: values.lastPost });
    case 'Q12':
    case 'Q13':
      return builder.where('u.active = :active', { active: true });
    case 'Q14':
      return builder.where('u.age * 1000 + u.companyId >= :score', { score: values.score });
  }
}

/** Adds the order of the request. */
function order(builder: SelectQueryBuilder<User>, request: NestedName): SelectQueryBuilder<User> {
  switch (request) {
    case 'Q9':
      return builder.orderBy('u.createdAt', 'DESC').addOrderBy('u.id', 'DESC');
    case 'Q12':
      return builder
        .addSelect(
          (inner) => inner.select('COUNT(*)').from('Post', 'p').where('p.userId = u.id'),
          'counted',
        )
        .orderBy('counted', 'DESC')
        .addOrderBy('u.id', 'DESC');
    case 'Q13':
    case 'Q14':
      return builder.orderBy('u.id', 'ASC');
    default:
      return builder.orderBy('u.name', 'ASC').addOrderBy('u.id', 'ASC');
  }
}

interface PostRow {
  readonly id: number;
  readonly title: string;
  readonly userId: number;
}

/** TypeORM on its own data source. The first posts of each user are SQL, which its builder cannot say. */
export async function nestedTypeorm(family: TypeormFamily): Promise<Contender> {
  const entities = typeormEntities(family);
  const dataSource = await typeormDataSource(family, entities);
  const users = dataSource.getRepository(entities.user);

  async function withPosts(found: readonly User[]): Promise<readonly object[]> {
    const byUser = new Map<number, object[]>(found.map(({ id }) => [id, []]));
    const [sql, ...values] = childrenOf([...byUser.keys()], family);
    const rows: readonly PostRow[] = await dataSource.query(sql.replace('?::', '$1::'), values);
    for (const { id, title, userId } of rows) byUser.get(userId)?.push({ id, title });
    return found.map((user) => ({ ...user, posts: byUser.get(user.id) }));
  }

  return {
    name: peer.typeormNested,
    requests: nestedNames,
    async answer(request: NestedName, values) {
      const page = where(users.createQueryBuilder('u').select(columns), request, values);
      const [found, total] = await Promise.all([
        order(page, request).limit(perPage).getMany(),
        where(users.createQueryBuilder('u'), request, values).getCount(),
      ]);
      return { data: request === 'Q13' ? await withPosts(found) : found, total };
    },
    close: () => dataSource.destroy(),
  };
}
