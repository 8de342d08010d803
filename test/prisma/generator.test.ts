/** The generated module: kinds, companions, relations, errors, and that the checked-in module is up to date. */

import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { Datamodel, DmmfField } from '../../src/adapters/prisma/generator/dmmf.ts';
import { describeSchema, generateModule } from '../../src/adapters/prisma/generator/generate.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { knexOn } from '../matrix/fixtures/load.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma, runPrisma } from '../matrix/fixtures/prisma/generate.ts';
import { scratchDatabase } from '../services/index.ts';
import { datamodelOf } from './fixtures/datamodel.ts';
import type { AnyClient } from './fixtures/open-shop.ts';
import { shopModels, shopTables } from './fixtures/shop.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const importFrom = '../../../src/adapters/prisma/index.ts';

/** The data model of the shop with changes to one field. */
async function changed(
  model: string,
  field: string,
  change: Partial<DmmfField>,
): Promise<Datamodel> {
  const { models, enums } = await datamodelOf('postgresql', shopModels);
  return {
    enums,
    models: models.map((each) =>
      each.name === model
        ? {
            ...each,
            fields: each.fields.map((own) => (own.name === field ? { ...own, ...change } : own)),
          }
        : each,
    ),
  };
}

describe('the module', () => {
  it.for([7, 6] as const)(
    'of the shop is up to date with its schema on Prisma %i',
    async (version) => {
      const datamodel = await datamodelOf('sqlite', shopModels, version);
      const text = generateModule('sqlite', datamodel, { importFrom });
      expect(generateModule('sqlite', datamodel, { importFrom })).toBe(text);
      await expect(text).toMatchFileSnapshot('fixtures/shop-registry.ts');
    },
  );

  it('imports from the package by default', async () => {
    const text = generateModule('sqlite', await datamodelOf('sqlite', shopModels));
    expect(text).toContain(`from 'sluice/prisma'`);
  });
});

/** Kind and column type of the fields of the model `Sample`. */
function columnsOf(provider: string, datamodel: Datamodel): string[][] {
  const sample = describeSchema(provider, datamodel).models['sample'];
  return Object.entries(sample?.fields ?? {}).map(([path, { kind, sqlType }]) => [
    path,
    kind,
    sqlType,
  ]);
}

describe('kinds', () => {
  it('follow native types on PostgreSQL', async () => {
    const models = `model Sample {
      id      BigInt   @id
      plain   String
      limited String   @db.VarChar(20)
      token   String   @db.Uuid
      day     DateTime @db.Date
      at      DateTime @db.Timestamptz(6)
      cents   Decimal  @db.Decimal(12, 2)
      object  Int      @db.Oid
      small   Int      @db.SmallInt
      data    Json     @db.Json
      bytes   Bytes
    }`;
    expect(columnsOf('postgresql', await datamodelOf('postgresql', models))).toEqual([
      ['id', 'bigint', 'bigint'],
      ['plain', 'string', 'text'],
      ['limited', 'string', 'varchar(20)'],
      ['token', 'uuid', 'uuid'],
      ['day', 'date', 'date'],
      ['at', 'datetime', 'timestamptz(6)'],
      ['cents', 'decimal', 'numeric(12, 2)'],
      ['object', 'bigint', 'oid'],
      ['small', 'integer', 'smallint'],
      ['data', 'json', 'json'],
      ['bytes', 'binary', 'bytea'],
    ]);
  });

  it('follow native types on MySQL', async () => {
    const models = `model Sample {
      id    Int      @id @db.UnsignedInt
      token String   @db.Char(36)
      code  String   @db.Char(3)
      flag  Boolean
      at    DateTime
      fine  DateTime @db.DateTime(6)
    }`;
    expect(columnsOf('mysql', await datamodelOf('mysql', models))).toEqual([
      ['id', 'bigint', 'int unsigned'],
      ['token', 'uuid', 'char(36)'],
      ['code', 'string', 'char(3)'],
      ['flag', 'boolean', 'tinyint(1)'],
      ['at', 'datetime', 'datetime(3)'],
      ['fine', 'datetime', 'datetime(6)'],
    ]);
  });
});

