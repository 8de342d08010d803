/** Deviations that `checkProfile` finds of the client alone: decimals of SQLite, and years of MySQL and MariaDB. */

import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { expect, it } from 'vitest';
import { checkProfile, exactYears, prismaSource } from '../../src/adapters/prisma/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

it('tells a decimal of SQLite that is not declared as one', async () => {
  const database = await scratchDatabase('sqlite', 'prisma_profile');
  if ('missing' in database) throw new Error(database.advice);
  const models = `model Price {
  id    Int     @id
  right Decimal
  lower Decimal
  wrong Decimal
  /// @sluice.kind(decimal)
  text  String
  name  String
  gone  Decimal
}
model Other {
  id    Int     @id
  wrong Decimal @map("own_wrong")
}`;
  const knex = knexOn(database);
  await knex.raw(
    'create table Price (id integer primary key, right DECIMAL, lower decimal, wrong NUMERIC, text text, name text)',
  );
  await knex.raw('create table Other (id integer primary key, own_wrong REAL)');
  await knex.destroy();
  const generated = await generatePrisma({ family: 'sqlite', models });
  const client = await clientOn(generated, database, 7);
  const source = prismaSource({ client, registry: generated.registry, model: 'price' } as never);
  const every = await checkProfile(source);
  const texts = every.filter(({ detail }) => /in a TEXT column/.test(detail));
  expect(texts.map(({ where }) => where)).toEqual(['price.text']);
  const found = every.filter(({ detail }) => /driver adapter/.test(detail));
  const detail = (type: string) =>
    `type ${type}, which the driver adapter does not read as a decimal; declare it DECIMAL`;
  expect(found).toEqual([
    { rule: 'decimal', where: 'price.wrong', detail: detail('NUMERIC') },
    { rule: 'decimal', where: 'other.wrong', detail: detail('REAL') },
  ]);
  await client.$disconnect();
  await database.drop();
});

it('tells a client of MariaDB that takes early years for later ones', async (context) => {
  const database = await scratchDatabase('mysql', 'prisma_profile');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw('create table Row (id int primary key, at datetime(6) not null)');
  await knex.destroy();
  const { PrismaClient, registry } = await generatePrisma({
    family: 'mysql',
    models: 'model Row {\n  id Int @id\n  at DateTime @db.DateTime(6)\n}',
  });
  const url = database.url.replace(/^mysql:/, 'mariadb:');
  const plain = new PrismaMariaDb(url);
  for (const [adapter, told] of [
    [plain, ['datetime-form']],
    [exactYears(plain), []],
  ] as const) {
    const client = new PrismaClient({ adapter });
    const source = prismaSource({ client, registry, model: 'row' } as never);
    const every = await checkProfile(source);
    expect(every.filter(({ where }) => where === 'row.at')).toEqual([]);
    const found = every.filter(({ where }) => where === 'client');
    expect(found.map(({ rule }) => rule)).toEqual(told);
    for (const { detail } of found) expect(detail).toContain('wrap it in exactYears()');
    await client.$disconnect();
  }
  await database.drop();
});
