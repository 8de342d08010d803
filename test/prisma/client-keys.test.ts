/** Rows that an extended client reads are found by keys of every type, in as many queries as they need, and show no key that was not asked for. */

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { type Generated, generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

interface Key {
  /** Type of the field in the schema, and its native type by family. */
  readonly type: string;
  readonly native?: Partial<Record<DatabaseFamily, string>>;
  readonly kind?: string;
  /** Default: every one. */
  readonly families?: readonly DatabaseFamily[];
  readonly column: Record<DatabaseFamily, string>;
  /** Two values as the client takes them, and as lists show them. */
  readonly values: readonly (readonly [given: unknown, shown: unknown])[];
}

const same = (column: string): Record<DatabaseFamily, string> => ({
  postgresql: column,
  mysql: column,
  sqlite: column,
});
const bytes = (digit: number) => new Uint8Array(16).fill(digit * 17);
const uuid = (digit: number) =>
  '8-4-4-4-12'.replace(/\d+/g, (n) => String(digit).repeat(Number(n)));

const keys: Readonly<Record<string, Key>> = {
  int: { type: 'Int', column: same('integer'), values: [1, 2].map((each) => [each, each]) },
  big: {
    type: 'BigInt',
    column: same('bigint'),
    values: [9_007_199_254_740_992n, 9_007_199_254_740_993n].map((each) => [each, String(each)]),
  },
  text: {
    type: 'String',
    column: same('varchar(191)'),
    values: [
      ['a', 'a'],
      ["b'", "b'"],
    ],
  },
  price: {
    type: 'Decimal',
    native: { postgresql: '@db.Decimal(10, 2)', mysql: '@db.Decimal(10, 2)' },
    column: { postgresql: 'numeric(10, 2)', mysql: 'decimal(10, 2)', sqlite: 'decimal' },
    values: [
      ['1.5', '1.5'],
      ['20', '20'],
    ],
  },
  /** Compared as doubles by the client of MySQL, which refuses such keys. */
  wide: {
    type: 'Decimal',
    column: { postgresql: 'numeric(65, 30)', mysql: 'decimal(65, 30)', sqlite: 'decimal' },
    values: ['1.00000000000000001', '1.00000000000000002'].map((text) => [text, text]),
    families: ['postgresql'],
  },
  at: {
    type: 'DateTime',
    native: { postgresql: '@db.Timestamptz(3)' },
    column: { postgresql: 'timestamptz(3)', mysql: 'datetime(3)', sqlite: 'datetime' },
    values: ['2024-01-01T00:00:00.001Z', '2024-01-01T00:00:00.002Z'].map((text) => [
      new Date(text),
      text,
    ]),
  },
  day: {
    type: 'DateTime',
    kind: 'date',
    native: { postgresql: '@db.Date', mysql: '@db.Date' },
    column: { postgresql: 'date', mysql: 'date', sqlite: 'datetime' },
    values: ['2024-01-01', '2024-01-02'].map((text) => [new Date(text), text]),
  },
  token: {
    type: 'Bytes',
    kind: 'uuid',
    native: { mysql: '@db.Binary(16)' },
    column: { postgresql: 'bytea', mysql: 'binary(16)', sqlite: 'blob' },
    values: [8, 9].map((digit) => [bytes(digit), uuid(digit)]),
  },
  colour: {
    type: 'Colour',
    column: { postgresql: '"Colour"', mysql: `enum('red', 'light green')`, sqlite: 'text' },
    values: [
      ['RED', 'RED'],
      ['GREEN', 'GREEN'],
    ],
  },
  size: {
    type: 'Size',
    column: { postgresql: '"Size"', mysql: `enum('small', 'large')`, sqlite: 'text' },
    values: [
      ['S', 'small'],
      ['L', 'large'],
    ],
  },
};
const isKeyOn =
  (family: DatabaseFamily) =>
  ([, { families }]: [string, Key]) =>
    families?.includes(family) ?? true;
const inexact = {
  postgresql: ['ratio', 'fine'],
  mysql: ['ratio', 'fine', 'wideKey'],
  sqlite: ['ratio'],
};
const titled = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1);

