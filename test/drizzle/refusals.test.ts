/** Refusals of tables, relations, overrides and sources, each with the name that is wrong. */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { int, mysqlTable } from 'drizzle-orm/mysql-core';
import { int as number, singlestoreTable } from 'drizzle-orm/singlestore-core';
import { integer, sqliteTable, sqliteView, text } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { checkDrizzle } from '../../src/adapters/drizzle/checked-version.ts';
import { drizzleRegistry, drizzleSource, manyToMany } from '../../src/adapters/drizzle/index.ts';
import { defineSchemaRegistry } from '../../src/schema/index.ts';
import { refusalOf } from '../unit/refusal.ts';

const users = sqliteTable('users', { id: integer().primaryKey(), name: text() });
const tags = sqliteTable('tags', { id: integer().primaryKey() });
const userTags = sqliteTable('user_tags', { user: integer(), tag: integer() });
const tables = { user: users, tag: tags };
const registry = drizzleRegistry(tables);
const db = drizzle({ client: new Sqlite(':memory:') });

const refused = (target: (...args: never) => unknown, ...args: readonly unknown[]) =>
  refusalOf<'SOURCE_CONFIGURATION_INVALID'>(() => Reflect.apply(target, undefined, args));

const call = (...args: Parameters<typeof refused>): string => refused(...args).message;

const through = { through: userTags, target: tags };

it.each([
  [['users', 'tags', through], '"source" must be a Drizzle table'],
  [[users, 7, through], '"path" must be a string'],
  [[users, 'tags', { target: tags }], '"through" must be a Drizzle table'],
  [[users, 'tags', { through: userTags }], '"target" must be a Drizzle table'],
  [[users, 'tags', { ...through, from: 'user' }], '"from" must be a Drizzle column'],
  [[users, 'tags', { ...through, to: [] }], '"to" must be a Drizzle column or a list'],
])('of manyToMany with %#', (args, message) => {
  expect(call(manyToMany, ...args)).toContain(message);
});

it.each([
  [{ db: {} }, '"db" must be a Drizzle database or transaction'],
  [{ db: undefined }, '"db"'],
  [{ registry: {} }, '"registry" must be a schema registry'],
  [{ tables: [users] }, '"tables" must be an object'],
  [{ model: 7 }, '"model" must be a string'],
  [{ relations: 'links' }, '"relations" must be'],
  [{ namedStatements: 'no' }, '"namedStatements" must be a boolean'],
  [{ strict: 'no' }, '"strict" must be a boolean'],
  [{ model: 'constructor' }, '"constructor"'],
  [{ model: 'tag', tables: { user: users } }, '"tag"'],
  [{ model: 'other', tables: { ...tables, other: tags } }, '"other"'],
])('of drizzleSource with %#', (options, message) => {
  expect(call(drizzleSource, { db, registry, tables, model: 'user', ...options })).toContain(
    message,
  );
});

it.each([
  [{ user: { name: false }, tagg: { id: false } }, 'tagg: overrides name a model'],
  [{ user: { name: { nullable: true }, nmae: {} } }, 'user.nmae: overrides name neither'],
  [{ user: { id: { primaryKey: 'yes' } } }, '"overrides.user.id.primaryKey" must be a boolean'],
  [{ user: { id: { storage: 7 } } }, '"overrides.user.id.storage" must be a string'],
  [{ user: { id: { target: 7 } } }, '"overrides.user.id.target" must be a string'],
  [{ user: { id: true } }, '"overrides.user.id"'],
  [{ user: { id: { kind: 'bigint' }, name: { knd: 'enum' } } }, '"overrides.user.name.knd"'],
])('of overrides %j', (overrides, message) => {
  expect(call(drizzleRegistry, tables, [], overrides)).toContain(message);
});

it('of a relation in the place of relations, and of overrides there', () => {
  const link = manyToMany(users, 'tags', { ...through, from: userTags.user, to: userTags.tag });
  expect(call(drizzleRegistry, tables, link)).toContain('"relations" must be a list');
  expect(call(drizzleRegistry, tables, { link, tag: { id: false } })).toContain(
    '"relations" has overrides of tag',
  );
});

