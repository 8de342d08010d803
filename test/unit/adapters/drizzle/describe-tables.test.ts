/** `describeSource`: where models live, as Drizzle tables say it. */

import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { columnNamingOf } from '../../../../src/adapters/drizzle/foreign.ts';
import {
  type ColumnNaming,
  familyOf,
} from '../../../../src/adapters/drizzle/describe/describe-metadata.ts';
import { describeSource } from '../../../../src/adapters/drizzle/describe/describe-tables.ts';
import { manyToMany } from '../../../../src/adapters/drizzle/describe/many-to-many.ts';
import { drizzleRegistry, originOf } from '../../../../src/adapters/drizzle/describe/registry.ts';
import { defineSchemaRegistry, QueryError } from '../../../../src/schema/index.ts';
import type { SchemaRegistry } from '../../../../src/schema/index.ts';

function physicalOf(...[registry, naming]: [registry: SchemaRegistry, naming?: ColumnNaming]) {
  const origin = originOf(registry);
  return origin && describeSource(origin, registry, naming).physical;
}

function columnsOf(registry: SchemaRegistry, model: string) {
  const columns = physicalOf(registry)?.get(model)?.columns.values() ?? [];
  return Object.fromEntries([...columns].map((c) => [c.path, [c.name, c.storage, c.sqlType]]));
}

function refusal(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    expect((error as QueryError).code).toBe('SOURCE_CONFIGURATION_INVALID');
    return (error as QueryError).message;
  }
  throw new Error('nothing was refused');
}

describe('columns', () => {
  it('gives names, storage forms and types of SQLite columns', () => {
    const things = lite.sqliteTable('things', {
      id: lite.integer('thing_id').primaryKey(),
      flag: lite.integer({ mode: 'boolean' }),
      seconds: lite.integer({ mode: 'timestamp' }),
      milliseconds: lite.integer({ mode: 'timestamp_ms' }),
      price: lite.numeric(),
      exact: lite.text(),
      iso: lite.text(),
      json: lite.text({ mode: 'json' }),
      blobJson: lite.blob({ mode: 'json' }),
      bytes: lite.blob({ mode: 'buffer' }),
      epoch: lite.integer(),
    });
    const registry = drizzleRegistry({ thing: things }, [], {
      thing: {
        exact: { kind: 'decimal' },
        iso: { kind: 'datetime' },
        epoch: { kind: 'datetime', storage: 'epoch-milliseconds' },
      },
    });
    expect(columnsOf(registry, 'thing')).toEqual({
      id: ['thing_id', 'native', 'integer'],
      flag: ['flag', 'native', 'integer'],
      seconds: ['seconds', 'epoch-seconds', 'integer'],
      milliseconds: ['milliseconds', 'epoch-milliseconds', 'integer'],
      price: ['price', 'native', 'numeric'],
      exact: ['exact', 'numeric-text', 'text'],
      iso: ['iso', 'iso-text', 'text'],
      json: ['json', 'json-text', 'text'],
      blobJson: ['blobJson', 'json-blob', 'blob'],
      bytes: ['bytes', 'native', 'blob'],
      epoch: ['epoch', 'epoch-milliseconds', 'integer'],
    });
  });

  it('returns types as casts write them', () => {
    const app = pg.pgSchema('app');
    const mood = app.enum('Mood', ['sad', 'ok']);
    const things = app.table('things', {
      id: pg.bigserial({ mode: 'bigint' }).primaryKey(),
      rank: pg.serial(),
      mood: mood(),
      at: pg.timestamp({ withTimezone: true, precision: 3 }),
      price: pg.numeric({ precision: 10, scale: 2 }),
    });
    const registry = drizzleRegistry({ thing: things });
    expect(physicalOf(registry)?.get('thing')?.table).toEqual({ schema: 'app', name: 'things' });
    expect(columnsOf(registry, 'thing')).toEqual({
      id: ['id', 'native', 'bigint'],
      rank: ['rank', 'native', 'integer'],
      mood: ['mood', 'native', '"app"."Mood"'],
      at: ['at', 'native', 'timestamp (3) with time zone'],
      price: ['price', 'native', 'numeric(10, 2)'],
    });
    const rows = my.mysqlTable('rows', { id: my.serial().primaryKey(), at: my.datetime() });
    expect(columnsOf(drizzleRegistry({ row: rows }), 'row')).toEqual({
      id: ['id', 'native', 'bigint unsigned'],
      at: ['at', 'native', 'datetime'],
    });
  });

  it('tells families apart and takes the column names of the handle', () => {
    const things = lite.sqliteTable('things', {
      thingId: lite.integer().primaryKey(),
      ownName: lite.text('own'),
    });
    expect(familyOf(things)).toBe('sqlite');
    expect(familyOf(pg.pgTable('t', { id: pg.integer() }))).toBe('postgresql');
    expect(familyOf(my.mysqlTable('t', { id: my.int() }))).toBe('mysql');
    const registry = drizzleRegistry({ thing: things });
    const db = drizzle({ connection: ':memory:', casing: 'snake_case' });
    const columns = physicalOf(registry, columnNamingOf(db))?.get('thing')?.columns;
    expect(columns?.get('thingId')?.name).toBe('thing_id');
    expect(columns?.get('ownName')?.name).toBe('own');
    expect(columnsOf(registry, 'thing')['thingId']?.[0]).toBe('thingId');
    db.$client.close();
  });
});

