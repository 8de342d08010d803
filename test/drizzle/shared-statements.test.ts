/** Sources of one registry share statements where tables, relations and column names are the same, and only there. */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const people = sqliteTable('people', { id: integer('id').primaryKey(), name: text('name') });
const posts = sqliteTable('posts', {
  id: integer('id').primaryKey(),
  authorId: integer('author_id').notNull(),
  editorId: integer('editor_id').notNull(),
});
const person = (from: 'authorId' | 'editorId') =>
  relations(posts, ({ one }) => ({
    person: one(people, { fields: [posts[from]], references: [people.id] }),
  }));

function opened(script: string) {
  const client = new Sqlite(':memory:');
  client.exec(script);
  return client;
}

describe('sources of one registry', () => {
  it('have statements of their own for other relations', async () => {
    const client = opened(`create table people (id integer primary key, name text);
      create table posts (id integer primary key, author_id integer, editor_id integer);
      insert into people values (1, 'Ada'), (2, 'Bo'); insert into posts values (1, 1, 2)`);
    const db = drizzle(client);
    const tables = { person: people, post: posts };
    const registry = drizzleRegistry(tables, [person('authorId')]);
    const rules = defineQueryRules(registry, 'post', {
      includes: ['person'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { person: { allowed: ['name'], default: ['name'] } },
      },
    });
    const nameOf = async (relation?: ReturnType<typeof person>) => {
      const given = relation && { relations: [relation] };
      const source = drizzleSource({ db, registry, tables, model: 'post', ...given });
      return (await runQuery(source, 'includes=person', rules)).data[0]?.person?.name;
    };
    const editor = person('editorId');
    expect(await nameOf()).toBe('Ada');
    expect(await nameOf(editor)).toBe('Bo');
    expect(await nameOf(person('authorId'))).toBe('Ada');
    expect(await nameOf(editor)).toBe('Bo');
    client.close();
  });

  it('have statements of their own for other tables, whatever the names of their models', async () => {
    const client = opened(`create table small (id integer primary key);
      create table large (id integer primary key);
      insert into small values (1); insert into large values (2)`);
    const db = drizzle(client);
    const made = (name: string) => sqliteTable(name, { id: integer('id').primaryKey() });
    const [small, large] = [made('small'), made('large')];
    const registry = drizzleRegistry({ variant: small });
    const rules = defineQueryRules(registry, 'variant', { fields: 'all' });
    const listed = async (variant: typeof small) => {
      const source = drizzleSource({
        db,
        registry,
        tables: { variant },
        relations: [],
        model: 'variant',
      });
      return (await runQuery(source, '', rules)).data;
    };
    expect(await listed(small)).toEqual([{ id: 1 }]);
    expect(await listed(large)).toEqual([{ id: 2 }]);
    client.close();
  });

  it('have statements of their own where the handle renames columns', async () => {
    const things = sqliteTable('things', { thingId: integer().primaryKey() });
    const script = (column: string) =>
      `create table things (${column} integer primary key); insert into things values (7)`;
    const plain = drizzle(opened(script('thingId')));
    const renamed = drizzle(opened(script('thing_id')), { casing: 'snake_case' });
    const registry = drizzleRegistry({ thing: things });
    const rules = defineQueryRules(registry, 'thing', { fields: 'all' });
    for (const db of [plain, renamed, plain]) {
      const source = drizzleSource({ db, registry, tables: { thing: things }, model: 'thing' });
      expect((await runQuery(source, '', rules)).data).toEqual([{ thingId: 7 }]);
    }
  });

  it('read columns without a name of a table that is declared twice', async () => {
    const db = drizzle(
      opened(`create table things (thing_id integer primary key, full_name text);
        insert into things values (7, 'Ada')`),
      { casing: 'snake_case' },
    );
    const short = sqliteTable('things', { thingId: integer().primaryKey() });
    const whole = sqliteTable('things', { thingId: integer().primaryKey(), fullName: text() });
    const listed = async (thing: typeof short) => {
      const registry = drizzleRegistry({ thing });
      const rules = defineQueryRules(registry, 'thing', { fields: 'all' });
      const source = drizzleSource({ db, registry, tables: { thing }, model: 'thing' });
      return (await runQuery(source, '', rules)).data;
    };
    expect(await listed(short)).toEqual([{ thingId: 7 }]);
    expect(await listed(whole)).toEqual([{ thingId: 7, fullName: 'Ada' }]);
  });

  it('share statements on other handles', () => {
    const registry = drizzleRegistry({ person: people });
    const source = (casing?: 'snake_case', namedStatements?: boolean) =>
      drizzleSource({
        db: drizzle(new Sqlite(':memory:'), { ...(casing && { casing }) }),
        registry,
        tables: { person: people },
        model: 'person',
        ...(namedStatements !== undefined && { namedStatements }),
      });
    const describeOf = (each: object) => Reflect.get(each, 'describe') as object;
    expect(describeOf(source())).toBe(describeOf(source()));
    expect(describeOf(source('snake_case'))).toBe(describeOf(source('snake_case')));
    expect(describeOf(source('snake_case'))).not.toBe(describeOf(source()));
    expect(describeOf(source(undefined, true))).not.toBe(describeOf(source()));
    expect(describeOf(source(undefined, true))).not.toBe(describeOf(source(undefined, false)));
  });

  it('prepare each statement once', async () => {
    const client = opened(`create table people (id integer primary key, name text);
      insert into people values (1, 'Ada'), (2, 'Bo')`);
    const texts: string[] = [];
    const prepare = client.prepare.bind(client);
    Object.assign(client, {
      prepare(text: string) {
        texts.push(text);
        return prepare(text);
      },
    });
    const db = drizzle(client);
    const registry = drizzleRegistry({ person: people });
    const rules = defineQueryRules(registry, 'person', { fields: 'all' });
    for (let run = 0; run < 3; run += 1) {
      const source = drizzleSource({ db, registry, tables: { person: people }, model: 'person' });
      expect(await runQuery(source, 'perPage=1', rules)).toMatchObject({ total: 2 });
    }
    expect(texts).toHaveLength(2);
    expect(new Set(texts).size).toBe(2);
    client.close();
  });

  it('are kept for the tables that were used last', () => {
    const registry = drizzleRegistry({ person: people });
    const made = () =>
      sqliteTable('people', { id: integer('id').primaryKey(), name: text('name') });
    const describeOf = (person: typeof people) => {
      const options = { registry, tables: { person }, relations: [], model: 'person' } as const;
      const source: object = drizzleSource({ db: drizzle(new Sqlite(':memory:')), ...options });
      return Reflect.get(source, 'describe') as object;
    };
    const [first, second] = [made(), made()];
    const of = [first, second].map(describeOf);
    expect([first, second].map(describeOf)).toEqual(of);
    for (let further = 0; further < 19; further += 1) describeOf(made());
    expect(describeOf(second)).toBe(of[1]);
    expect(describeOf(first)).not.toBe(of[0]);
  });
});