const modelsOf = (family: DatabaseFamily): string =>
  [
    `enum Colour {\n  RED @map("red")\n  GREEN @map("light green")\n}`,
    `/// @sluice.mapped\nenum Size {\n  S @map("small")\n  L @map("large")\n}`,
    `model Seat {\n  room Int\n  number Int\n  label String\n  @@id([room, number])\n}`,
    `model Card {\n  id Int @id\n  label String\n}`,
    `model Ratio {\n  id Float @id\n  label String\n}`,
    ...(family === 'sqlite'
      ? []
      : [
          `model Fine {\n  id DateTime @id ${family === 'mysql' ? '@db.DateTime(6)' : '@db.Timestamptz(6)'}\n  label String\n}`,
        ]),
    ...Object.entries(keys).map(
      ([name, { type, native, kind }]) =>
        `model ${titled(name)}Key {\n  ${kind ? `/// @sluice.kind(${kind})\n  ` : ''}id ${type} @id ${native?.[family] ?? ''}\n  label String\n}`,
    ),
  ].join('\n');

interface Writer {
  createMany(args: object): Promise<unknown>;
}
type Client = Awaited<ReturnType<typeof clientOn>>;

const cards = Array.from({ length: 1200 }, (_, at) => ({ id: at + 1, label: `card ${at}` }));
const seats = Array.from({ length: 500 }, (_, at) => ({
  room: Math.floor(at / 25),
  number: at % 25,
  label: `seat ${at}`,
}));

