/** Hand-written Prisma: concurrent `findMany` and `count`. */

import { peer } from './contender.ts';
import type { Answer, Contender } from './contender.ts';
import { prismaClient } from './prisma-client.ts';
import type { PrismaFamily } from './prisma-client.ts';
import { firstNames, pageOf, perPage } from './requests.ts';
import type { FirstName, RequestValues } from './requests.ts';

const shown = {
  id: true,
  name: true,
  email: true,
  age: true,
  active: true,
  createdAt: true,
  companyId: true,
} as const;

const newestFirst = [{ createdAt: 'desc' }, { id: 'desc' }];

function condition(request: Exclude<FirstName, 'Q7'>, values: RequestValues): object {
  switch (request) {
    case 'Q0':
      return { companyId: values.companyId };
    case 'Q1':
    case 'Q2':
      return { age: { gte: values.ageLow, lte: values.ageHigh }, active: true };
    case 'Q3':
      return { posts: { some: { title: { contains: values.word } } } };
    case 'Q4':
    case 'Q5':
      return { active: true };
    case 'Q6':
      return {
        OR: [{ nameFolded: { contains: values.term } }, { emailFolded: { contains: values.term } }],
      };
  }
}

function order(request: FirstName): object[] {
  if (request === 'Q3') return [{ name: 'asc' }, { id: 'asc' }];
  return request === 'Q1' || request === 'Q2' || request === 'Q5' ? newestFirst : [{ id: 'asc' }];
}

function selection(request: FirstName): object {
  if (request === 'Q2') {
    return { ...shown, company: { select: { id: true, name: true, country: true } } };
  }
  if (request === 'Q4') {
    return { ...shown, posts: { select: { id: true, title: true }, orderBy: { id: 'asc' } } };
  }
  return shown;
}

/** All requests; Q7 with Prisma's own `cursor`. */
export async function prismaByHand(family: PrismaFamily): Promise<Contender> {
  const client = await prismaClient(family);
  return {
    name: peer.prisma,
    requests: firstNames,
    async answer(request: FirstName, values): Promise<Answer> {
      if (request === 'Q7') {
        const data = await client.user.findMany({
          where: { active: true },
          orderBy: newestFirst,
          cursor: { id: values.after.id },
          skip: 1,
          take: perPage,
          select: shown,
        });
        return { data };
      }
      const where = condition(request, values);
      const [data, total] = await Promise.all([
        client.user.findMany({
          where,
          orderBy: order(request),
          skip: (pageOf(request, values) - 1) * perPage,
          take: perPage,
          select: selection(request),
        }),
        client.user.count({ where }),
      ]);
      return { data, total };
    },
    close: () => client.$disconnect(),
  };
}

/** Q7 only, with the condition that an index supports. */
export async function prismaWhere(family: PrismaFamily): Promise<Contender> {
  const client = await prismaClient(family);
  return {
    name: peer.prismaWhere,
    requests: ['Q7'],
    async answer(_request, { after }): Promise<Answer> {
      const data = await client.user.findMany({
        where: {
          active: true,
          createdAt: { lte: after.createdAt },
          OR: [{ createdAt: { lt: after.createdAt } }, { id: { lt: after.id } }],
        },
        orderBy: newestFirst,
        take: perPage,
        select: shown,
      });
      return { data };
    },
    close: () => client.$disconnect(),
  };
}