it('of exports that are not defined, and of tables whose key is left out', () => {
  expect(call(drizzleRegistry, { user: users, tag: null })).toMatch(/^tag: not a Drizzle table/);
  expect(call(drizzleRegistry, tables, { ok: undefined })).toMatch(/^relations\.ok is undefined/);
  expect(call(drizzleRegistry, tables, { ok: null })).toMatch(/^relations\.ok is null/);
  expect(call(drizzleRegistry, { tag: tags }, [], { tag: { id: false } })).toMatch(
    /^tag: its table or view has no primary key/,
  );
  const names = sqliteView('names', { name: text() }).existing();
  expect(call(drizzleRegistry, { names })).toMatch(/^names: its table or view has no primary key/);
});

it('of relations that two declarations give one name, whichever kind each is', () => {
  const link = manyToMany(users, 'tags', { ...through, from: userTags.user, to: userTags.tag });
  const ofUsers = relations(users, ({ many }) => ({ tags: many(tags) }));
  for (const links of [
    [link, ofUsers],
    [ofUsers, link],
    [link, link],
  ]) {
    expect(call(drizzleRegistry, tables, links)).toMatch(/^users\.tags: the relation is declared/);
  }
});

it('of tables of a database that is not served', () => {
  const places = singlestoreTable('places', { id: number().primaryKey() });
  expect(call(drizzleRegistry, { place: places })).toMatch(
    /^A table is not a Drizzle table of PostgreSQL, MySQL or SQLite/,
  );
});

it('of target tables that are not given, through a join table as well', () => {
  const link = manyToMany(users, 'tags', { ...through, from: userTags.user, to: userTags.tag });
  expect(call(drizzleRegistry, { user: users }, [link])).toMatch(
    /^user\.tags: it leads to table tags, which is not among the tables/,
  );
});

it('with the place in the details, and the reason of Drizzle', () => {
  const link = manyToMany(users, 'tags', { ...through, from: userTags.user, to: userTags.tag });
  const oneSided = relations(users, ({ many }) => ({ tags: many(tags) }));
  const names = sqliteView('names', { name: text() }).existing();
  const path = { model: 'user', path: 'tags' };
  for (const [args, details] of [
    [[{ ...tables, post: mysqlTable('posts', { id: int().primaryKey() }) }], { model: 'post' }],
    [[{ names }], { model: 'names' }],
    [[tables, { later: undefined }], { relation: 'later' }],
    [[tables, [link, link]], { table: 'users', path: 'tags' }],
    [[{ user: users }, [link]], path],
    [[tables, [oneSided]], path],
  ] as const) {
    expect(refused(drizzleRegistry, ...args).details).toEqual(details);
  }
  expect(refused(drizzleRegistry, tables, [oneSided]).cause).toMatchObject({
    message: expect.stringMatching(/not enough information to infer relation/) as string,
  });
});

it('of a module in the place of a table, which is passed over among exports and relations', () => {
  const module = Object.assign(Object.create(null), { users }) as object;
  expect(call(manyToMany, users, 'tags', { ...through, target: module })).toContain('"target"');
  expect([...drizzleRegistry({ ...tables, module }, { module }).keys()]).toEqual(['user', 'tag']);
});

it('of a hand-written schema that differs in a second model', () => {
  const id = { path: 'id', kind: 'integer', nullable: false, primaryKey: true } as const;
  const name = { path: 'name', kind: 'string', nullable: true, primaryKey: false } as const;
  const schema = { primaryKey: ['id'], relations: [] } as const;
  const own = (nullable: boolean, more: object = {}) =>
    defineSchemaRegistry([
      { ...schema, model: 'user', fields: [id, { ...name, nullable, ...more }] },
      { ...schema, model: 'tag', fields: [id] },
    ]);
  const source = (of: ReturnType<typeof own>) =>
    drizzleSource({ db, registry: of, tables, model: 'tag', relations: [] });
  expect(source(own(true)).model).toBe('tag');
  expect(refusalOf(() => source(own(false))).message).toMatch(
    /^user\.name: declared nullable: false, but the Drizzle column is nullable/,
  );
  // Both are told.
  const both = refusalOf(() => source(own(false, { kind: 'boolean' }))).message;
  expect(both).toMatch(/user\.name: declared nullable: false/);
  expect(both).toMatch(/user\.name: a column of type text does not hold kind boolean/);
});

it('of a version that is too old', () => {
  expect(() => checkDrizzle('0.43.1')).toThrow(/sluice\/drizzle.*drizzle-orm.*0\.44\.0/s);
  for (const version of ['0.44.0', '0.45.2', '1.0.0']) {
    expect(() => checkDrizzle(version)).not.toThrow();
  }
});
