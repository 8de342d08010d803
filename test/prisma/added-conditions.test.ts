/** Conditions of `customize` find the rows that the client itself finds by them, whether SQL can express them or not. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { type Generated, generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const native = {
  postgresql: {
    fine: '@db.Timestamptz(6)',
    day: '@db.Date',
    price: '@db.Decimal(10, 2)',
    token: '@db.Uuid',
  },
  mysql: {
    fine: '@db.DateTime(6)',
    day: '@db.Date',
    price: '@db.Decimal(10, 2)',
    token: '@db.Char(36)',
  },
  sqlite: { fine: '', day: '', price: '', token: '' },
};

const modelsOf = (family: DatabaseFamily): string => `enum Colour {
  RED   @map("red")
  GREEN @map("light green")
}

/// @sluice.mapped
enum Size {
  S @map("small")
  L @map("large")
}

model Item {
  id      Int       @id
  name    String?
  big     BigInt?
  price   Decimal?  ${native[family].price}
  fine    DateTime? ${native[family].fine}
  /// @sluice.kind(date)
  day     DateTime? ${native[family].day}
  colour  Colour?
  size    Size?
  flag    Boolean?
  /// @sluice.kind(uuid)
  token   String?   ${native[family].token}
  /// @sluice.kind(decimal)
  amount  String?
  /// @sluice.kind(date)
  dated   String?
  ownerId Int?
  owner   Owner?    @relation(fields: [ownerId], references: [id])
  parts   Part[]
}

model Owner {
  id    Int     @id
  name  String?
  items Item[]
}

model Part {
  id     Int  @id
  itemId Int
  size   Int?
  item   Item @relation(fields: [itemId], references: [id])
}`;

const columns = {
  postgresql:
    'big bigint, price numeric(10, 2), fine timestamptz(6), day date, colour "Colour", size "Size", flag boolean, token uuid, amount text, dated text',
  mysql: `big bigint, price decimal(10, 2), fine datetime(6), day date, colour enum('red', 'light green'), size enum('small', 'large'), flag tinyint(1), token char(36), amount varchar(191), dated varchar(191)`,
  sqlite:
    'big bigint, price decimal, fine datetime, day datetime, colour text, size text, flag boolean, token text, amount text, dated text',
};

const huge = 9_007_199_254_740_993n;
const second = '2024-01-01T00:00:01';
const tokenOf = (end: string) => `00000000-0000-4000-8000-0000000000${end}`;
/** The last digits of tokens, of which two differ in case, and amounts, in another order than their texts. */
const ends = ['01', 'AB', 'ab', '0c', '10'];
const amounts = ['1.50', '1.5', '10', '2', '-3'];
/** Instants, of which two are finer than a millisecond where the database has such. */
const instants = ['.000', '.000500', '.001', '.001999', '.002'];

interface Listed {
  findMany(args: object): Promise<{ readonly id: number; readonly price: unknown }[]>;
}

