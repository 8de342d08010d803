/** Hand-written Prisma on the nested requests. It has no expressions over columns, so that it leaves Q14 out. */

import { type Contender, peer } from '../contender.ts';
import { type PrismaFamily, prismaClient } from '../prisma-client.ts';
import { type NestedName, type RequestValues, nestedNames, perPage } from '../requests.ts';

type Name = Exclude<NestedName, 'Q14'>;

const shown = {
  id: true,
  name: true,
  email: true,
  age: true,
  active: true,
  createdAt: true,
  companyId: true,
} as const;

function condition(request: Name, values: RequestValues): object {
  const hasWord = { title: { contains: values.word } };
  switch (request) {
    case 'Q8':
      return { name: { startsWith: values.start } };
    case 'Q9': {
      const range = { age: { gte: values.ageLow, lte: values.ageHigh }, active: true };
      return { OR: [range, { companyId: values.companyId }] };
    }
    case 'Q10':
      return { posts: { some: { ...hasWord, id: { gte: values.firstPost } } } };
    case 'Q11':
      return { active: true, posts: { none: hasWord, every: { id: { lte: values.lastPost } } } };
    case 'Q12':
    case 'Q13':
      return { active: true };
  }
}

const byName = [{ name: 'asc' }, { id: 'asc' }];
const orders: Readonly<Record<Name, object[]>> = {
  Q8: byName,
  Q9: [{ createdAt: 'desc' }, { id: 'desc' }],
  Q10: byName,
  Q11: byName,
  Q12: [{ posts: { _count: 'desc' } }, { id: 'desc' }],
  Q13: [{ id: 'asc' }],
};

const withPosts = {
  ...shown,
  posts: {
    select: { id: true, title: true },
    orderBy: [{ title: 'asc' }, { id: 'asc' }],
    take: 5,
  },
};

/** Concurrent `findMany` and `count`. */
export async function nestedPrisma(family: PrismaFamily): Promise<Contender> {
  const client = await prismaClient(family);
  return {
    name: peer.prismaNested,
    requests: nestedNames.filter((name) => name !== 'Q14'),
    async answer(request: Name, values) {
      const where = condition(request, values);
      const [data, total] = await Promise.all([
        client.user.findMany({
          where,
          orderBy: orders[request],
          take: perPage,
          select: request === 'Q13' ? withPosts : shown,
        }),
        client.user.count({ where }),
      ]);
      return { data, total };
    },
    close: () => client.$disconnect(),
  };
}
