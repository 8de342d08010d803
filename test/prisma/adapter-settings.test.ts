/** Settings of driver adapters: tables in another schema, instants stored as numbers. */

import { PrismaBetterSqlite3 } from '@prisma/adapter-better-sqlite3';
import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { PrismaPg } from '@prisma/adapter-pg';
import { expect, it } from 'vitest';
import { exactYears, prismaSource } from '../../src/adapters/prisma/index.ts';
import { assertSource, defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { AnyClient } from './fixtures/open-shop.ts';
import { cursorKeys } from '../cursor-keys.ts';

interface EventClient {
  readonly event: { findMany(asked: object): Promise<object[]> };
  $transaction(work: (inner: EventClient) => Promise<object[]>): Promise<object[]>;
  $disconnect(): Promise<void>;
}

const models = `model Event {
  id   Int      @id
  name String
  at   DateTime
  place Place?  @relation(fields: [placeId], references: [id])
  placeId Int?  @map("place_id")

  @@map("events")
}

model Place {
  id     Int @id
  name   String
  events Event[]

  @@map("places")
}`;

const declaration = {
  filters: [
    { path: 'at', operators: ['eq', 'gte', 'lt'] },
    { path: 'name', operators: ['like'] },
  ],
  sorts: ['at', 'place.name'],
  fields: { root: { allowed: ['id', 'at'], default: ['id', 'at'] } },
} as const;

const first = { id: 1, at: '2024-02-29T23:59:59.999Z' };
const second = { id: 2, at: '2024-03-01T00:00:00.000Z' };

it('finds tables in the schema of the PostgreSQL adapter, also in SQL', async (context) => {
  const database = await scratchDatabase('postgresql', 'prisma_schema');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw(`create schema elsewhere`);
  await knex.raw(
    `create table elsewhere.events (id int primary key, name text not null, at timestamp(3) not null, place_id int)`,
  );
  await knex.raw(`create table elsewhere.places (id int primary key, name text not null)`);
  await knex.raw(
    `insert into elsewhere.events values (1, 'a', '${first.at}'), (2, 'b', '${second.at}')`,
  );
  await knex.destroy();
  const { PrismaClient, registry } = await generatePrisma({ family: 'postgresql', models });
  const adapter = new PrismaPg({ connectionString: database.url }, { schema: 'elsewhere' });
  const client = new PrismaClient({ adapter });
  const rules = defineQueryRules(registry, 'event', declaration);
  const source = prismaSource({ client: client as object as AnyClient, registry, model: 'event' });
  assertSource(source, rules);
  for (const sort of ['at', 'place.name']) {
    expect(await runQuery(source, `sort=${sort}`, rules)).toMatchObject({ data: [first, second] });
  }
  await client.$disconnect();
  await database.drop();
});

it('finds tables in the schema that the source names, before that of the adapter', async (context) => {
  const database = await scratchDatabase('postgresql', 'prisma_schema');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw(`create schema elsewhere`);
  for (const [schema, row] of [
    ['public', first],
    ['elsewhere', second],
  ] as const) {
    await knex.raw(
      `create table ${schema}.events (id int primary key, name text not null, at timestamp(3) not null, place_id int)`,
    );
    await knex.raw(`create table ${schema}.places (id int primary key, name text not null)`);
    await knex.raw(`insert into ${schema}.events values (${row.id}, 'a', '${row.at}')`);
  }
  await knex.destroy();
  const { PrismaClient, registry } = await generatePrisma({ family: 'postgresql', models });
  const rules = defineQueryRules(registry, 'event', declaration);
  for (const own of [undefined, 'public']) {
    const adapter = new PrismaPg(
      { connectionString: database.url },
      ...(own ? [{ schema: own }] : []),
    );
    const client = new PrismaClient({ adapter });
    const source = prismaSource({
      client: client as object as AnyClient,
      registry,
      model: 'event',
      schema: 'elsewhere',
    });
    expect(await runQuery(source, 'sort=place.name', rules)).toMatchObject({ data: [second] });
    // Without either, or where the adapter tells it in another form, the schema is that of Prisma.
    const untold = new Proxy(client as object as AnyClient, {
      get: (target, name) =>
        name === '_engineConfig'
          ? { adapter: { options: { schema: 7 } } }
          : (Reflect.get(target, name) as unknown),
    });
    const plain = prismaSource({ client: untold, registry, model: 'event' });
    expect(await runQuery(plain, 'sort=place.name', rules)).toMatchObject({ data: [first] });
    await client.$disconnect();
  }
  await database.drop();
});

it('reads the year 1 of MariaDB, in a transaction as well', async (context) => {
  const database = await scratchDatabase('mysql', 'prisma_years');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const knex = knexOn(database);
  await knex.raw(
    'create table events (id int primary key, name text not null, at datetime(3) not null, place_id int)',
  );
  await knex.raw(`insert into events values (1, 'a', '0001-01-01 00:00:00', null)`);
  await knex.destroy();
  const { PrismaClient } = await generatePrisma({ family: 'mysql', models });
  const adapter = exactYears(new PrismaMariaDb(database.url.replace(/^mysql:/, 'mariadb:')));
  const client = new PrismaClient({ adapter }) as unknown as EventClient;
  const expected = [{ at: new Date('0001-01-01T00:00:00Z') }];
  const asked = { select: { at: true } };
  expect(await client.event.findMany(asked)).toEqual(expected);
  expect(await client.$transaction((inner) => inner.event.findMany(asked))).toEqual(expected);
  await client.$disconnect();
  await database.drop();
});

it('compares instants that SQLite stores as numbers, with findMany and with SQL', async () => {
  const database = await scratchDatabase('sqlite', 'prisma_epoch');
  if ('missing' in database) throw new Error(database.advice);
  const knex = knexOn(database);
  await knex.raw(
    `create table events (id integer primary key, name text not null, at datetime not null, place_id integer)`,
  );
  await knex.raw(`create table places (id integer primary key, name text not null)`);
  await knex('events').insert([
    { id: 1, name: 'a%', at: Date.parse(first.at) },
    { id: 2, name: 'b%', at: Date.parse(second.at) },
  ]);
  await knex.destroy();
  const settings = '  timestamps = "unixepoch-ms"';
  const { PrismaClient, registry } = await generatePrisma({ family: 'sqlite', models, settings });
  const adapter = new PrismaBetterSqlite3(
    { url: `file:${database.url}` },
    { timestampFormat: 'unixepoch-ms' },
  );
  const client = new PrismaClient({ adapter });
  const rules = defineQueryRules(
    registry,
    'event',
    {
      ...declaration,
      pagination: { mode: 'both' },
    },
    { cursorKeys },
  );
  const source = prismaSource({ client: client as object as AnyClient, registry, model: 'event' });
  for (const pattern of ['', '&filter[name][like]=%25']) {
    const answers: readonly (readonly [string, readonly object[]])[] = [
      [`filter[at][gte]=${second.at}`, [second]],
      [`filter[at]=${first.at}`, [first]],
      ['filter[at][lt]=2024-03-01T00:00:00.000001Z', [first, second]],
    ];
    for (const [filter, data] of answers) {
      expect((await runQuery(source, filter + pattern, rules)).data).toEqual(data);
    }
    const page = await runQuery(source, `cursor=&sort=at&perPage=1${pattern}`, rules);
    expect(page.data).toEqual([first]);
    const next = 'nextCursor' in page ? page.nextCursor : null;
    const last = await runQuery(source, `cursor=${next}&sort=at&perPage=1${pattern}`, rules);
    expect(last.data).toEqual([second]);
  }
  await client.$disconnect();
  await database.drop();
});

it('reads instants that are absent, and statements that are texts, with the years of MariaDB', async (context) => {
  const database = await scratchDatabase('mysql', 'prisma_years');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return context.skip();
  }
  const connected = await exactYears(
    new PrismaMariaDb(database.url.replace(/^mysql:/, 'mariadb:')),
  ).connect();
  const pool = connected.underlyingDriver();
  expect(await pool.query('select cast(null as datetime) as at, 1 as one')).toEqual([
    { at: null, one: 1 },
  ]);
  const sql = `select cast(null as datetime) as at, cast('0001-01-01' as datetime) as first`;
  expect(await pool.query({ sql, dateStrings: true })).toEqual([
    { at: null, first: '0001-01-01T00:00:00' },
  ]);
  await connected.dispose();
  await database.drop();
});
