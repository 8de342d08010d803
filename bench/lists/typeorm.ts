/** Hand-written TypeORM: the query builder in its usual form, and in an expert's form. */

import type { SelectQueryBuilder } from 'typeorm';
import { peer } from './contender.ts';
import type { Answer, Contender } from './contender.ts';
import { firstNames, pageOf, perPage } from './requests.ts';
import type { FirstName, RequestValues } from './requests.ts';
import { typeormDataSource, typeormEntities } from './typeorm-entities.ts';
import type { Post, TypeormFamily, User } from './typeorm-entities.ts';

const columns = [
  'u.id',
  'u.name',
  'u.email',
  'u.age',
  'u.active',
  'u.createdAt',
  'u.companyId',
] as const;

/** Adds the conditions of the request. */
function where(
  builder: SelectQueryBuilder<User>,
  request: FirstName,
  values: RequestValues,
): SelectQueryBuilder<User> {
  switch (request) {
    case 'Q0':
      return builder.where('u.companyId = :company', { company: values.companyId });
    case 'Q1':
    case 'Q2':
      return builder
        .where('u.age BETWEEN :low AND :high', { low: values.ageLow, high: values.ageHigh })
        .andWhere('u.active = :active', { active: true });
    case 'Q3': {
      const posts = builder
        .subQuery()
        .select('1')
        .from('Post', 'p')
        .where('p.userId = u.id')
        .andWhere('p.title LIKE :word');
      return builder.where(`EXISTS ${posts.getQuery()}`, { word: `%${values.word}%` });
    }
    case 'Q4':
    case 'Q5':
      return builder.where('u.active = :active', { active: true });
    case 'Q6':
      return builder.where('(u.nameFolded LIKE :term OR u.emailFolded LIKE :term)', {
        term: `%${values.term}%`,
      });
    case 'Q7':
      return builder
        .where('u.active = :active', { active: true })
        .andWhere('u.createdAt <= :at', { at: values.after.createdAt })
        .andWhere('(u.createdAt < :at OR u.id < :id)', { id: values.after.id });
  }
}

function order(builder: SelectQueryBuilder<User>, request: FirstName): SelectQueryBuilder<User> {
  if (request === 'Q3') builder.orderBy('u.name', 'ASC').addOrderBy('u.id', 'ASC');
  else if (request === 'Q0' || request === 'Q4' || request === 'Q6') builder.orderBy('u.id', 'ASC');
  else builder.orderBy('u.createdAt', 'DESC').addOrderBy('u.id', 'DESC');
  return builder;
}

function byId(one: { readonly id: number }, other: { readonly id: number }): number {
  return one.id - other.id;
}

/** Joins, `take` and `skip`, `getManyAndCount`; without a cursor. */
export async function typeormByHand(family: TypeormFamily): Promise<Contender> {
  const entities = typeormEntities(family);
  const dataSource = await typeormDataSource(family, entities);
  const users = dataSource.getRepository(entities.user);

  return {
    name: peer.typeorm,
    requests: firstNames.filter((name) => name !== 'Q7'),
    async answer(request: FirstName, values): Promise<Answer> {
      const builder = users.createQueryBuilder('u').select([...columns]);
      order(where(builder, request, values), request);
      if (request === 'Q2') {
        builder.leftJoin('u.company', 'c').addSelect(['c.id', 'c.name', 'c.country']);
      }
      if (request === 'Q4') builder.leftJoin('u.posts', 'o').addSelect(['o.id', 'o.title']);
      builder.take(perPage).skip((pageOf(request, values) - 1) * perPage);
      const [data, total] = await builder.getManyAndCount();
      if (request === 'Q4') for (const user of data) user.posts.sort(byId);
      return { data, total };
    },
    close: () => dataSource.destroy(),
  };
}

/** `limit` and `offset`, a concurrent count without joins, posts with a second statement. */
export async function typeormTuned(family: TypeormFamily): Promise<Contender> {
  const entities = typeormEntities(family);
  const dataSource = await typeormDataSource(family, entities);
  const users = dataSource.getRepository(entities.user);
  const posts = dataSource.getRepository(entities.post);

  async function withPosts(found: User[]): Promise<User[]> {
    const byUser = new Map<number, Pick<Post, 'id' | 'title'>[]>();
    for (const user of found) byUser.set(user.id, []);
    const rows = await posts
      .createQueryBuilder('p')
      .select(['p.id', 'p.title', 'p.userId'])
      .where('p.userId IN (:...ids)', { ids: [...byUser.keys()] })
      .orderBy('p.id', 'ASC')
      .getMany();
    for (const { id, title, userId } of rows) byUser.get(userId)?.push({ id, title });
    for (const user of found) Object.assign(user, { posts: byUser.get(user.id) });
    return found;
  }

  async function page(request: FirstName, values: RequestValues): Promise<User[]> {
    const builder = users.createQueryBuilder('u').select([...columns]);
    order(where(builder, request, values), request).limit(perPage);
    if (request !== 'Q7') builder.offset((pageOf(request, values) - 1) * perPage);
    if (request === 'Q2') {
      builder.innerJoin('u.company', 'c').addSelect(['c.id', 'c.name', 'c.country']);
    }
    const found = await builder.getMany();
    return request === 'Q4' ? withPosts(found) : found;
  }

  return {
    name: peer.typeormTuned,
    requests: firstNames,
    async answer(request: FirstName, values): Promise<Answer> {
      if (request === 'Q7') return { data: await page(request, values) };
      const [data, total] = await Promise.all([
        page(request, values),
        where(users.createQueryBuilder('u'), request, values).getCount(),
      ]);
      return { data, total };
    },
    close: () => dataSource.destroy(),
  };
}