describe('annotations', () => {
  it('set kind, members, companions of any name, and internal fields', async () => {
    const models = `model Sample {
      /// Comes from outside. @sluice.kind(uuid) @sluice.order(sorting)
      id      String @id
      sorting String
      /// @sluice.kind(enum) @sluice.values(a, "b c", d)
      state   String
      /// @sluice.kind(date)
      day     String
      /// @sluice.folded(false)
      name    String
      nameFolded String
      /// @sluice.internal
      secret  String
    }`;
    const described = describeSchema('sqlite', await datamodelOf('sqlite', models));
    const fields = described.models['sample']?.fields ?? {};
    expect(fields['id']).toMatchObject({ kind: 'uuid', portableOrderField: 'sorting' });
    expect(fields['sorting']).toMatchObject({ kind: 'string', internal: true });
    expect(fields['state']).toMatchObject({ kind: 'enum', enumValues: ['a', 'b c', 'd'] });
    expect(fields['day']).toMatchObject({ kind: 'date' });
    expect(fields['name']).not.toHaveProperty('foldedField');
    expect(fields['nameFolded']).not.toHaveProperty('internal');
    expect(fields['secret']).toMatchObject({ internal: true });
  });

  const refusals: readonly (readonly [
    title: string,
    field: string,
    change: Partial<DmmfField>,
    message: RegExp,
  ])[] = [
    [
      'an unknown annotation',
      'name',
      { documentation: '@sluice.kinds(uuid)' },
      /Thing\.name: @sluice\.kinds is not allowed on a field/,
    ],
    [
      'a duplicate annotation',
      'name',
      { documentation: '@sluice.internal @sluice.internal' },
      /Thing\.name: .* occurs twice/,
    ],
    [
      'a missing argument',
      'name',
      { documentation: '@sluice.kind' },
      /Thing\.name: @sluice\.kind has 0 arguments; it takes 1/,
    ],
    [
      'an extra argument',
      'name',
      { documentation: '@sluice.internal(yes)' },
      /Thing\.name: .* it takes none/,
    ],
    [
      'an unknown kind',
      'name',
      { documentation: '@sluice.kind(text)' },
      /Thing\.name: .* kind does not exist/,
    ],
    [
      'a kind that does not fit',
      'id',
      { documentation: '@sluice.kind(uuid)' },
      /Thing\.id: a Int does not hold kind uuid/,
    ],
    [
      'an enum without members',
      'name',
      { documentation: '@sluice.kind(enum)' },
      /Thing\.name: .*@sluice\.values/,
    ],
    [
      'a companion that does not exist',
      'name',
      { documentation: '@sluice.folded(nameFold)' },
      /Thing\.name: .* no text field of that name/,
    ],
    [
      'a companion of a numeric field',
      'id',
      { documentation: '@sluice.folded(name)' },
      /Thing\.id: kind integer has no @sluice\.folded companion/,
    ],
    [
      'an order companion of a string field',
      'name',
      { documentation: '@sluice.order(nameFolded)' },
      /Thing\.name: kind string has no @sluice\.order companion/,
    ],
    [
      'a hidden key',
      'id',
      { documentation: '@sluice.hidden' },
      /Thing\.id: a part of the primary key cannot be hidden/,
    ],
    [
      'a kind of a list',
      'name',
      { isList: true, documentation: '@sluice.kind(string)' },
      /Thing\.name: a list does not hold kind string/,
    ],
    [
      '@sluice.through without a relation of that name',
      'places',
      { documentation: '@sluice.through(shelves, shelves)' },
      /Thing\.places: @sluice\.through takes/,
    ],
    [
      '@sluice.through with the name of a field',
      'places',
      { documentation: '@sluice.through(tags, shelf)' },
      /Thing\.tags: @sluice\.through on places needs an unused name/,
    ],
    [
      'a field annotation on a relation',
      'tenant',
      { documentation: '@sluice.internal' },
      /Thing\.tenant: @sluice\.internal is not allowed on a relation/,
    ],
    [
      'a malformed annotation',
      'name',
      { documentation: '@sluice kind' },
      /Thing\.name: an @sluice annotation is written/,
    ],
  ];

  it.for([
    ['cost', { type: 'Float' }, 'float'],
    ['madeAt', { nativeType: ['Time', []] }, 'opaque'],
    ['name', { isList: true }, 'string[]'],
    ['cost', { isList: true, type: 'Bytes' }, 'opaque'],
  ] as const)('describe %s with %o as %s', async ([field, change, kind]) => {
    const datamodel = await changed('Thing', field, change as Partial<DmmfField>);
    expect(describeSchema('postgresql', datamodel).models['thing']?.fields[field]).toMatchObject({
      kind,
    });
  });

  it.for(refusals)('refuse %s', async ([_title, field, change, message]) => {
    const datamodel = await changed('Thing', field, change);
    expect(() => generateModule('postgresql', datamodel)).toThrow(message);
  });

  it('refuse an unsupported database, and an invalid setting', async () => {
    const datamodel = await datamodelOf('sqlite', shopModels);
    expect(() => generateModule('mongodb', datamodel)).toThrow(/mongodb is not one of/);
    expect(() => generateModule('sqlite', datamodel, { timestamps: 'seconds' })).toThrow(/iso8601/);
  });
});

describe('prisma generate', () => {
  it('prints the model and field of an error', async () => {
    await mkdir(`${root}.scratch`, { recursive: true });
    const folder = await mkdtemp(`${root}.scratch/prisma-refusal-`);
    const schema = `generator sluice {
  provider = "${process.execPath} ${root}src/adapters/prisma/generator/main.ts"
  output = "./sluice.ts"
}

datasource db {
  provider = "sqlite"
}

model Sample {
  id    Int   @id
  /// @sluice.kind(integer)
  ratio Float
}
`;
    await writeFile(`${folder}/schema.prisma`, schema);
    const printed = await runPrisma(`${folder}/schema.prisma`, 7).catch((error: unknown) =>
      JSON.stringify(error),
    );
    await rm(folder, { recursive: true });
    expect(printed).toContain('Sample.ratio: a Float does not hold kind integer');
  });

  it('supports the client of prisma-client-js', async () => {
    const database = await scratchDatabase('sqlite', 'prisma_js');
    if ('missing' in database) throw new Error(database.advice);
    const knex = knexOn(database);
    for (const statement of shopTables('sqlite')) await knex.raw(statement);
    await knex('tags').insert({ id: 1, label: 'new' });
    await knex.destroy();
    const client = 'prisma-client-js';
    const made = await generatePrisma({ family: 'sqlite', models: shopModels, client });
    const prisma = await clientOn(made, database, 7);
    const { registry } = made;
    const rules = defineQueryRules(registry, 'tag', {
      filters: [{ path: 'label', operators: ['like'] }],
      fields: { root: { allowed: ['id', 'label'], default: ['id', 'label'] } },
    });
    const source = prismaSource({
      client: prisma as object as AnyClient,
      registry,
      model: 'tag',
    });
    expect(await runQuery(source, 'filter[label][like]=new', rules)).toMatchObject({
      data: [{ id: 1, label: 'new' }],
      total: 1,
    });
    await prisma.$disconnect();
    await database.drop();
  });
});
