/** Filters of a Prisma `Int` whose kind is bigint, by values that no argument of an `Int` holds. */

import { expect, it } from 'vitest';
import { prismaRegistry, prismaSource } from '../../src/adapters/prisma/index.ts';
import { describeSchema } from '../../src/adapters/prisma/generator/generate.ts';
import { type SchemaRegistry, defineQueryRules, planQuery, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { datamodelOf } from './fixtures/datamodel.ts';

const models = `model Item {
  id   Int @id
  /// @sluice.kind(bigint)
  size Int
}`;

it('find no row and do not fail', async (context) => {
  const database = await scratchDatabase('postgresql', 'edge_of_int');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw('create table "Item" (id int primary key, size int not null)');
  await knex.raw('insert into "Item" values (1, 2147483647), (2, -2147483648)');
  await knex.destroy();
  const generated = await generatePrisma({ family: 'postgresql', models, version: 7 });
  const { registry } = generated;
  const client = await clientOn(generated, database, 7);
  try {
    // Prisma's own queries run for a client with an extension.
    const pass = ({ args, query }: { args: object; query: (on: object) => unknown }) => query(args);
    const source = prismaSource({
      client: client.$extends({ query: { item: { findMany: pass } } }),
      registry,
      model: 'item',
      bypassQueryExtensions: true,
    } as never);
    const rules = defineQueryRules(registry, 'item', {
      filters: [{ path: 'size', operators: ['eq', 'lte'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const found = async (request: string) =>
      (await runQuery(source as never, request, rules)).data.map(({ id }) => id);
    expect(await found('filter[size]=2147483647')).toEqual([1]);
    expect(await found('filter[size]=-2147483648')).toEqual([2]);
    expect(await found('filter[size]=2147483648')).toEqual([]);
    expect(await found('filter[size][lte]=2147483648')).toEqual([1, 2]);
  } finally {
    await client.$disconnect();
    await database.drop();
  }
});

it('are refused beyond the largest signed number, also on an unsigned column', async () => {
  const text = 'model Item {\n id Int @id\n size BigInt @db.UnsignedBigInt\n}';
  const description = describeSchema('mysql', await datamodelOf('mysql', text));
  const registry = prismaRegistry(description) as SchemaRegistry;
  const rules = defineQueryRules(registry, 'item', {
    filters: [{ path: 'size', operators: ['eq'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  expect(() => planQuery('filter[size]=9223372036854775807', rules)).not.toThrow();
  expect(() => planQuery('filter[size]=9223372036854775808', rules)).toThrow('does not fit');
});
