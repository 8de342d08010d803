/** Registries by hand beside the description of the generated one, on clients with and without their own. */

import { afterAll, beforeAll, expect, it } from 'vitest';
import { prismaRegistry, prismaSource } from '../../src/adapters/prisma/index.ts';
import { describeSchema } from '../../src/adapters/prisma/generator/generate.ts';
import {
  type QuerySource,
  type SchemaRegistry,
  assertSource,
  defineQueryRules,
  defineSchemaRegistry,
  runQuery,
} from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';
import { datamodelOf } from './fixtures/datamodel.ts';
import { type Shop, openShop } from './fixtures/open-shop.ts';
import { shopModels } from './fixtures/shop.ts';

let shop: Shop;
beforeAll(async () => {
  const opened = await openShop('sqlite', 'prisma_by_hand');
  if (opened) shop = opened;
});
afterAll(() => shop?.close());

const descriptionOf = async () =>
  describeSchema('sqlite', await datamodelOf('sqlite', shopModels)) as Parameters<
    typeof prismaRegistry
  >[0];
/** A client that does not tell its schema. */
const untold = (): object =>
  new Proxy(shop.client, {
    get: (target, name) =>
      (name === '_runtimeDataModel' ? undefined : Reflect.get(target, name)) as unknown,
  });
const sourceOf = (registry: SchemaRegistry, describedBy: SchemaRegistry, client: object) =>
  prismaSource({ client, registry, describedBy, model: 'thing' } as never) as QuerySource;
const differencesOf = (registry: SchemaRegistry, describedBy: SchemaRegistry, client: object) => {
  const rules = defineQueryRules(registry, 'thing', { fields: { root: 'all' } });
  const { details } = refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() =>
    assertSource(sourceOf(registry, describedBy, client), rules),
  );
  return details.differences;
};

const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;

it('may have some of the models, fields and relations', async () => {
  const registry = defineSchemaRegistry([
    {
      model: 'thing',
      primaryKey: ['id'],
      fields: [
        id,
        {
          path: 'size',
          kind: 'enum',
          nullable: true,
          primaryKey: false,
          enumValues: ['small', 'large'],
        },
      ],
      relations: [{ path: 'tenant', target: 'tenant', cardinality: 'one', nullable: false }],
    },
    {
      model: 'tenant',
      primaryKey: ['id'],
      fields: [id],
      relations: [],
    },
  ]);
  const rules = defineQueryRules(registry, 'thing', {
    filters: [{ path: 'tenant.id', operators: ['eq'] }],
    fields: { root: 'all' },
  });
  const source = sourceOf(registry, shop.registry, shop.client);
  assertSource(source, rules);
  const { data } = await runQuery(source, 'filter[tenant.id]=2&perPage=2', rules);
  expect(data).toEqual([
    { id: 1, size: 'large' },
    { id: 4, size: 'small' },
  ]);
});

it('are compared with the description where the client does not tell its schema', async () => {
  const rules = defineQueryRules(shop.registry, 'thing', { fields: { root: 'all' } });
  const source = sourceOf(shop.registry, shop.registry, untold());
  expect(() => assertSource(source, rules)).not.toThrow();
  const described = await descriptionOf();
  const { thing } = described.models;
  if (!thing) throw new Error('The shop has no things.');
  // A text with members may hold another kind of text; an enum of Prisma may not.
  const words = prismaRegistry({
    ...described,
    models: {
      thing: {
        ...thing,
        fields: {
          id: { kind: 'integer', type: 'Int', sqlType: 'int' },
          name: { kind: 'enum', type: 'String', sqlType: 'text', enumValues: ['a', 'b'] },
        },
        relations: {},
      },
    },
  });
  const registryOf = (path: string, nullable: boolean) =>
    defineSchemaRegistry([
      {
        model: 'thing',
        primaryKey: ['id'],
        fields: [id, { path, kind: 'uuid', nullable, primaryKey: false }],
        relations: [],
      },
    ]);
  const uuids = registryOf('name', false);
  const named = defineQueryRules(uuids, 'thing', { fields: { root: 'all' } });
  expect(() => assertSource(sourceOf(uuids, words, untold()), named)).not.toThrow();
  expect(differencesOf(registryOf('colour', true), shop.registry, untold())).toMatchObject([
    { model: 'thing', path: 'colour' },
  ]);
});

it('are compared with the types of the client where the description has others', async () => {
  const described = await descriptionOf();
  const { thing } = described.models;
  if (!thing) throw new Error('The shop has no things.');
  const { weight } = thing.fields;
  const changed = prismaRegistry({
    ...described,
    models: {
      ...described.models,
      thing: {
        ...thing,
        fields: {
          ...thing.fields,
          ...(weight && { weight: { ...weight, kind: 'integer', type: 'Int' } }),
        },
      },
    },
  });
  expect(differencesOf(changed, changed, shop.client)).toMatchObject([
    { model: 'thing', path: 'weight' },
  ]);
});
