/** Time limits on a client whose driver adapter cannot cancel statements: the server itself ends those that are late. */

import { PrismaPg } from '@prisma/adapter-pg';
import { expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const waiting = `select count(*)::int as n from pg_stat_activity
  where datname = current_database() and wait_event_type = 'Lock'`;

it('are ended by PostgreSQL, and a limit of a second leaves time for others', async (context) => {
  const database = await scratchDatabase('postgresql', 'late_statements');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw('create table "Item" (id integer primary key)');
  await knex.raw('insert into "Item" values (1)');
  const models = 'model Item {\n  id Int @id\n}';
  const { PrismaClient, registry } = await generatePrisma({ family: 'postgresql', models });
  const client = new PrismaClient({ adapter: new PrismaPg({ connectionString: database.url }) });
  const source = prismaSource({ client, registry, model: 'item' } as never);
  const rules = defineQueryRules(registry, 'item', {
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  const list = (timeoutMs: number) => runQuery(source as never, '', rules, { timeoutMs } as never);
  const holder = await knex.transaction();
  try {
    expect(await list(1000)).toMatchObject({ data: [{ id: 1 }] });
    await holder.raw('lock table "Item"');
    await expect(list(300)).rejects.toMatchObject({ code: 'QUERY_TIMEOUT' });
    const left = async () => ((await holder.raw(waiting)) as { rows: { n: number }[] }).rows[0]?.n;
    await expect.poll(left, { timeout: 5000 }).toBe(0);
  } finally {
    await holder.rollback();
    await client.$disconnect();
    await knex.destroy();
    await database.drop();
  }
});