describe.each(['sqlite', 'postgresql', 'mysql'] as const)('on %s', (family) => {
  let database: ScratchDatabase | undefined;
  let client: Client;
  let registry: Generated['registry'];
  let findMany = 0;

  beforeAll(async () => {
    const made = await scratchDatabase(family, 'client_keys');
    if ('missing' in made) {
      if (everyServiceRequired()) throw new Error(made.advice);
      return;
    }
    database = made;
    const knex = knexOn(database);
    const quote = family === 'mysql' ? '`' : '"';
    const table = (name: string, key: string) =>
      knex.raw(`create table ${quote}${name}${quote} (label varchar(20) not null, ${key})`);
    if (family === 'postgresql') {
      await knex.raw(`create type "Colour" as enum ('red', 'light green')`);
      await knex.raw(`create type "Size" as enum ('small', 'large')`);
    }
    for (const [name, { column }] of Object.entries(keys))
      await table(`${titled(name)}Key`, `id ${column[family]} primary key not null`);
    await table(
      'Seat',
      'room integer not null, number integer not null, primary key (room, number)',
    );
    await table('Card', 'id integer primary key not null');
    await knex.destroy();
    const generated = await generatePrisma({ family, models: modelsOf(family) });
    ({ registry } = generated);
    client = await clientOn(generated, database, 7);
    const models = client as unknown as { readonly [model: string]: Writer };
    for (const [name, { values }] of Object.entries(keys).filter(isKeyOn(family))) {
      const data = values.map(([id], at) => ({ id, label: `${name} ${at}` }));
      await models[`${name}Key`]?.createMany({ data });
    }
    await models['seat']?.createMany({ data: seats });
    await models['card']?.createMany({ data: cards });
  });
  beforeEach((context) => void (database || context.skip()));
  afterAll(async () => {
    await client?.$disconnect();
    await database?.drop();
  });

  const counting = {
    query: {
      $allModels: {
        findMany: ({ args, query }: { args: object; query(args: object): unknown }) => {
          findMany += 1;
          return query(args);
        },
      },
    },
  };
  const sourceOn = (model: string, on: object) =>
    prismaSource({
      client: on,
      registry,
      model,
      bypassQueryExtensions: true,
    } as never) as QuerySource;
  const list = async (
    model: string,
    fields: readonly string[],
    on: object,
    request = '',
    options = {},
  ) => {
    const rules = defineQueryRules(
      registry,
      model,
      {
        sorts: ['label'],
        fields: { root: { allowed: fields, default: fields } },
      } as never,
      { allowUnpaginated: true, maxUnpaginatedRows: 2000 },
    );
    return (await runQuery(sourceOn(model, on), request, rules as CompiledQueryRules, options))
      .data;
  };

  it.each(
    Object.entries(keys)
      .filter(isKeyOn(family))
      .map(([name]) => name),
  )('a key of type %s', async (name) => {
    const rows = (keys[name]?.values ?? []).map(([, id], at) => ({ id, label: `${name} ${at}` }));
    const extended = client.$extends(counting);
    const model = `${name}Key`;
    expect(await list(model, ['id', 'label'], client, 'sort=label')).toEqual(rows);
    findMany = 0;
    expect(await list(model, ['id', 'label'], extended, 'sort=-label')).toEqual(rows.toReversed());
    expect(findMany).toBe(1);
    const labels = rows.map(({ label }) => ({ label }));
    expect(await list(model, ['label'], extended, 'sort=label')).toEqual(labels);
    // The client finds the key of the row.
    const customize = () => ({ where: { NOT: { label: `${name} 0` } } });
    expect(await list(model, ['id'], client, '', { customize })).toEqual([{ id: rows[1]?.id }]);
  });

  it('a key of two fields, of which one or none is shown', async () => {
    const extended = client.$extends(counting);
    const few = seats.slice(0, 10).map(({ room, label }) => ({ room, label }));
    const shown = await list('seat', ['room', 'label'], extended, 'sort=label');
    expect(shown).toHaveLength(10);
    expect(shown.every((row) => Object.keys(row as object).join() === 'room,label')).toBe(true);
    expect(shown[0]).toEqual(few[0]);
    expect(await list('seat', ['label'], extended, 'sort=label')).toEqual(
      shown.map((row) => ({ label: (row as { label: string }).label })),
    );
  });

  it('a key of two fields, of which an extension computes one', async () => {
    const compute = ({ number }: { number: number }) => number % 2;
    const masked = client.$extends({
      result: { seat: { number: { needs: { number: true }, compute } } },
    });
    const rows = await list('seat', ['room', 'number'], masked, 'sort=label&perPage=10');
    const sorted = seats.toSorted((a, b) => (a.label < b.label ? -1 : 1)).slice(0, 10);
    expect(rows).toEqual(sorted.map(({ room, number }) => ({ room, number: number % 2 })));
    const customize = () => ({ where: { NOT: { number: 2 } } });
    await expect(list('seat', ['room'], masked, '', { customize })).rejects.toMatchObject({
      code: 'CAPABILITY_UNAVAILABLE',
    });
  });

  it('more keys than one query binds, in the order of the list', async () => {
    findMany = 0;
    const all = await list('seat', ['label'], client.$extends(counting), 'paginate=false');
    expect(all).toEqual(seats.map(({ label }) => ({ label })));
    expect(findMany).toBe(family === 'sqlite' ? 2 : 1);
    const customize = () => ({ where: { NOT: { room: 99 } } });
    const customized = list('seat', ['label'], client, 'perPage=1', { customize });
    if (family === 'sqlite') {
      await expect(customized).rejects.toMatchObject({ code: 'CAPABILITY_UNAVAILABLE' });
    } else {
      expect(await customized).toEqual([{ label: 'seat 0' }]);
    }
    // As many keys as one query of SQLite binds.
    for (const [rooms, rows] of [
      [2, 50],
      [18, 450],
    ] as const) {
      const some = { customize: () => ({ where: { NOT: { room: { gte: rooms } } } }) };
      expect(await list('seat', ['label'], client, 'paginate=false', some)).toHaveLength(rows);
    }
  });

  it('more single keys than a statement of SQLite has alternatives', async () => {
    const all = await list('card', ['id'], client.$extends(counting), 'paginate=false');
    expect(all).toEqual(cards.map(({ id }) => ({ id })));
    const customize = () => ({ where: { NOT: { id: 7 } } });
    const rest = await list('card', ['id'], client, 'paginate=false', { customize });
    expect(rest).toEqual(all.filter((_, at) => at !== 6));
  });

  it.each(inexact[family])(
    'no key of type %s, which the client does not bind exactly',
    async (model) => {
      const work = list(model, ['label'], client, '', {
        customize: () => ({ where: { NOT: { label: 'x' } } }),
      });
      await expect(work).rejects.toThrow(
        `${model}.id: the Prisma client does not read or bind this key`,
      );
    },
  );
});
