/** Refusals of clients, options and results of `customize`, and conditions that differ for rows and count. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cancelable,
  exactYears,
  prismaRegistry,
  prismaSource,
} from '../../src/adapters/prisma/index.ts';
import { describeSchema } from '../../src/adapters/prisma/generator/generate.ts';
import {
  type QuerySource,
  type SchemaRegistry,
  assertSource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';
import { datamodelOf } from './fixtures/datamodel.ts';
import { type Shop, openShop } from './fixtures/open-shop.ts';
import { shopModels } from './fixtures/shop.ts';

let shop: Shop;
beforeAll(async () => {
  const opened = await openShop('sqlite', 'prisma_refusals');
  if (opened) shop = opened;
});
afterAll(() => shop?.close());

/** The client with other members. */
const clientWith = (members: object): object =>
  new Proxy(shop.client, {
    get: (target, name) =>
      (Object.hasOwn(members, name)
        ? Reflect.get(members, name)
        : Reflect.get(target, name)) as unknown,
  });
const messageOf = (options: object): string =>
  refusalOf(() =>
    prismaSource({
      client: shop.client,
      registry: shop.registry,
      model: 'thing',
      ...options,
    } as never),
  ).message;

describe('a client is refused', () => {
  it.each(['6.18.0', '5.22.0'])('of version %s', (version) => {
    const client = clientWith({ _clientVersion: version });
    expect(messageOf({ client })).toMatch(/sluice\/prisma.*@prisma\/client.*6\.19\.0/s);
  });

  it('not of the oldest version that is known, nor where it does not tell', () => {
    for (const version of ['6.19.0', '7.0.0', undefined]) {
      const client = clientWith({ _clientVersion: version, _activeProvider: undefined });
      expect(shop.source('thing', client).model).toBe('thing');
    }
  });

  it('not where what its types do not declare has another form', async () => {
    const rules = defineQueryRules(shop.registry, 'thing', {
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    for (const members of [
      { _clientVersion: 7 },
      { _activeProvider: { name: 'sqlite' } },
      { _runtimeDataModel: undefined },
      { _runtimeDataModel: {} },
      { _engineConfig: undefined },
    ]) {
      const source = shop.source('thing', clientWith(members));
      expect(await runQuery(source, 'perPage=1', rules)).toMatchObject({ total: 30 });
    }
  });

  it('of another provider than that of the registry', () => {
    const client = clientWith({ _activeProvider: 'postgresql' });
    expect(messageOf({ client })).toBe(
      'The registry was generated for sqlite, the client for postgresql; generate both from one schema.',
    );
    expect(messageOf({ client: clientWith({ _activeProvider: 'mongodb' }) })).toContain(
      'for mongodb',
    );
  });

  it('where the registry has a provider without a family', () => {
    const models = {
      thing: {
        name: 'Thing',
        table: 'things',
        primaryKey: ['id'],
        relations: {},
        fields: { id: { kind: 'integer', type: 'Int', sqlType: 'int' } },
      },
    } as const;
    const registry = prismaRegistry({ provider: 'sqlserver', models });
    expect(messageOf({ registry })).toContain("Prisma's provider sqlserver");
    expect(registry.families).toBeUndefined();
    for (const [provider, family] of [
      ['postgres', 'postgresql'],
      ['mysql', 'mysql'],
    ] as const)
      expect(prismaRegistry({ provider, models }).families).toEqual([family]);
  });

  it('whose delegate cannot count or find', () => {
    const { findMany, count } = { findMany: () => [], count: () => 0 };
    for (const thing of [{ findMany }, { count }, undefined])
      expect(messageOf({ client: clientWith({ thing }) })).toContain('has no model "thing"');
  });
});

it.each([
  [{ client: undefined }, '"client"'],
  [{ registry: {} }, '"registry" must be a schema registry'],
  [{ describedBy: {} }, '"describedBy" must be a schema registry'],
  [{ model: 7 }, '"model" must be a string'],
  [{ schema: 7 }, '"schema" must be a string'],
  [{ bypassQueryExtensions: 'yes' }, '"bypassQueryExtensions" must be a boolean'],
  [{ strict: 'yes' }, '"strict" must be a boolean'],
  [{ registry: new Map() }, 'The registry does not describe tables'],
])('options are refused: %j', (options, message) => {
  expect(messageOf(options)).toContain(message);
});

describe('a description by hand', () => {
  const id = { kind: 'integer', type: 'Int', sqlType: 'int' } as const;
  const text = { kind: 'string', type: 'String', sqlType: 'text' } as const;
  const registry = prismaRegistry({
    provider: 'sqlite',
    models: {
      thing: {
        name: 'Thing',
        table: 'things',
        primaryKey: ['id'],
        fields: { id, label: { ...text, kind: 'decimal' } },
        relations: {
          tenant: {
            target: 'tenant',
            cardinality: 'one',
            hops: [{ table: 'tenants', from: ['name'], to: ['name'] }],
          },
        },
      },
      tenant: {
        name: 'Tenant',
        table: 'tenants',
        primaryKey: ['id'],
        fields: { id, name: text },
        relations: {},
      },
    },
  });

  it('is refused by strict where a relation may find several rows', () => {
    const lenient = { client: shop.client, registry, model: 'thing', strict: false } as never;
    expect(() => prismaSource(lenient)).not.toThrow();
    expect(messageOf({ registry, strict: true })).toContain(
      'strict: thing.tenant may find several rows',
    );
  });

  it('is refused with rules that sort by decimals in a column of texts', async () => {
    const rules = defineQueryRules(registry, 'thing', {
      sorts: ['label'],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    const source = prismaSource({ client: shop.client, registry, model: 'thing' } as never);
    await expect(runQuery(source as QuerySource, 'sort=label', rules)).rejects.toThrow(
      'thing.label: a decimal stored as text has no numeric order',
    );
  });
});

it('adapters of other drivers are refused', async () => {
  const made = { connect: async () => ({ provider: 'sqlite', client: {} }) };
  await expect(cancelable(made).connect()).rejects.toThrow('@prisma/adapter-pg');
  await expect(
    cancelable({ connect: async () => ({ provider: 'postgres' }) }).connect(),
  ).rejects.toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
  for (const client of [{ query: () => {} }, { execute: () => {} }, undefined])
    await expect(exactYears({ connect: async () => ({ client }) }).connect()).rejects.toThrow(
      '@prisma/adapter-mariadb',
    );
});

it('tells where registry and client differ: models, fields, columns, enums and relations', async () => {
  const description = describeSchema('sqlite', await datamodelOf('sqlite', shopModels));
  const { models } = description;
  const { thing, tenant } = models;
  if (!thing || !tenant) throw new Error('The shop has no things.');
  const { name, colour, label } = thing.fields;
  const changed = {
    ...description,
    models: {
      ...models,
      tenant: { ...tenant, name: 'Landlord' },
      thing: {
        ...thing,
        fields: {
          ...thing.fields,
          name: { ...name, column: 'title' },
          colour: { ...colour, kind: 'integer', type: 'Int' },
          absent: { ...label },
        },
        relations: { ...thing.relations, marks: thing.relations['tags'] },
      },
    },
  } as unknown as typeof description;
  const differences = (of: typeof description) => {
    const registry = prismaRegistry(of) as SchemaRegistry;
    const rules = defineQueryRules(registry, 'thing', {
      filters: [
        { path: 'tenant.name', operators: ['eq'] },
        { path: 'marks', operators: ['isNull'] },
        { path: 'tags', operators: ['isNull'] },
      ].filter(({ path }) => path !== 'marks' || of === changed) as never,
      fields: 'all',
    });
    const source = prismaSource({ client: shop.client, registry, model: 'thing' } as never);
    return () => assertSource(source as QuerySource, rules);
  };
  expect(differences(description)).not.toThrow();
  const { details } = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(differences(changed));
  const found = (details.differences ?? []).map((each) =>
    ['model', 'path'].map((name) => String(Reflect.get(each, name))).join('.'),
  );
  expect(found.toSorted()).toEqual([
    'tenant.null',
    'thing.absent',
    'thing.colour',
    'thing.marks',
    'thing.name',
  ]);
});

describe('customize', () => {
  const rulesOf = () =>
    defineQueryRules(shop.registry, 'thing', {
      filters: [{ path: 'id', operators: ['lte'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
  const run = (customize: unknown, options: object = {}, request = '') =>
    runQuery(shop.source('thing'), request, rulesOf(), { customize, ...options } as never);

  it.each([
    ['a promise', async () => ({ where: { id: 1 } })],
    ['a number', () => 7],
    ['a list', () => []],
    ['conditions of another type', () => ({ where: 7 })],
    ['a list of conditions', () => ({ where: [{ id: 1 }] })],
  ])('is refused with %s', async (_name, customize) => {
    await expect(run(customize)).rejects.toMatchObject({
      code: 'SOURCE_CONFIGURATION_INVALID',
      message: '"customize" must return the arguments that it receives',
    });
  });

  it.each(['take', 'skip', 'select', 'orderBy', 'cursor', 'distinct'])(
    'is refused with %s',
    async (argument) => {
      await expect(run(() => ({ where: {}, [argument]: 1 }))).rejects.toMatchObject({
        code: 'SOURCE_CONFIGURATION_INVALID',
        details: { argument },
      });
    },
  );

  it('may change its argument, leave others undefined, and add nothing', async () => {
    const changed = (args: { where: object }) => {
      args.where = { id: { gte: 29 } };
    };
    expect(await run(changed)).toMatchObject({ data: [{ id: 29 }, { id: 30 }], total: 2 });
    const undefinedOthers = () => ({ where: { id: 7 }, take: undefined });
    expect(await run(undefinedOthers)).toMatchObject({ data: [{ id: 7 }], total: 1 });
    shop.statements.splice(0);
    const all = await run(undefined, {}, 'filter[id][lte]=2');
    const statements = shop.statements.splice(0);
    for (const none of [
      () => ({}),
      () => ({ where: {} }),
      () => ({ where: undefined }),
      () => undefined,
    ]) {
      expect(await run(none, {}, 'filter[id][lte]=2')).toEqual(all);
      expect(shop.statements.splice(0)).toEqual(statements);
    }
  });

  it('adds to rows and count what it says of each', async () => {
    const customize = (_args: object, { kind }: { kind: string }) => ({
      where: kind === 'data' ? { id: { lte: 3 } } : { id: { lte: 5 } },
    });
    expect(await run(customize, {}, 'perPage=2')).toMatchObject({
      data: [{ id: 1 }, { id: 2 }],
      total: 5,
    });
    const unsaid = (_args: object, { kind }: { kind: string }) => ({
      where: { NOT: { id: { gt: kind === 'data' ? 3 : 5 } } },
    });
    expect(await run(unsaid, {}, 'perPage=2')).toMatchObject({
      data: [{ id: 1 }, { id: 2 }],
      total: 5,
    });
  });

  it('adds to the rows alone, or to the count alone', async () => {
    const only = (of: string) =>
      run(
        (_args: object, { kind }: { kind: string }) =>
          kind === of ? { where: { id: { gt: 28 } } } : undefined,
        {},
        'perPage=1',
      );
    expect(await only('data')).toMatchObject({ data: [{ id: 29 }], total: 30 });
    expect(await only('count')).toMatchObject({ data: [{ id: 1 }], total: 2 });
  });

  it('adds to the statements of its scope alone', async () => {
    const customize = () => ({ where: { id: { gt: 28 } } });
    const scoped = (customizeScope: string) => run(customize, { customizeScope }, 'perPage=1');
    expect(await scoped('data')).toMatchObject({ data: [{ id: 29 }], total: 30 });
    expect(await scoped('count')).toMatchObject({ data: [{ id: 1 }], total: 2 });
    expect(await scoped('both')).toMatchObject({ data: [{ id: 29 }], total: 2 });
  });
});