describe.each(['sqlite', 'postgresql', 'mysql'] as const)('on %s', (family) => {
  let database: ScratchDatabase | undefined;
  let client: Awaited<ReturnType<typeof clientOn>>;
  let registry: Generated['registry'];
  let rules: CompiledQueryRules;
  let items: Listed;
  const statements: string[] = [];

  beforeAll(async () => {
    const made = await scratchDatabase(family, 'added_conditions');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    const knex = knexOn(database);
    const quote = family === 'mysql' ? '`' : '"';
    const name = (table: string) => quote + table + quote;
    if (family === 'postgresql') {
      await knex.raw(`create type "Colour" as enum ('red', 'light green')`);
      await knex.raw(`create type "Size" as enum ('small', 'large')`);
    }
    const key = name('ownerId');
    await knex.raw(
      `create table ${name('Item')} (id integer primary key, name varchar(20), ${columns[family]}, ${key} integer)`,
    );
    await knex.raw(`create table ${name('Owner')} (id integer primary key, name varchar(20))`);
    await knex.raw(
      `create table ${name('Part')} (id integer primary key, ${name('itemId')} integer, size integer)`,
    );
    const zone = family === 'mysql' ? '' : '+00:00';
    const isText = family === 'sqlite';
    for (const [at, fraction] of instants.entries()) {
      const fine = isText
        ? `${second}.00${at}+00:00`
        : `${second.replace('T', ' ')}${fraction}${zone}`;
      const day = `2024-01-0${at + 1}${isText ? 'T00:00:00.000+00:00' : ''}`;
      const colour = at % 2 === 0 ? 'red' : 'light green';
      await knex.raw(
        `insert into ${name('Item')} values (${at + 1}, 'n${at}', ${huge + BigInt(at)}, ${at}.50, '${fine}', '${day}', '${colour}', '${at % 3 === 0 ? 'small' : 'large'}', ${at < 2}, '${tokenOf(ends[at] ?? '')}', '${amounts[at]}', '2024-01-0${at + 1}', ${at < 3 ? 1 + (at % 2) : 'null'})`,
      );
    }
    await knex.raw(`insert into ${name('Item')} (id) values (6)`);
    await knex.raw(`insert into ${name('Owner')} values (1, 'Ada'), (2, null)`);
    await knex.raw(
      `insert into ${name('Part')} values (1, 1, 1), (2, 1, null), (3, 2, 2), (4, 3, null)`,
    );
    await knex.destroy();
    const generated = await generatePrisma({ family, models: modelsOf(family) });
    ({ registry } = generated);
    client = await clientOn(generated, database, 7, (text) => statements.push(text));
    items = (client as unknown as { readonly item: Listed }).item;
    rules = defineQueryRules(registry, 'item', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
  });
  beforeEach((context) => void (database || context.skip()));
  afterAll(async () => {
    await client?.$disconnect();
    await database?.drop();
  });

  const listed = async (where: object): Promise<unknown[]> => {
    const source = prismaSource({ client, registry, model: 'item' } as never);
    const customize = () => ({ where });
    const page = await runQuery(source as never, '', rules, { customize } as never);
    expect(page).toMatchObject({ total: page.data.length });
    return page.data.map((row) => (row as { id: number }).id);
  };
  const found = async (where: object): Promise<number[]> => {
    const rows = await items.findMany({ where, orderBy: { id: 'asc' }, select: { id: true } });
    return rows.map(({ id }) => id);
  };

  const instant = new Date(`${second}.001Z`);
  const day = new Date('2024-01-02T00:00:00Z');
  const compared = {
    name: 'n1',
    big: huge + 1n,
    price: '1.5',
    fine: instant,
    day,
    colour: 'GREEN',
    size: 'L',
    flag: true,
    token: tokenOf('AB'),
    amount: '1.5',
    dated: '2024-01-02',
  };
  const other = {
    name: 'n3',
    big: huge + 3n,
    price: '3.5',
    fine: new Date(`${second}.002Z`),
    day: new Date('2024-01-04T00:00:00Z'),
    colour: 'RED',
    size: 'S',
    flag: false,
    token: tokenOf('0c'),
    amount: '2',
    dated: '2024-01-04',
  };
  const fields = Object.keys(compared) as (keyof typeof compared)[];

  it.each(fields)('compare %s', async (field) => {
    const [value, more] = [compared[field], other[field]];
    const conditions: object[] = [
      value,
      { equals: value },
      { not: value },
      ...(field === 'flag' ? [] : [{ in: [value, more] }, { notIn: [value, more] }, { in: [] }]),
      { equals: null },
      { not: null },
      { equals: value, not: more },
      { equals: undefined, not: value },
    ] as object[];
    if (!['colour', 'size', 'flag'].includes(field)) {
      for (const operator of ['lt', 'lte', 'gt', 'gte']) conditions.push({ [operator]: value });
      conditions.push({ gte: value, lt: more });
    }
    for (const condition of [...conditions, null, undefined]) {
      const where = { [field]: condition };
      expect([condition, await listed(where)]).toEqual([condition, await found(where)]);
    }
  });

  it('take a day by its date, and a decimal as an object of the client', async () => {
    const [row] = await items.findMany({ where: { id: 2 }, select: { price: true } });
    const price = row?.price as object;
    expect(await listed({ price })).toEqual([2]);
    expect(await listed({ price: { gt: price } })).toEqual([3, 4, 5]);
    expect(await listed({ price: { in: [price, '2.5'] } })).toEqual([2, 3]);
  });

  it('compare texts as they are stored, whatever their kind', async () => {
    for (const where of [
      { token: tokenOf('AB').toLowerCase() },
      { token: { in: [tokenOf('AB'), tokenOf('10')] } },
      { amount: '1.50' },
      { amount: { not: '1.50' } },
      { dated: '2024-01-02T10' },
      { dated: { lt: '2024-01-02T10' } },
    ]) {
      expect([where, await listed(where)]).toEqual([where, await found(where)]);
    }
  });

  it.each([
    '2024-01-02T12:00:00Z',
    '2024-01-02T23:30:00-05:00',
    '2024-01-02T00:00:00.001Z',
    '2024-01-02T00:00:00Z',
  ])('compare days with the instant %s', async (text) => {
    for (const value of [text, new Date(text)]) {
      for (const condition of [value, { not: value }, { lt: value }, { gte: value }]) {
        const where = { day: condition };
        statements.splice(0);
        const ids = await listed(where);
        // SQLite stores whole instants, which SQL would compare by their day alone.
        const isClients = family === 'sqlite' && Date.parse(text) !== Date.parse('2024-01-02');
        expect(statements.some((each) => each.startsWith('SELECT'))).toBe(isClients);
        expect([where, ids]).toEqual([where, await found(where)]);
      }
    }
  });

  it.each([
    { parts: null },
    { owner: 5 },
    { owner: 'x' },
    { AND: null },
    { name: { gt: null } },
    { name: { in: 'n1' } },
    { name: { in: ['n1', null] } },
    { name: { notIn: ['n1', undefined] } },
    { day: '2024-01-02' },
  ])('are refused as %j, which the client refuses', async (where) => {
    const name = 'PrismaClientValidationError';
    await expect(found(where)).rejects.toMatchObject({ name });
    await expect(listed(where)).rejects.toMatchObject({ cause: { name } });
  });

  it.each([
    [{ AND: { name: 'n1' } }, true],
    [{ AND: [{ id: { gt: 1 } }, { id: { lt: 3 } }] }, true],
    [{ AND: [] }, true],
    [{ AND: undefined, id: 2 }, true],
    [{ owner: undefined, id: 2 }, true],
    [{ colour: 'RED' }, true],
    [{ size: { in: ['S'] } }, true],
    [{ token: tokenOf('0c') }, true],
    [{ token: { gt: tokenOf('01') } }, false],
    [{ dated: { gt: '2024-01-02' } }, true],
    [{ dated: { gt: '2024-01-02T10' } }, false],
    [{ day: new Date('2024-01-02T00:00:00Z') }, true],
    [{ price: { gt: 1e-7 } }, true],
    [{ price: { notIn: ['1.5', `0.${'0'.repeat(35)}1`] } }, false],
    [{ OR: [] }, false],
    [{ AND: [{ OR: [] }] }, false],
    [{ owner: { OR: [] } }, false],
    [{ OR: [{ OR: [] }, { id: 1 }] }, false],
    [{ OR: [{ id: 1 }, { AND: [{ id: { gt: 2 } }, { name: 'n3' }] }] }, true],
    [{ OR: [{ name: undefined }, { id: 1 }] }, true],
    [{ OR: [{}, { AND: [{}] }, { id: 1 }, { owner: {} }] }, true],
    [{ OR: [{ AND: [{}, { name: {} }] }, { id: 1 }] }, true],
    [{ OR: [{ name: undefined }] }, false],
    [{ OR: [{ name: { in: undefined } }, { id: 1 }] }, true],
    [{ OR: [{ owner: { AND: [] } }, { id: 1 }] }, true],
    [{ OR: [{ owner: { is: {} } }, { id: 1 }] }, true],
    [{ OR: [{ owner: { is: { name: undefined } } }, { id: 1 }] }, true],
    [{ OR: [{ owner: { is: undefined } }, { id: 1 }] }, false],
    [{ OR: [{ parts: { some: {} } }, { id: 1 }] }, false],
    [{ OR: [{ NOT: [] }, { id: 1 }] }, false],
    [{ AND: [{ OR: [{}] }] }, false],
    [{ AND: [{}, { id: 1 }] }, true],
    [{ id: { gt: 1 }, OR: [{ id: 1 }, { id: 2 }] }, true],
    [{ NOT: { id: 2 } }, false],
    [{ AND: [{ id: { gt: 1 } }, { NOT: { id: 2 } }] }, false],
    [{ OR: [{ id: 1 }, { NOT: { id: 2 } }] }, false],
    [{ name: { contains: '1' } }, false],
    [{ name: { not: { equals: 'n1' } } }, false],
    [{ name: { in: ['n1'], contains: '1' } }, false],
    [{ owner: null }, true],
    [{ owner: { is: null } }, true],
    [{ owner: { isNot: null } }, false],
    [{ owner: { name: 'Ada' } }, true],
    [{ owner: { is: { name: 'Ada' } } }, true],
    [{ owner: { name: null } }, true],
    [{ owner: { name: { not: 'Ada' } } }, true],
    [{ owner: { is: { name: null } } }, true],
    [{ owner: { isNot: { name: 'Ada' } } }, false],
    [{ owner: { is: { id: { gt: 0 } }, isNot: { name: 'Ada' } } }, false],
    [{ owner: {} }, true],
    [{ owner: { name: undefined } }, true],
    [{ owner: { AND: [] } }, true],
    [{ owner: { is: {} } }, true],
    [{ owner: { is: { name: undefined } } }, true],
    [{ owner: { id: { gt: 0 }, name: undefined } }, true],
    [{ parts: { some: { size: 1 } } }, true],
    [{ parts: { some: { size: null } } }, true],
    [{ parts: { some: { size: 1, id: 2 } } }, false],
    [{ parts: { some: {} } }, false],
    [{ parts: { some: { NOT: { size: 1 } } } }, false],
    [{ parts: { none: { size: 1 } } }, false],
    [{ parts: { every: { size: { not: null } } } }, false],
    [{ parts: { some: { size: 1 }, none: { size: 2 } } }, false],
    [{ owner: { items: { some: { id: 3 } } } }, true],
  ])('hold as %j', async (where, isSql) => {
    statements.splice(0);
    const ids = await listed(where);
    expect(statements.some((text) => text.startsWith('SELECT'))).toBe(!isSql);
    expect(ids).toEqual(await found(where));
  });
});