describe('relations', () => {
  const countries = pg.pgTable('countries', { code: pg.text('c_code').primaryKey() });
  const languages = pg.pgTable('languages', { code: pg.text('l_code').primaryKey() });
  const spoken = pg.pgTable('spoken', {
    country: pg
      .text('country_code')
      .notNull()
      .references(() => countries.code),
    language: pg.text('language_code').notNull(),
  });
  const spokenRelations = relations(spoken, ({ one }) => ({
    language: one(languages, { fields: [spoken.language], references: [languages.code] }),
  }));
  const borders = pg.pgTable(
    'borders',
    { a: pg.text('a_code').notNull(), b: pg.text('b_code').notNull() },
    (t) => [
      pg.foreignKey({ columns: [t.a], foreignColumns: [countries.code] }),
      pg.foreignKey({ columns: [t.b], foreignColumns: [countries.code] }),
    ],
  );
  const cities = pg.pgTable('cities', {
    id: pg.integer().primaryKey(),
    countryCode: pg.text('country_code').notNull(),
  });
  const cityRelations = relations(cities, ({ one }) => ({
    country: one(countries, { fields: [cities.countryCode], references: [countries.code] }),
  }));
  const countryRelations = relations(countries, ({ many }) => ({ cities: many(cities) }));
  const tables = { country: countries, language: languages, city: cities };

  it('gives one hop for one() and its inverse for many()', () => {
    const registry = drizzleRegistry(tables, { cityRelations, countryRelations });
    expect(physicalOf(registry)?.get('city')?.relations.get('country')).toEqual({
      path: 'country',
      target: 'country',
      cardinality: 'one',
      hops: [{ table: { name: 'countries' }, from: ['country_code'], to: ['c_code'] }],
    });
    expect(physicalOf(registry)?.get('country')?.relations.get('cities')?.hops).toEqual([
      { table: { name: 'cities' }, from: ['c_code'], to: ['country_code'] },
    ]);
  });

  it('finds both ends of a join table by foreign key and by one()', () => {
    const registry = drizzleRegistry(tables, [
      spokenRelations,
      manyToMany(countries, 'languages', { through: spoken, target: languages }),
      manyToMany(languages, 'countries', { through: spoken, target: countries }),
    ]);
    expect(physicalOf(registry)?.get('country')?.relations.get('languages')).toEqual({
      path: 'languages',
      target: 'language',
      cardinality: 'many',
      hops: [
        { table: { name: 'spoken' }, from: ['c_code'], to: ['country_code'] },
        { table: { name: 'languages' }, from: ['language_code'], to: ['l_code'] },
      ],
    });
    expect(physicalOf(registry)?.get('language')?.relations.get('countries')?.hops).toEqual([
      { table: { name: 'spoken' }, from: ['l_code'], to: ['language_code'] },
      { table: { name: 'countries' }, from: ['country_code'], to: ['c_code'] },
    ]);
  });

  it('needs the columns named where a table joins a table to itself', () => {
    const unnamed = manyToMany(countries, 'borders', { through: borders, target: countries });
    expect(refusal(() => drizzleRegistry(tables, [unnamed]))).toBe(
      'country.borders: the columns of borders that refer to countries are not determined; name them with from in manyToMany.',
    );
    for (const named of [{ from: borders.a }, { to: [borders.b] }]) {
      const registry = drizzleRegistry(tables, [
        manyToMany(countries, 'borders', { through: borders, target: countries, ...named }),
      ]);
      expect(physicalOf(registry)?.get('country')?.relations.get('borders')?.hops).toEqual([
        { table: { name: 'borders' }, from: ['c_code'], to: ['a_code'] },
        { table: { name: 'countries' }, from: ['b_code'], to: ['c_code'] },
      ]);
    }
  });

  it('joins named columns without any foreign key on the primary key', () => {
    const loose = pg.pgTable('loose', { x: pg.text(), y: pg.text() });
    const registry = drizzleRegistry(tables, [
      manyToMany(countries, 'languages', {
        through: loose,
        target: languages,
        from: loose.x,
        to: loose.y,
      }),
    ]);
    expect(physicalOf(registry)?.get('country')?.relations.get('languages')?.hops).toEqual([
      { table: { name: 'loose' }, from: ['c_code'], to: ['x'] },
      { table: { name: 'languages' }, from: ['y'], to: ['l_code'] },
    ]);
  });

  it('refuses a join table that does not reach the target', () => {
    const relation = manyToMany(countries, 'cities', { through: spoken, target: cities });
    expect(refusal(() => drizzleRegistry(tables, [relation]))).toBe(
      'country.cities: the columns of spoken that refer to cities are not determined; name them with to in manyToMany.',
    );
  });

  describe('of schemas declared by hand', () => {
    const city = {
      model: 'city',
      primaryKey: ['id'],
      fields: [
        { path: 'id', kind: 'integer', nullable: false, primaryKey: true },
        { path: 'countryCode', kind: 'string', nullable: false, primaryKey: false },
      ],
      relations: [{ path: 'country', target: 'country', cardinality: 'one', nullable: false }],
    } as const;
    const country = {
      model: 'country',
      primaryKey: ['code'],
      fields: [{ path: 'code', kind: 'string', nullable: false, primaryKey: true }],
      relations: [],
    } as const;
    const all = [cityRelations, countryRelations];

    it('describes only what the registry declares', () => {
      const registry = defineSchemaRegistry([city, country]);
      const physical = describeSource({ tables, relations: all }, registry).physical;
      expect([...physical.keys()]).toEqual(['country', 'city']);
      expect([...(physical.get('country')?.relations.keys() ?? [])]).toEqual([]);
      expect(physical.get('city')?.relations.get('country')?.hops).toHaveLength(1);
      expect(physicalOf(registry)).toBeUndefined();
    });

    it.each([
      [
        'a field without a column',
        { ...city, fields: [...city.fields, { ...city.fields[1], path: 'nmae' }] },
        /^city\.nmae: the table has no such column/,
      ],
      [
        'a prototype name',
        { ...city, fields: [...city.fields, { ...city.fields[1], path: 'constructor' }] },
        /^city\.constructor: the table has no such column/,
      ],
      [
        'another nullability',
        { ...city, fields: [city.fields[0], { ...city.fields[1], nullable: true }] },
        /^city\.countryCode: declared nullable: true, but the Drizzle column is not nullable/,
      ],
      [
        'a kind that does not fit',
        { ...city, fields: [city.fields[0], { ...city.fields[1], kind: 'boolean' as const }] },
        /^city\.countryCode: a column of type text does not hold kind boolean/,
      ],
      [
        'another target',
        { ...city, relations: [{ ...city.relations[0], target: 'language' }] },
        /^city\.country: it leads to table countries, which is model country and not language/,
      ],
      [
        'another cardinality',
        { ...city, relations: [{ ...city.relations[0], cardinality: 'many' as const }] },
        /^city\.country: declared as many country, but the source declares one country/,
      ],
      [
        'a relation that is not declared',
        { ...city, relations: [{ ...city.relations[0], path: 'land' }] },
        /^city\.land: the source declares no such relation/,
      ],
    ])('refuses %s', (_name, schema, message) => {
      const registry = defineSchemaRegistry([schema, country]);
      expect(refusal(() => describeSource({ tables, relations: all }, registry).physical)).toMatch(
        message,
      );
    });
  });
});
