/** `drizzleRegistry` derives query schemas from Drizzle tables and relations. */

import { relations } from 'drizzle-orm';
import * as my from 'drizzle-orm/mysql-core';
import * as pg from 'drizzle-orm/pg-core';
import * as lite from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, originOf } from '../../../../src/adapters/drizzle/describe/registry.ts';
import { defineQueryRules } from '../../../../src/index.ts';
import { QueryError } from '../../../../src/schema/index.ts';
import type { SchemaRegistry } from '../../../../src/schema/index.ts';

function kindsOf(registry: SchemaRegistry, model: string) {
  return Object.fromEntries(
    registry.get(model)?.fields.map((field) => [field.path, field.kind]) ?? [],
  );
}

function fieldOf(registry: SchemaRegistry, model: string, path: string) {
  return registry.get(model)?.fields.find((field) => field.path === path);
}

function refusal(build: () => unknown): string {
  try {
    build();
  } catch (error) {
    expect(error).toBeInstanceOf(QueryError);
    expect((error as QueryError).code).toBe('SOURCE_CONFIGURATION_INVALID');
    return (error as QueryError).message;
  }
  throw new Error('nothing was refused');
}

const mood = pg.pgEnum('mood', ['sad', 'ok', 'happy']);

describe('kinds by column type', () => {
  it('knows the PostgreSQL types', () => {
    const things = pg.pgTable('things', {
      id: pg.uuid().primaryKey(),
      small: pg.smallint(),
      int: pg.integer(),
      serial: pg.serial(),
      smallserial: pg.smallserial(),
      big: pg.bigint({ mode: 'bigint' }),
      bigNumber: pg.bigint({ mode: 'number' }),
      bigserial: pg.bigserial({ mode: 'bigint' }),
      price: pg.numeric({ precision: 10, scale: 2 }),
      priceNumber: pg.numeric({ mode: 'number' }),
      flag: pg.boolean(),
      day: pg.date(),
      dayDate: pg.date({ mode: 'date' }),
      at: pg.timestamp(),
      atZone: pg.timestamp({ withTimezone: true, mode: 'string' }),
      text: pg.text(),
      varchar: pg.varchar({ length: 20 }),
      char: pg.char({ length: 2 }),
      size: pg.text({ enum: ['s', 'm', 'l'] }),
      mood: mood(),
      json: pg.json(),
      jsonb: pg.jsonb(),
    });
    expect(kindsOf(drizzleRegistry({ thing: things }), 'thing')).toEqual({
      id: 'uuid',
      small: 'integer',
      int: 'integer',
      serial: 'integer',
      smallserial: 'integer',
      big: 'bigint',
      bigNumber: 'bigint',
      bigserial: 'bigint',
      price: 'decimal',
      priceNumber: 'decimal',
      flag: 'boolean',
      day: 'date',
      dayDate: 'date',
      at: 'datetime',
      atZone: 'datetime',
      text: 'string',
      varchar: 'string',
      char: 'string',
      size: 'enum',
      mood: 'enum',
      json: 'json',
      jsonb: 'json',
    });
  });

  it('knows the MySQL types', () => {
    const things = my.mysqlTable('things', {
      id: my.serial().primaryKey(),
      tiny: my.tinyint(),
      small: my.smallint({ unsigned: true }),
      medium: my.mediumint(),
      int: my.int(),
      big: my.bigint({ mode: 'number', unsigned: true }),
      price: my.decimal({ precision: 10, scale: 2 }),
      flag: my.boolean(),
      year: my.year(),
      day: my.date(),
      at: my.datetime({ fsp: 6 }),
      stamp: my.timestamp({ mode: 'string' }),
      text: my.text(),
      varchar: my.varchar({ length: 20 }),
      char: my.char({ length: 36 }),
      size: my.mysqlEnum(['s', 'm', 'l']),
      json: my.json(),
      bytes: my.varbinary({ length: 16 }),
    });
    expect(kindsOf(drizzleRegistry({ thing: things }), 'thing')).toEqual({
      id: 'bigint',
      tiny: 'integer',
      small: 'integer',
      medium: 'integer',
      int: 'integer',
      big: 'bigint',
      price: 'decimal',
      flag: 'boolean',
      year: 'integer',
      day: 'date',
      at: 'datetime',
      stamp: 'datetime',
      text: 'string',
      varchar: 'string',
      char: 'string',
      size: 'enum',
      json: 'json',
      bytes: 'binary',
    });
  });

  it('knows the SQLite types', () => {
    const things = lite.sqliteTable('things', {
      id: lite.integer().primaryKey(),
      flag: lite.integer({ mode: 'boolean' }),
      seconds: lite.integer({ mode: 'timestamp' }),
      milliseconds: lite.integer({ mode: 'timestamp_ms' }),
      price: lite.numeric(),
      text: lite.text(),
      size: lite.text({ enum: ['s', 'm', 'l'] }),
      json: lite.text({ mode: 'json' }),
      blobJson: lite.blob({ mode: 'json' }),
      bytes: lite.blob({ mode: 'buffer' }),
    });
    expect(kindsOf(drizzleRegistry({ thing: things }), 'thing')).toEqual({
      id: 'integer',
      flag: 'boolean',
      seconds: 'datetime',
      milliseconds: 'datetime',
      price: 'decimal',
      text: 'string',
      size: 'enum',
      json: 'json',
      blobJson: 'json',
      bytes: 'binary',
    });
  });

  it.each([
    ['float', 'real', pg.real()],
    ['float', 'double precision', pg.doublePrecision()],
    ['opaque', 'point', pg.point()],
    ['opaque', 'interval', pg.interval()],
    ['opaque', 'time', pg.time()],
    ['opaque', 'inet', pg.inet()],
    ['string[]', 'an array', pg.text().array()],
    ['enum[]', 'an array of an enum', pg.text({ enum: ['a', 'b'] }).array()],
    ['opaque', 'an array of arrays', pg.text().array().array()],
    ['opaque', 'an array of points', pg.point().array()],
    ['opaque', 'bit', pg.bit({ dimensions: 3 })],
    ['opaque', 'a vector', pg.vector({ dimensions: 3 })],
    ['opaque', 'a custom type', pg.customType<{ data: string }>({ dataType: () => 'ltree' })()],
    ['string', 'varchar(48)', pg.customType<{ data: string }>({ dataType: () => 'varchar(48)' })()],
    ['binary', 'bytea', pg.customType<{ data: Buffer }>({ dataType: () => 'bytea' })()],
  ])('%s is the kind of %s', (kind, _name, column) => {
    const things = pg.pgTable('things', { id: pg.integer().primaryKey(), odd: column });
    expect(kindsOf(drizzleRegistry({ thing: things }), 'thing')).toEqual({
      id: 'integer',
      odd: kind,
    });
    const without = drizzleRegistry({ thing: things }, [], { thing: { odd: false } });
    expect(kindsOf(without, 'thing')).toEqual({ id: 'integer' });
  });

  it('shows a bigint in a blob and takes an unsigned int', () => {
    const blobs = lite.sqliteTable('blobs', {
      id: lite.integer().primaryKey(),
      big: lite.blob({ mode: 'bigint' }),
    });
    expect(kindsOf(drizzleRegistry({ blob: blobs }), 'blob')).toMatchObject({ big: 'opaque' });
    const rows = my.mysqlTable('rows', { id: my.int({ unsigned: true }).primaryKey() });
    expect(kindsOf(drizzleRegistry({ row: rows }), 'row')).toEqual({ id: 'integer' });
    const said = drizzleRegistry({ row: rows }, [], { row: { id: { kind: 'bigint' } } });
    expect(kindsOf(said, 'row')).toEqual({ id: 'bigint' });
  });

  it.each([
    ['uuid', 'integer', pg.uuid()],
    ['interval', 'string', pg.interval()],
    ['text[]', 'string', pg.text().array()],
    ['real', 'decimal', pg.real()],
  ] as const)('refuses a %s as %s', (type, kind, column) => {
    const things = pg.pgTable('things', { id: pg.integer().primaryKey(), odd: column });
    expect(
      refusal(() => drizzleRegistry({ thing: things }, [], { thing: { odd: { kind } } } as never)),
    ).toBe(
      `thing.odd: a column of type ${type} does not hold kind ${kind} on postgresql; declare the kind it holds, or how it holds it as storage.`,
    );
  });

  it('refuses a kind that the column cannot hold', () => {
    const things = pg.pgTable('things', { id: pg.integer().primaryKey(), at: pg.integer() });
    expect(
      refusal(() => drizzleRegistry({ thing: things }, [], { thing: { at: { kind: 'uuid' } } })),
    ).toBe(
      'thing.at: a column of type integer does not hold kind uuid on postgresql; declare the kind it holds, or how it holds it as storage.',
    );
  });
});

