/** `customize` with Drizzle's builder: conditions, joins, order and window of the request hold, whatever the host adds. */

import Sqlite from 'better-sqlite3';
import { eq, relations, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { afterAll, expect, it } from 'vitest';
import {
  type DrizzleCustomize,
  drizzleRegistry,
  drizzleSource,
} from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

const authors = sqliteTable('authors', { id: integer().primaryKey(), name: text().notNull() });
const posts = sqliteTable('posts', {
  id: integer().primaryKey(),
  authorId: integer().notNull(),
  title: text().notNull(),
  body: text().notNull(),
});
const tables = { author: authors, post: posts };
const registry = drizzleRegistry(tables, [
  relations(posts, ({ one }) => ({
    author: one(authors, { fields: [posts.authorId], references: [authors.id] }),
  })),
]);
const client = new Sqlite(':memory:');
client.exec(`create table authors (id integer primary key, name text not null);
  create table posts (id integer primary key, authorId int not null, title text not null, body text not null);
  insert into authors values (1, 'Bo'), (2, 'Ada');
  insert into posts values (1, 1, 'rain', 'sun'), (2, 2, 'sun', 'rain'), (3, 1, 'fog', 'rain'), (4, 2, 'fog', 'fog')`);
afterAll(() => void client.close());
const db = drizzle({ client });
type Customize = DrizzleCustomize<typeof db>;
const source = drizzleSource({ db, registry, tables, model: 'post' });
const declaration = {
  filters: [
    { path: 'author.name', operators: ['eq'] },
    { path: 'title', operators: ['ne'] },
  ],
  sorts: ['id', 'author.name'],
  search: ['title', 'body'],
  includes: ['author'],
  fields: {
    root: { allowed: ['id'], default: ['id'] },
    relations: { author: { allowed: ['name'], default: ['name'] } },
  },
} as const;
const rules = defineQueryRules(registry, 'post', declaration);

const rows = (...ids: readonly number[]) => ids.map((id) => ({ id }));

it('tells the statement, and keeps the builder where the hook returns nothing', async () => {
  const kinds: string[] = [];
  const page = await runQuery(source, 'perPage=1', rules, {
    customize: ((builder: { where(condition: unknown): unknown }, statement: { kind: string }) => {
      kinds.push(statement.kind);
      builder.where(eq(posts.authorId, 1));
    }) as never,
  });
  expect(page).toMatchObject({ data: rows(1), total: 2 });
  expect(kinds.toSorted()).toEqual(['count', 'data']);
});

it('refuses another result of the hook', async () => {
  const answer = runQuery(source, '', rules, { customize: (() => ({ where: {} })) as never });
  await expect(answer).rejects.toMatchObject({
    code: 'SOURCE_CONFIGURATION_INVALID',
    message: '"customize" must return the select builder that it receives',
  });
});

it('holds alternatives of the request and of the host apart', async () => {
  const customize: Customize = (builder) =>
    builder.where(sql`${posts.id} = ${3} or ${posts.id} = ${4}`);
  const found = await runQuery(source, 'search=rain', rules, { customize });
  expect(found).toMatchObject({ data: rows(3), total: 1 });
});

it('binds the values of the request and of the host in their places', async () => {
  const found = await runQuery(source, 'filter[title][ne]=fog&perPage=1&page=2', rules, {
    customize: (builder) => builder.where(sql`${posts.id} < ${3}`),
  });
  expect(found).toMatchObject({ data: rows(2), total: 2 });
});

it('keeps the joins of filters and of the order, and shows related rows', async () => {
  const customize: Customize = (builder) => builder.where(sql`${posts.id} <> 4`);
  const sorted = await runQuery(source, 'sort=author.name,-id&includes=author', rules, {
    customize,
  });
  expect(sorted).toMatchObject({
    data: [
      { id: 2, author: { name: 'Ada' } },
      { id: 3, author: { name: 'Bo' } },
      { id: 1, author: { name: 'Bo' } },
    ],
    total: 3,
  });
  const filtered = await runQuery(source, 'filter[author.name]=Ada', rules, { customize });
  expect(filtered).toMatchObject({ data: rows(2), total: 1 });
});

it.each([
  ['page', rules],
  [
    'capped',
    defineQueryRules(registry, 'post', { ...declaration, pagination: { count: { capped: 9 } } }),
  ],
] as const)('keeps order, window and count of the request: %s', async (_, own) => {
  const ordered: Customize = (builder) => builder.orderBy(sql`posts.id desc`).limit(1);
  const moved: Customize = (builder) => builder.offset(1).limit(0);
  for (const customize of [ordered, moved]) {
    for (const [page, ...ids] of [
      [1, 1, 2, 3],
      [2, 4],
    ] as const) {
      const request = `sort=id&perPage=3&page=${page}`;
      const answer = await runQuery(source, request, own, { customize });
      expect(answer).toMatchObject({ data: rows(...ids), total: 4 });
    }
  }
});

it('counts without an order, which PostgreSQL would refuse', async () => {
  const texts: string[] = [];
  const heard = drizzle({ client, logger: { logQuery: (text) => void texts.push(text) } });
  const own = drizzleSource({ db: heard, registry, tables, model: 'post' });
  const customize: Customize = (builder) => builder.orderBy(posts.id);
  await runQuery(own, 'perPage=1', rules, { customize });
  const counts = texts.filter((text) => text.includes('count(*)'));
  expect(counts).toHaveLength(1);
  expect(counts.join()).not.toContain('order by');
});

it('counts up to the cap', async () => {
  const capped = defineQueryRules(
    registry,
    'post',
    { ...declaration, pagination: { count: { capped: 2 } } },
    {},
  );
  const customize: Customize = (builder) => builder;
  const options = { customize };
  expect(await runQuery(source, 'perPage=1', capped, options)).toMatchObject({
    data: rows(1),
    total: 2,
    totalCapped: true,
  });
  const few = await runQuery(source, 'perPage=1&filter[author.name]=Ada', capped, options);
  expect(few).toMatchObject({ data: rows(2), total: 2 });
  expect(few).not.toHaveProperty('totalCapped', true);
});
