/** Names of columns and tables that hold the quote of Prisma's own queries, which it does not double. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PrismaClientLike, prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type QuerySource,
  assertSource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { type Generated, generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** The quote of a family's own queries in Prisma, and that of names in its SQL. */
const quotes: Readonly<Record<DatabaseFamily, readonly [prisma: string, sql: string]>> = {
  postgresql: ['"', '"'],
  mysql: ['`', '`'],
  sqlite: ['`', '"'],
};

describe.each(Object.keys(quotes) as DatabaseFamily[])('with Prisma on %s', (family) => {
  const [own, sql] = quotes[family];
  const broken = `a${own}b`;
  const foreign = `c${own}d`;
  const sound = `a${own === '"' ? '`' : '"'}b`;
  const named = (name: string): string => sql + name.replaceAll(sql, sql + sql) + sql;
  let generated: Generated;
  let client: PrismaClientLike;
  let extended: PrismaClientLike;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    const database = await scratchDatabase(family, 'quoted_names');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    const knex = knexOn(database);
    await knex.raw(`create table boxes (id integer primary key, ${named(broken)} integer)`);
    await knex.raw(`create table ${named(broken)} (id integer primary key)`);
    await knex.raw(
      `create table items (id integer primary key, ${named(broken)} varchar(20), ${named(sound)} varchar(20), box_id integer, shelf_id integer, ${named(foreign)} integer)`,
    );
    await knex.raw(`create table crates (${named(broken)} integer primary key, size integer)`);
    await knex.raw('insert into boxes values (1, 7)');
    await knex.raw(`insert into items values (1, 'v', 'w', 1, null, null)`);
    await knex.destroy();
    const models = `model Item {
  id     Int     @id
  broken String? @map(${JSON.stringify(broken)})
  sound  String? @map(${JSON.stringify(sound)})
  boxId  Int?    @map("box_id")
  box    Box?    @relation(fields: [boxId], references: [id])
  shelfId Int?   @map("shelf_id")
  shelf   Shelf? @relation(fields: [shelfId], references: [id])
  heldId  Int?   @map(${JSON.stringify(foreign)})
  heldBy  Box?   @relation("held", fields: [heldId], references: [id])
  @@map("items")
}
model Box {
  id    Int    @id
  size  Int?   @map(${JSON.stringify(broken)})
  items Item[]
  held  Item[] @relation("held")
  @@map("boxes")
}
model Shelf {
  id    Int    @id
  items Item[]
  @@map(${JSON.stringify(broken)})
}
model Crate {
  id   Int  @id @map(${JSON.stringify(broken)})
  size Int?
  @@map("crates")
}`;
    generated = await generatePrisma({ family, models });
    const made = await clientOn(generated, database, 7);
    client = made;
    const findMany = (call: { readonly args: object; query(args: object): unknown }) =>
      call.query(call.args);
    extended = made.$extends({
      query: { item: { findMany }, shelf: { findMany }, crate: { findMany } },
    });
    close = async () => {
      await made.$disconnect();
      await database.drop();
    };
  });
  afterAll(() => close?.());

  const sourceOn = (on: PrismaClientLike, model = 'item'): QuerySource =>
    prismaSource({
      client: on,
      registry: generated.registry,
      model,
      bypassQueryExtensions: true,
    } as never) as unknown as QuerySource;
  const rulesOf = (
    fields: readonly string[],
    filters: readonly string[],
    model = 'item',
  ): CompiledQueryRules =>
    defineQueryRules(generated.registry, model, {
      filters: filters.map((path) => ({ path, operators: ['eq'] })),
      fields: { root: { allowed: fields, default: fields } },
    } as never);

  it('are refused by name where the client reads the rows', async (context) => {
    if (!close) return context.skip();
    const column = `the column name ${JSON.stringify(broken)}`;
    const rules = rulesOf(['id', 'broken'], []);
    const message = `item.broken: Prisma does not quote ${column}`;
    expect(() => assertSource(sourceOn(extended), rules)).toThrow(message);
    await expect(runQuery(sourceOn(extended), '', rules)).rejects.toThrow(message);
    const shelves = rulesOf(['id'], [], 'shelf');
    await expect(runQuery(sourceOn(extended, 'shelf'), '', shelves)).rejects.toThrow(
      `shelf: Prisma does not quote the table name ${JSON.stringify(broken)}`,
    );
    // So does a condition of which SQL does not know the rows.
    const customize = () => ({ where: { NOT: { id: 2 } } });
    const listed = runQuery(sourceOn(client, 'shelf'), '', shelves, { customize });
    await expect(listed).rejects.toThrow(
      `shelf: Prisma does not quote the table name ${JSON.stringify(broken)}`,
    );
  });

  it('are refused as the column of a key, which the client reads with other fields', (context) => {
    if (!close) return context.skip();
    const sizes = rulesOf(['size'], [], 'crate');
    expect(() => assertSource(sourceOn(extended, 'crate'), sizes)).toThrow(
      `crate.id: Prisma does not quote the column name ${JSON.stringify(broken)}`,
    );
  });

  it('are read in SQL where the client does not read the rows', async (context) => {
    if (!close) return context.skip();
    const box = [{ id: 1 }];
    const answers: readonly (readonly [filters: string[], request: string, data: object[]])[] = [
      [['broken'], 'filter[broken]=v', box],
      [['box.size'], 'filter[box.size]=7', box],
      [['heldBy.id'], 'filter[heldBy.id]=1', []],
      [['shelf.id'], 'filter[shelf.id]=1', []],
    ];
    for (const [filters, request, data] of answers) {
      const rules = rulesOf(['id'], filters);
      assertSource(sourceOn(extended), rules);
      expect((await runQuery(sourceOn(extended), request, rules)).data).toEqual(data);
      const customize = () => ({ where: { boxId: 1 } });
      const customized = runQuery(sourceOn(client), request, rules, { customize });
      expect((await customized).data).toEqual(data);
    }
    const including = defineQueryRules(generated.registry, 'item', {
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { box: { allowed: ['size'], default: ['size'] } },
      },
      includes: ['box'],
    } as never) as CompiledQueryRules;
    assertSource(sourceOn(extended), including);
    const { data } = await runQuery(sourceOn(extended), 'includes=box', including);
    expect(data).toEqual([{ id: 1, box: { size: 7 } }]);
  });

  it('are read in SQL, and by the client where requests do not name them', async (context) => {
    if (!close) return context.skip();
    const every = rulesOf(['broken', 'sound'], ['broken', 'box.size']);
    assertSource(sourceOn(client), every);
    const request = 'filter[broken]=v&filter[box.size]=7';
    const { data } = await runQuery(sourceOn(client), request, every);
    expect(data).toEqual([{ broken: 'v', sound: 'w' }]);
    const rules = rulesOf(['id', 'sound'], ['sound', 'box.id']);
    assertSource(sourceOn(extended), rules);
    const found = await runQuery(sourceOn(extended), 'filter[sound]=w&filter[box.id]=1', rules);
    expect(found.data).toEqual([{ id: 1, sound: 'w' }]);
  });
});