describe('fields', () => {
  const users = pg.pgTable('users', {
    id: pg.uuid().primaryKey(),
    idOrder: pg.text('id_order').notNull(),
    name: pg.text().notNull(),
    nameFolded: pg.text().notNull(),
    nameOrder: pg.text(),
    nick: pg.text(),
    nick_folded: pg.text(),
    mood: mood(),
    mood_order: pg.text(),
    age: pg.integer(),
    ageFolded: pg.integer(),
  });

  it('takes nullability, the primary key and enum members from the columns', () => {
    const registry = drizzleRegistry({ user: users });
    expect(registry.get('user')?.primaryKey).toEqual(['id']);
    expect(fieldOf(registry, 'user', 'name')).toMatchObject({ nullable: false, primaryKey: false });
    expect(fieldOf(registry, 'user', 'nick')).toMatchObject({ nullable: true });
    expect(fieldOf(registry, 'user', 'mood')).toMatchObject({
      enumValues: ['sad', 'ok', 'happy'],
    });
  });

  it('finds companions by their names and makes them internal', () => {
    const registry = drizzleRegistry({ user: users });
    expect(fieldOf(registry, 'user', 'id')).toMatchObject({ portableOrderField: 'idOrder' });
    expect(fieldOf(registry, 'user', 'name')).toMatchObject({ foldedField: 'nameFolded' });
    expect(fieldOf(registry, 'user', 'nick')).toMatchObject({ foldedField: 'nick_folded' });
    expect(fieldOf(registry, 'user', 'mood')).toMatchObject({ portableOrderField: 'mood_order' });
    const internal = registry.get('user')?.fields.filter((field) => field.internal);
    expect(internal?.map((field) => field.path)).toEqual([
      'idOrder',
      'nameFolded',
      'nick_folded',
      'mood_order',
    ]);
  });

  it('ignores columns that only look like a companion', () => {
    const registry = drizzleRegistry({ user: users }, [], {
      user: { name: { foldedField: false }, nick_folded: { internal: false } },
    });
    expect(fieldOf(registry, 'user', 'name')).not.toHaveProperty('foldedField');
    expect(fieldOf(registry, 'user', 'nameFolded')).not.toHaveProperty('internal');
    expect(fieldOf(registry, 'user', 'nick')).not.toHaveProperty('foldedField');
    expect(fieldOf(registry, 'user', 'nameOrder')).not.toHaveProperty('internal');
    expect(fieldOf(registry, 'user', 'ageFolded')).not.toHaveProperty('internal');
  });

  it('applies overrides', () => {
    const registry = drizzleRegistry({ user: users }, [], {
      user: {
        nick: { kind: 'enum', enumValues: ['a', 'b'], nullable: false, foldedField: 'nameOrder' },
        age: { internal: true },
      },
    });
    expect(fieldOf(registry, 'user', 'nick')).toEqual({
      path: 'nick',
      kind: 'enum',
      nullable: false,
      primaryKey: false,
      enumValues: ['a', 'b'],
      foldedField: 'nameOrder',
    });
    expect(fieldOf(registry, 'user', 'nameOrder')).toMatchObject({ internal: true });
    expect(fieldOf(registry, 'user', 'age')).toMatchObject({ internal: true });
  });

  it('refuses overrides of paths that do not exist', () => {
    expect(refusal(() => drizzleRegistry({ user: users }, [], { user: { nmae: false } }))).toMatch(
      /^user\.nmae: overrides name neither a column nor a relation/,
    );
    const others: { [model: string]: { name: false } } = { usr: { name: false } };
    expect(refusal(() => drizzleRegistry({ user: users }, [], others))).toMatch(/^usr: overrides/);
  });

  it.each([
    [
      'pg',
      pg.pgTable('t', { a: pg.integer('x'), b: pg.integer('y'), c: pg.integer() }, (t) => [
        pg.primaryKey({ columns: [t.b, t.a] }),
      ]),
    ],
    [
      'mysql',
      my.mysqlTable('t', { a: my.int('x'), b: my.int('y'), c: my.int() }, (t) => ({
        key: my.primaryKey({ columns: [t.b, t.a] }),
      })),
    ],
    [
      'sqlite',
      lite.sqliteTable('t', { a: lite.integer('x'), b: lite.integer('y'), c: lite.text() }, (t) => [
        lite.primaryKey({ columns: [t.b, t.a] }),
      ]),
    ],
  ])('knows a primary key that the table declares, in key order (%s)', (_name, table) => {
    const registry = drizzleRegistry({ row: table });
    expect(registry.get('row')?.primaryKey).toEqual(['b', 'a']);
    expect(fieldOf(registry, 'row', 'a')).toMatchObject({ nullable: false, primaryKey: true });
    expect(fieldOf(registry, 'row', 'c')).toMatchObject({ nullable: true, primaryKey: false });
  });

  it('refuses a table without a primary key', () => {
    const log = pg.pgTable('log', { line: pg.text() });
    expect(refusal(() => drizzleRegistry({ log }))).toMatch(
      /^log: its table or view has no primary key; name one with overrides \{ log: /,
    );
  });

  it('takes the exports of a schema module, and passes over exports that are not a model', () => {
    const things = pg.pgTable('things', { id: pg.integer().primaryKey(), logLine: pg.text() });
    const log = pg.pgTable('log', { line: pg.text() });
    const parts = pg.pgTable('parts', { no: pg.uuid(), thingId: pg.integer() });
    const schema = {
      things,
      log,
      parts,
      mood: pg.pgEnum('mood', ['sad']),
      numbers: pg.pgSequence('numbers'),
      area: pg.pgSchema('area'),
      reader: pg.pgRole('reader'),
      useful: () => 1,
      sums: pg.pgView('sums', { thing: pg.integer(), sum: pg.doublePrecision() }).existing(),
      names: pg.pgMaterializedView('names').as((qb) => qb.select({ line: log.line }).from(log)),
      thingsRelations: relations(things, ({ one, many }) => ({
        log: one(log, { fields: [things.logLine], references: [log.line] }),
        parts: many(parts),
      })),
      partsRelations: relations(parts, ({ one }) => ({
        thing: one(things, { fields: [parts.thingId], references: [things.id] }),
      })),
    };
    const registry = drizzleRegistry(schema, [], {
      parts: { no: { primaryKey: true } },
      sums: { thing: { primaryKey: true } },
    });
    expect([...registry.keys()].toSorted()).toEqual(['parts', 'sums', 'things']);
    expect(registry.families).toEqual(['postgresql']);
    expect(registry.get('sums')).toMatchObject({
      primaryKey: ['thing'],
      fields: [
        { path: 'thing', kind: 'integer', nullable: false, primaryKey: true },
        { path: 'sum', kind: 'float', nullable: true },
      ],
    });
    expect(registry.get('things')?.relations.map(({ path }) => path)).toEqual(['parts']);
    expect(registry.skipped?.map(({ table }) => table)).toEqual(['log', 'names']);
    const fields = { root: { allowed: ['id'], default: ['id'] } } as const;
    expect(refusal(() => defineQueryRules(registry as never, 'names', { fields }))).toBe(
      'The registry has no model "names", because its table or view has no primary key; name one with overrides { names: { <property>: { primaryKey: true } } }.',
    );
  });

  it('states all refusals in one error', () => {
    const things = pg.pgTable('things', { id: pg.integer().primaryKey(), at: pg.uuid() });
    const parts = pg.pgTable('parts', { id: pg.integer().primaryKey(), 'a-b': pg.text() });
    const message = refusal(() =>
      drizzleRegistry(
        { things, parts, partsOf: relations(things, ({ many }) => ({ parts: many(parts) })) },
        [],
        { things: { at: { kind: 'integer' } } },
      ),
    );
    expect(message).toMatch(/things\.parts: /);
    expect(message).toMatch(/parts: a field path must be/);
    const registry = drizzleRegistry({ things });
    const rules = refusal(() =>
      defineQueryRules(registry as never, 'things', {
        filters: [
          { path: 'id', operators: ['like'] },
          { path: 'no', operators: ['eq'] },
        ],
        sorts: ['nope'],
        search: ['id'],
        includes: ['nothing'],
        fields: { root: { allowed: ['wrong'], default: ['wrong'] } },
      }),
    );
    expect(rules.split('\n')).toHaveLength(6);
  });
});

describe('tables', () => {
  const users = pg.pgTable('users', { id: pg.integer().primaryKey() });

  it('refuses tables of two families, values that are not tables, and an empty list', () => {
    const posts = lite.sqliteTable('posts', { id: lite.integer().primaryKey() });
    expect(refusal(() => drizzleRegistry({ user: users, post: posts }))).toMatch(
      /^post: a sqlite table among postgresql tables/,
    );
    const missing = undefined as unknown as typeof users;
    expect(refusal(() => drizzleRegistry({ user: missing }))).toMatch(/^user: not a Drizzle table/);
    expect(refusal(() => drizzleRegistry({}))).toMatch(
      /^The tables have no Drizzle table among them/,
    );
    for (const given of [undefined, null, 'users', [users]]) {
      expect(refusal(() => Reflect.apply(drizzleRegistry, undefined, [given]))).toBe(
        '"tables" must be an object of tables by model name',
      );
    }
  });

  it('remembers where a registry came from', () => {
    const tables = { user: users };
    const registry = drizzleRegistry(tables);
    expect(originOf(registry)?.tables).toBe(tables);
    expect(originOf(new Map())).toBeUndefined();
  });
});

describe('relations', () => {
  const users = pg.pgTable('users', {
    id: pg.integer().primaryKey(),
    bossId: pg.integer('boss_id'),
  });
  const posts = pg.pgTable('posts', {
    id: pg.integer().primaryKey(),
    authorId: pg.integer('author_id').notNull(),
    editorId: pg.integer('editor_id'),
  });
  const profiles = pg.pgTable('profiles', {
    id: pg.integer().primaryKey(),
    userId: pg.integer('user_id').notNull(),
  });
  const usersRelations = relations(users, ({ one, many }) => ({
    posts: many(posts, { relationName: 'author' }),
    edited: many(posts, { relationName: 'editor' }),
    profile: one(profiles),
  }));
  const postsRelations = relations(posts, ({ one }) => ({
    author: one(users, {
      relationName: 'author',
      fields: [posts.authorId],
      references: [users.id],
    }),
    editor: one(users, {
      relationName: 'editor',
      fields: [posts.editorId],
      references: [users.id],
    }),
  }));
  const profilesRelations = relations(profiles, ({ one }) => ({
    user: one(users, { fields: [profiles.userId], references: [users.id] }),
  }));
  const tables = { user: users, post: posts, profile: profiles };

  it('takes targets, cardinality and nullability', () => {
    const registry = drizzleRegistry(tables, [usersRelations, postsRelations, profilesRelations]);
    expect(registry.get('user')?.relations).toEqual([
      { path: 'posts', target: 'post', cardinality: 'many', nullable: false },
      { path: 'edited', target: 'post', cardinality: 'many', nullable: false },
      { path: 'profile', target: 'profile', cardinality: 'one', nullable: true },
    ]);
    expect(registry.get('post')?.relations).toEqual([
      { path: 'author', target: 'user', cardinality: 'one', nullable: false },
      { path: 'editor', target: 'user', cardinality: 'one', nullable: true },
    ]);
  });

  it('takes a whole schema module for relations', () => {
    const schema = { users, posts, mood, usersRelations, postsRelations, profilesRelations };
    const registry = drizzleRegistry(tables, schema);
    expect(registry.get('post')?.relations.map((relation) => relation.path)).toEqual([
      'author',
      'editor',
    ]);
  });

  it('takes relations of an export and others that are given apart under its name', () => {
    const schema = { ...tables, mine: postsRelations };
    const apart = { mine: profilesRelations };
    const registry = drizzleRegistry(schema, apart as never);
    expect(registry.get('post')?.relations.map(({ path }) => path)).toEqual(['author', 'editor']);
    expect(registry.get('profile')?.relations.map(({ path }) => path)).toEqual(['user']);
  });

  it('takes a relation once that is exported and given apart', () => {
    const schema = { ...tables, postsRelations };
    const registry = drizzleRegistry(schema, [postsRelations, profilesRelations]);
    expect(registry.get('post')?.relations.map(({ path }) => path)).toEqual(['author', 'editor']);
    expect(registry.get('profile')?.relations.map(({ path }) => path)).toEqual(['user']);
  });

  it('refuses one relation, and overrides in the place of relations, which would show what they hide', () => {
    for (const given of [usersRelations, 'usersRelations', null]) {
      expect(refusal(() => Reflect.apply(drizzleRegistry, undefined, [tables, given]))).toBe(
        '"relations" must be a list or an object of results of relations() and manyToMany()',
      );
    }
    expect(refusal(() => drizzleRegistry(tables, { user: { bossId: false } }))).toBe(
      '"relations" has overrides of user; pass them as the third argument, after the relations.',
    );
    const schema = { ...tables, settings: { bossId: false }, usersRelations, postsRelations };
    const module = Object.assign(Object.create(null), schema, { profilesRelations }) as object;
    const registry = drizzleRegistry(tables, { ...module });
    expect(drizzleRegistry(tables, module as typeof schema).get('user')).toEqual(
      registry.get('user'),
    );
  });

  it('refuses a relation to a table that is not given, unless it is left out', () => {
    const build = () => drizzleRegistry({ post: posts }, [postsRelations]);
    expect(refusal(build)).toMatch(
      /^post\.author: it leads to table users, which is not among the tables; add it, or leave/,
    );
    const registry = drizzleRegistry({ post: posts }, [postsRelations], {
      post: { author: false, editor: false },
    });
    expect(registry.get('post')?.relations).toEqual([]);
  });

  it('refuses a relation without join columns', () => {
    expect(refusal(() => drizzleRegistry(tables, [usersRelations, profilesRelations]))).toMatch(
      /^user\.posts: no single one\(\) on the other side determines the join columns/,
    );
    const ambiguous = relations(users, ({ many }) => ({ posts: many(posts) }));
    expect(refusal(() => drizzleRegistry(tables, [ambiguous, postsRelations]))).toMatch(
      /^user\.posts: no single one\(\)/,
    );
  });

  it('refuses a relation declared twice and one that is not defined', () => {
    expect(refusal(() => drizzleRegistry(tables, [profilesRelations, profilesRelations]))).toMatch(
      /^profiles\.user: the relation is declared twice/,
    );
    expect(refusal(() => drizzleRegistry(tables, { later: undefined }))).toMatch(
      /^relations\.later is undefined/,
    );
  });

  it('refuses a target table that two models share', () => {
    const two = { user: users, member: users, profile: profiles };
    expect(refusal(() => drizzleRegistry(two, [profilesRelations]))).toMatch(
      /^profile\.user: several models share table users; name one of user, member/,
    );
    const registry = drizzleRegistry(two, [profilesRelations], {
      profile: { user: { target: 'member', nullable: true } },
    });
    expect(registry.get('profile')?.relations).toEqual([
      { path: 'user', target: 'member', cardinality: 'one', nullable: true },
    ]);
  });

  it('lets a relation take the name of a column that is left out', () => {
    const notes = pg.pgTable('notes', { id: pg.integer().primaryKey(), user: pg.integer() });
    const notesRelations = relations(notes, ({ one }) => ({
      user: one(users, { fields: [notes.user], references: [users.id] }),
    }));
    const both = { note: notes, user: users };
    expect(refusal(() => drizzleRegistry(both, [notesRelations]))).toMatch(/^note\.user: /);
    const registry = drizzleRegistry(both, [notesRelations], { note: { user: false } });
    expect(kindsOf(registry, 'note')).toEqual({ id: 'integer' });
    expect(registry.get('note')?.relations[0]).toMatchObject({ path: 'user', target: 'user' });
  });
});
