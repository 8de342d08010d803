/** Filters of unsigned integers of MySQL, of which Prisma's own queries take those of 31 bits. */

import { expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const models = `model Host {
  id Int @id
  ip Int @db.UnsignedInt
}`;

it('find the values at the edge of 31 bits', async (context) => {
  const database = await scratchDatabase('mysql', 'prisma_unsigned');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw('create table Host (id int primary key, ip int unsigned not null)');
  await knex.raw('insert into Host values (1, 2147483647), (2, 2147483648), (3, 4294967295)');
  await knex.destroy();
  const generated = await generatePrisma({ family: 'mysql', models, version: 7 });
  const { registry } = generated;
  const client = await clientOn(generated, database, 7);
  try {
    // Prisma's own queries run for a client with an extension.
    const pass = ({ args, query }: { args: object; query: (on: object) => unknown }) => query(args);
    const source = prismaSource({
      client: client.$extends({ query: { host: { findMany: pass } } }),
      registry,
      model: 'host',
      bypassQueryExtensions: true,
    } as never);
    const rules = defineQueryRules(registry, 'host', {
      filters: [{ path: 'ip', operators: ['eq', 'gte'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const found = async (request: string) =>
      (await runQuery(source as never, request, rules)).data.map(({ id }) => id);
    expect(await found('filter[ip]=2147483647')).toEqual([1]);
    expect(await found('filter[ip]=2147483648')).toEqual([2]);
    expect(await found('filter[ip][gte]=2147483648')).toEqual([2, 3]);
  } finally {
    await client.$disconnect();
    await database.drop();
  }
});
