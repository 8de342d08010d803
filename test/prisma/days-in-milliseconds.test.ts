/** Days that SQLite stores as milliseconds or texts: they are shown and found, whatever the time zone of the process. */

import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { scratchDatabase } from '../services/index.ts';
import type { AnyClient } from './fixtures/open-shop.ts';

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env['TZ'];
  else process.env['TZ'] = TZ;
});

const models = `model Trip {
  id  Int      @id
  /// @sluice.kind(date)
  day DateTime

  @@map("trips")
}`;

it.each(['America/New_York', 'UTC', 'Asia/Tokyo'])('are the same in %s', async (zone) => {
  process.env['TZ'] = zone;
  const database = await scratchDatabase('sqlite', 'prisma_days');
  if ('missing' in database) throw new Error(database.advice);
  const { PrismaClient, registry } = await generatePrisma({
    family: 'sqlite',
    models,
    settings: '  timestamps = "unixepoch-ms"',
  });
  const adapter = new PrismaBetterSqlite3(
    { url: `file:${database.url}` },
    { timestampFormat: 'unixepoch-ms' },
  );
  const client = new PrismaClient({ adapter });
  await client.$queryRawUnsafe(
    'create table trips (id integer primary key, day datetime not null)',
  );
  for (const [at, day] of ['2024-02-29', '2024-03-01'].entries()) {
    const text = 'insert into trips values (?, ?) returning id';
    await client.$queryRawUnsafe(text, at + 1, Date.parse(`${day}T00:00:00Z`));
  }
  const rules = defineQueryRules(registry, 'trip', {
    filters: [{ path: 'day', operators: ['eq', 'gte'] }],
    fields: { root: { allowed: ['id', 'day'], default: ['id', 'day'] } },
  });
  const source = prismaSource({ client: client as object as AnyClient, registry, model: 'trip' });
  const leap = { id: 1, day: '2024-02-29' };
  const next = { id: 2, day: '2024-03-01' };
  expect((await runQuery(source, 'filter[day]=2024-02-29', rules)).data).toEqual([leap]);
  expect((await runQuery(source, 'filter[day][gte]=2024-03-01', rules)).data).toEqual([next]);
  await client.$disconnect();
  await database.drop();
});

it('are texts in a column of texts', async () => {
  const database = await scratchDatabase('sqlite', 'prisma_days');
  if ('missing' in database) throw new Error(database.advice);
  const { PrismaClient, registry } = await generatePrisma({
    family: 'sqlite',
    models: models.replace('DateTime', 'String'),
  });
  const client = new PrismaClient({
    adapter: new PrismaBetterSqlite3({ url: `file:${database.url}` }),
  });
  await client.$queryRawUnsafe('create table trips (id integer primary key, day text not null)');
  await client.$queryRawUnsafe(
    `insert into trips values (1, '2024-02-29'), (2, '2024-03-01') returning id`,
  );
  const rules = defineQueryRules(registry, 'trip', {
    filters: [{ path: 'day', operators: ['eq', 'lte'] }],
    fields: { root: { allowed: ['id', 'day'], default: ['id', 'day'] } },
  });
  const source = prismaSource({ client: client as object as AnyClient, registry, model: 'trip' });
  const [leap, next] = ['2024-02-29', '2024-03-01'].map((day, at) => ({ id: at + 1, day }));
  expect((await runQuery(source, 'filter[day]=2024-02-29', rules)).data).toEqual([leap]);
  expect((await runQuery(source, 'filter[day][lte]=2024-03-01', rules)).data).toEqual([leap, next]);
  await client.$disconnect();
  await database.drop();
});
