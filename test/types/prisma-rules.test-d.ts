/** Rules, requests and results over a registry of the form that `sluice-prisma` writes. */

import { describe, expectTypeOf, it } from 'vitest';
import { listEndpoint } from '../../src/http/express/index.ts';
import {
  type ResultOf,
  assertSource,
  buildQuery,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { type PrismaSource, prismaRegistry } from '../../src/adapters/prisma/index.ts';
import type { SchemaRegistry } from '../../src/index.ts';
import type { RowOf } from '../../src/rules/index.ts';
import { neverRun } from './never-run.ts';

const text = { kind: 'string', type: 'String', sqlType: 'text' } as const;

const registry = prismaRegistry({
  provider: 'postgresql',
  models: {
    city: {
      name: 'City',
      table: 'City',
      primaryKey: ['id'],
      fields: {
        id: { kind: 'integer', type: 'Int', sqlType: 'int4' },
        name: { ...text, foldedField: 'nameFolded' },
        nameFolded: { ...text, internal: true },
        population: { kind: 'integer', type: 'Int', sqlType: 'int4', nullable: true },
        size: {
          kind: 'enum',
          type: 'Size',
          sqlType: '"Size"',
          nullable: true,
          enumValues: ['s', 'm'],
        },
        active: { kind: 'boolean', type: 'Boolean', sqlType: 'bool' },
        foundedAt: { kind: 'datetime', type: 'DateTime', sqlType: 'timestamptz' },
        flag: { kind: 'binary', type: 'Bytes', sqlType: 'bytea' },
      },
      relations: {
        country: {
          target: 'country',
          cardinality: 'one',
          hops: [{ table: 'Country', from: ['countryCode'], to: ['code'] }],
        },
      },
    },
    country: {
      name: 'Country',
      table: 'Country',
      primaryKey: ['code'],
      fields: {
        code: text,
        name: { ...text, foldedField: 'nameFolded' },
        nameFolded: { ...text, internal: true },
      },
      relations: {
        cities: {
          target: 'city',
          cardinality: 'many',
          hops: [{ table: 'City', from: ['code'], to: ['countryCode'] }],
        },
      },
    },
  },
});
// The rows of a client are tested with a generated client.
type ShapeIn<R> = R extends SchemaRegistry<infer Shape> ? Shape : never;
declare const source: PrismaSource<RowOf<ShapeIn<typeof registry>, 'city'>, unknown, 'city'>;
const named = { root: { allowed: ['name'], default: ['name'] } } as const;

const fields = { root: { allowed: ['id', 'name'], default: ['id'] } } as const;
const projected = {
  root: { allowed: ['id'], default: ['id'] },
  relations: { country: { allowed: ['name'], default: ['name'] } },
} as const;

describe('rules over generated Prisma registries', () => {
  it('may name what there is', () => {
    defineQueryRules(registry, 'city', {
      filters: [
        { path: 'id', operators: ['eq', 'in', 'between'] },
        { path: 'name', operators: ['eq', 'like', 'ilike'] },
        { path: 'population', operators: ['gte', 'between', 'isNull'] },
        { path: 'size', operators: ['in', 'isNull'] },
        { path: 'active', operators: ['eq'] },
        { path: 'foundedAt', operators: ['between'] },
        { path: 'country', operators: ['isNull'] },
        { path: 'country.name', operators: ['in'] },
        { path: 'country.cities.population', operators: ['isNull'] },
      ],
      sorts: ['name', 'country.name', { path: 'population', nulls: 'last' }],
      search: ['name'],
      includes: ['country', 'country.cities'],
      fields: {
        root: { allowed: ['id', 'name', 'population'], default: ['id', 'name'] },
        relations: {
          country: { allowed: ['country.*'], default: ['country.name'] },
          'country.cities': { allowed: ['id', 'country.cities.name'], default: ['name'] },
        },
      },
      pagination: { allowUnpaginated: false },
    });
  });

  it('cannot name another model, path or key', () => {
    if (!neverRun()) return;
    // @ts-expect-error the model is called city
    defineQueryRules(registry, 'town', { fields });
    // @ts-expect-error the key is called sorts
    defineQueryRules(registry, 'city', { fields, sort: ['name'] });
    // @ts-expect-error the key is called mode
    defineQueryRules(registry, 'city', { fields, pagination: { modes: 'keyset' } });
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'city', { fields, filters: [{ path: 'nmae', operators: ['eq'] }] });
    defineQueryRules(registry, 'city', {
      fields,
      filters: [
        { path: 'country.name', operators: ['eq'] },
        // @ts-expect-error unknown field of the relation
        { path: 'country.nmae', operators: ['eq'] },
        // @ts-expect-error unknown relation
        { path: 'contry.name', operators: ['eq'] },
        // @ts-expect-error unknown field two relations on
        { path: 'country.cities.nmae', operators: ['eq'] },
        // @ts-expect-error a field has no fields
        { path: 'name.first', operators: ['eq'] },
        // @ts-expect-error a companion is internal
        { path: 'nameFolded', operators: ['eq'] },
      ],
    });
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'city', { fields, sorts: ['nmae'] });
    // @ts-expect-error unknown field, object form
    defineQueryRules(registry, 'city', { fields, sorts: [{ path: 'country.nmae' }] });
    // @ts-expect-error crosses a many relation
    defineQueryRules(registry, 'country', { fields: named, sorts: ['cities.name'] });
    // @ts-expect-error unknown field
    defineQueryRules(registry, 'city', { fields, search: ['country.nmae'] });
    // @ts-expect-error unknown relation
    defineQueryRules(registry, 'city', { fields: projected, includes: ['contry'] });
  });

  it('cannot give a field an operator that it does not have', () => {
    if (!neverRun()) return;
    defineQueryRules(registry, 'city', {
      fields,
      filters: [
        // @ts-expect-error the name is never null
        { path: 'name', operators: ['isNull'] },
        // @ts-expect-error nor is it through a relation
        { path: 'country.name', operators: ['isNull'] },
        // @ts-expect-error a number has no substrings
        { path: 'population', operators: ['like'] },
        // @ts-expect-error a boolean has none either
        { path: 'active', operators: ['eq', 'ilike'] },
        // @ts-expect-error an instant has none either
        { path: 'foundedAt', operators: ['notLike'] },
        // @ts-expect-error bytes cannot be compared
        { path: 'flag', operators: ['eq'] },
        // @ts-expect-error a relation takes isNull only
        { path: 'country', operators: ['eq'] },
      ],
    });
    // @ts-expect-error not text
    defineQueryRules(registry, 'city', { fields, search: ['population'] });
    // @ts-expect-error a relation is not searched
    defineQueryRules(registry, 'city', { fields, search: ['country'] });
  });

  it('have defaults that are allowed', () => {
    if (!neverRun()) return;
    defineQueryRules(registry, 'city', {
      // @ts-expect-error not allowed
      fields: { root: { allowed: ['id'], default: ['name'] } },
    });
    defineQueryRules(registry, 'city', {
      // @ts-expect-error empty
      fields: { root: { allowed: ['id'], default: [] } },
    });
    defineQueryRules(registry, 'city', {
      includes: ['country'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        // @ts-expect-error not allowed
        relations: { country: { allowed: ['country.code'], default: ['name'] } },
      },
    });
    defineQueryRules(registry, 'city', {
      includes: ['country'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        // @ts-expect-error the wildcard stands for fields that exist
        relations: { country: { allowed: ['country.*'], default: ['nmae'] } },
      },
    });
    defineQueryRules(registry, 'city', {
      includes: ['country'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        // @ts-expect-error a wildcard stands alone
        relations: { country: { allowed: ['country.*', 'name'], default: ['name'] } },
      },
    });
    defineQueryRules(registry, 'city', { fields }, { defaultPerPage: 20, maxPerPage: 100 });
    // @ts-expect-error above maxPerPage
    defineQueryRules(registry, 'city', { fields }, { defaultPerPage: 20, maxPerPage: 10 });
    // @ts-expect-error above the default of maxPerPage
    defineQueryRules(registry, 'city', { fields }, { defaultPerPage: 1000 });
    // @ts-expect-error unknown setting
    defineQueryRules(registry, 'city', { fields }, { defaultPerpage: 10 });
  });

  it('include relations with their projections and their parents', () => {
    if (!neverRun()) return;
    // @ts-expect-error no projection
    defineQueryRules(registry, 'city', { fields, includes: ['country'] });
    // @ts-expect-error not in includes
    defineQueryRules(registry, 'city', { fields: projected });
    defineQueryRules(registry, 'city', {
      // @ts-expect-error its parent is not in includes
      includes: ['country.cities'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { 'country.cities': { allowed: ['id'], default: ['id'] } },
      },
    });
    // @ts-expect-error a field is not a relation
    defineQueryRules(registry, 'city', { fields, includes: ['name'] });
  });
});

describe('results over generated Prisma registries', () => {
  const rules = defineQueryRules(
    registry,
    'city',
    {
      filters: [
        { path: 'size', operators: ['in', 'eq'] },
        { path: 'population', operators: ['between', 'isNull'] },
        { path: 'foundedAt', operators: ['gte'] },
        { path: 'active', operators: ['eq'] },
        { path: 'country.name', operators: ['in', 'ilike'] },
      ],
      includes: ['country', 'country.cities'],
      fields: {
        root: { allowed: ['id', 'name', 'size'], default: ['id'] },
        relations: {
          country: { allowed: ['country.*'], default: ['name'] },
          'country.cities': { allowed: ['population'], default: ['population'] },
        },
      },
    },
    { allowUnpaginated: false },
  );

  it('have the fields that the rules can show, and the total', async () => {
    if (!neverRun()) return;
    const result = await runQuery(source, '', rules);
    expectTypeOf(result.total).toEqualTypeOf<number>();
    type City = (typeof result.data)[number];
    expectTypeOf<keyof City>().toEqualTypeOf<'id' | 'name' | 'size' | 'country'>();
    expectTypeOf<City['name']>().toEqualTypeOf<string | undefined>();
    expectTypeOf<City['size']>().toEqualTypeOf<'s' | 'm' | null | undefined>();
    type Country = NonNullable<City['country']>;
    expectTypeOf<keyof Country>().toEqualTypeOf<'code' | 'name' | 'cities'>();
    type Neighbour = NonNullable<Country['cities']>[number];
    expectTypeOf<Neighbour>().toEqualTypeOf<{ population?: number | null }>();
    expectTypeOf<ResultOf<typeof source, typeof rules>>().toEqualTypeOf<typeof result>();
  });

  it('come from a source of the same model', () => {
    if (!neverRun()) return;
    const others = defineQueryRules(registry, 'country', { fields: named });
    // @ts-expect-error the source lists cities
    void runQuery(source, '', others);
    // @ts-expect-error the source lists cities
    assertSource(source, others);
    // @ts-expect-error the source lists cities
    void listEndpoint({ source, rules: others });
    // @ts-expect-error the sources list cities
    void listEndpoint({ source: () => source, rules: others });
    void listEndpoint({ source: async () => source, rules });
  });

  it('are requested with values of the fields', () => {
    if (!neverRun()) return;
    buildQuery(rules, {
      filter: {
        size: { in: ['s'], eq: 'm' },
        population: { between: [1, 2n], isNull: true },
        foundedAt: { gte: new Date() },
        active: { eq: true },
        'country.name': { in: ['Peru'], ilike: 'pe' },
      },
      fields: ['id', 'country.code', 'country.cities.population'],
      page: 2,
    });
    // @ts-expect-error not a member
    buildQuery(rules, { filter: { size: { in: ['xl'] } } });
    // @ts-expect-error a list
    buildQuery(rules, { filter: { size: { in: 's' } } });
    // @ts-expect-error a pair
    buildQuery(rules, { filter: { population: { between: [1] } } });
    // @ts-expect-error numbers
    buildQuery(rules, { filter: { population: { between: ['low', 'high'] } } });
    // @ts-expect-error a flag
    buildQuery(rules, { filter: { population: { isNull: 1 } } });
    // @ts-expect-error an instant
    buildQuery(rules, { filter: { foundedAt: { gte: 2020 } } });
    // @ts-expect-error a boolean
    buildQuery(rules, { filter: { active: { eq: 'yes' } } });
    // @ts-expect-error texts
    buildQuery(rules, { filter: { 'country.name': { in: [1] } } });
    // @ts-expect-error an operator that the rules do not allow
    buildQuery(rules, { filter: { size: { ne: 's' } } });
    // @ts-expect-error a field that the wildcard does not stand for
    buildQuery(rules, { fields: ['country.nmae'] });
    // @ts-expect-error the rules have no search
    buildQuery(rules, { search: 'x' });
    // @ts-expect-error the rules have no cursors
    buildQuery(rules, { cursor: 'x' });
    // @ts-expect-error the rules do not allow it
    buildQuery(rules, { paginate: false });
  });
});
