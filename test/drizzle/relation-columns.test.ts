/**
 * The columns that relations join: keys of several columns, columns that a handle renames, join tables with several
 * references to a table.
 */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import {
  foreignKey,
  index,
  integer,
  primaryKey,
  sqliteTable,
  text,
  uniqueIndex,
} from 'drizzle-orm/sqlite-core';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource, manyToMany } from '../../src/adapters/drizzle/index.ts';
import { describeRules } from '../../src/client/index.ts';
import { type SchemaRegistry, defineQueryRules, runQuery } from '../../src/index.ts';
import { refusalOf } from '../unit/refusal.ts';

interface Asked {
  readonly script: string;
  readonly tables: object;
  readonly links: readonly unknown[];
  readonly model: string;
  readonly relation: string;
  readonly casing?: 'snake_case';
  readonly overrides?: object;
}

/** The keys of the rows of a model, each with those of its related rows. */
async function related({ script, tables, links, model, relation, ...more }: Asked) {
  const client = new Sqlite(':memory:');
  client.exec(script);
  const { casing, overrides = {} } = more;
  const db = drizzle({ client, ...(casing && { casing }) });
  const registry = drizzleRegistry(tables as never, links, overrides as never) as SchemaRegistry;
  const only = { allowed: ['id'], default: ['id'] };
  const rules = defineQueryRules(registry, model, {
    fields: { root: only, relations: { [relation]: only } },
    filters: [{ path: `${relation}.id`, operators: ['gte'] }],
    includes: [relation],
  });
  const source = drizzleSource({ db, registry, tables, model } as never);
  const found = (page: { readonly data: readonly object[] }) =>
    page.data.map((row) => {
      const { id, [relation]: value } = row as { id: number; [relation: string]: unknown };
      const below = [value].flat().filter((each) => each !== null) as { id: number }[];
      return [id, ...below.map((each) => each.id)];
    });
  const all = found(await runQuery(source, `includes=${relation}`, rules));
  const some = await runQuery(source, `includes=${relation}&filter[${relation}.id][gte]=0`, rules);
  client.close();
  // A filter through the relation finds the rows that have one.
  expect(found(some)).toEqual(all.filter(([, first]) => first !== undefined));
  return all;
}

const id = () => integer().primaryKey();

describe('keys of two columns', () => {
  const rooms = sqliteTable(
    'rooms',
    { id: integer().notNull(), floor: integer().notNull(), house: integer().notNull() },
    (table) => [primaryKey({ columns: [table.floor, table.house] })],
  );
  const guests = sqliteTable('guests', {
    id: id(),
    floor: integer().notNull(),
    house: integer(),
  });
  const links = [
    relations(guests, ({ one }) => ({
      room: one(rooms, {
        fields: [guests.floor, guests.house],
        references: [rooms.floor, rooms.house],
      }),
    })),
    relations(rooms, ({ many }) => ({ guests: many(guests) })),
  ];
  const tables = { room: rooms, guest: guests };
  const script = `create table rooms (id int not null, floor int not null, house int not null, primary key (floor, house));
    create table guests (id integer primary key, floor int not null, house int);
    insert into rooms values (1, 1, 1), (2, 1, 2), (3, 2, 1);
    insert into guests values (1, 1, 2), (2, 2, 1), (3, 1, 1), (4, 2, 2), (5, 1, null)`;

  it('are joined by both, and may be absent where only the second accepts null', async () => {
    const registry = drizzleRegistry(tables, links);
    expect(registry.get('guest')?.relations).toMatchObject([{ path: 'room', nullable: true }]);
    const asked = { script, tables, links };
    expect(await related({ ...asked, model: 'guest', relation: 'room' })).toEqual([
      [1, 2],
      [2, 3],
      [3, 1],
      [4],
      [5],
    ]);
    expect(await related({ ...asked, model: 'room', relation: 'guests' })).toEqual([
      [1, 3],
      [2, 1],
      [3, 2],
    ]);
  });

  it('join a join table, whose foreign key has both', async () => {
    const stays = sqliteTable(
      'stays',
      { guest: integer().notNull(), floor: integer(), house: integer() },
      (table) => [
        foreignKey({ columns: [table.guest], foreignColumns: [guests.id] }),
        foreignKey({
          columns: [table.house, table.floor],
          foreignColumns: [rooms.house, rooms.floor],
        }),
      ],
    );
    const through = `${script}; create table stays (guest int, floor int, house int);
      insert into stays values (1, 2, 1), (1, 1, 1), (3, 1, 2), (4, 1, null)`;
    const direct = manyToMany(guests, 'stayed', { through: stays, target: rooms });
    const named = manyToMany(guests, 'stayed', {
      through: stays,
      target: rooms,
      from: stays.guest,
      to: [stays.floor, stays.house],
    });
    for (const link of [direct, named]) {
      const asked = { script: through, tables, links: [link], model: 'guest' };
      expect(await related({ ...asked, relation: 'stayed' })).toEqual([
        [1, 1, 3],
        [2],
        [3, 2],
        [4],
        [5],
      ]);
    }
  });

  it('are refused where a join table names one column for them', () => {
    const stays = sqliteTable('stays', { guest: integer(), floor: integer() });
    const { guest, floor } = stays;
    const link = { through: stays, target: rooms, from: guest, to: floor };
    const made = () => drizzleRegistry(tables, [manyToMany(guests, 'stayed', link)]);
    expect(refusalOf(made).message).toBe(
      'guest.stayed: the columns of stays that refer to rooms are not determined; name them with to in manyToMany.',
    );
  });
});

describe('join tables', () => {
  const users = sqliteTable('users', { id: id(), code: text().notNull().unique() });
  const script = `create table users (id integer primary key, code text not null unique);
    insert into users values (1, 'a'), (2, 'b'), (3, 'c')`;

  it('of one table have the ends apart, whether a relation or a foreign key declares them', async () => {
    const follows = sqliteTable('follows', {
      follower: integer()
        .notNull()
        .references(() => users.id),
      followed: integer()
        .notNull()
        .references(() => users.id),
      weight: integer(),
    });
    const ofFollows = relations(follows, ({ one, many }) => ({
      by: one(users, { fields: [follows.follower], references: [users.id] }),
      others: many(users, { relationName: 'others' }),
      single: one(users),
    }));
    const rows = `${script}; create table follows (follower int, followed int, weight int);
      insert into follows values (1, 2, 3), (1, 3, 1), (2, 1, 3)`;
    const ends = [{ from: follows.follower }, { to: follows.followed }];
    for (const end of ends) {
      const link = manyToMany(users, 'following', { through: follows, target: users, ...end });
      for (const links of [[link], [link, ofFollows]]) {
        const asked = { script: rows, tables: { user: users }, links, model: 'user' };
        expect(await related({ ...asked, relation: 'following' })).toEqual([
          [1, 2, 3],
          [2, 1],
          [3],
        ]);
      }
    }
  });

  it('refer to the column of their foreign key, though it is not the primary key', async () => {
    const groups = sqliteTable('groups', { id: id() });
    const members = sqliteTable('members', {
      user: text()
        .notNull()
        .references(() => users.code),
      other: text().references(() => users.code),
      group: integer().references(() => groups.id),
    });
    const rows = `${script}; create table groups (id integer primary key); insert into groups values (1), (2);
      create table members (user text, other text, "group" int); insert into members values ('c', 'a', 1), ('a', 'b', 1), ('b', 'c', 2)`;
    const tables = { user: users, group: groups };
    const from = { from: members.user };
    const links = [
      manyToMany(users, 'groups', { through: members, target: groups, ...from }),
      manyToMany(groups, 'users', { through: members, target: users, to: members.user }),
    ];
    const asked = { script: rows, tables, links };
    expect(await related({ ...asked, model: 'user', relation: 'groups' })).toEqual([
      [1, 1],
      [2, 2],
      [3, 1],
    ]);
    expect(await related({ ...asked, model: 'group', relation: 'users' })).toEqual([
      [1, 1, 3],
      [2, 2],
    ]);
  });

  it('have one column in both of their keys', async () => {
    const members = sqliteTable(
      'members',
      { id: integer().notNull(), tenant: integer().notNull() },
      (table) => [primaryKey({ columns: [table.tenant, table.id] })],
    );
    const knows = sqliteTable(
      'knows',
      { tenant: integer(), one: integer(), other: integer() },
      (table) => [
        foreignKey({
          columns: [table.tenant, table.one],
          foreignColumns: [members.tenant, members.id],
        }),
        foreignKey({
          columns: [table.tenant, table.other],
          foreignColumns: [members.tenant, members.id],
        }),
      ],
    );
    const rows = `create table members (id int not null, tenant int not null, primary key (tenant, id));
      create table knows (tenant int, one int, other int);
      insert into members values (1, 1), (2, 1), (3, 2), (4, 2);
      insert into knows values (1, 1, 2), (2, 3, 4)`;
    const { tenant, one, other } = knows;
    for (const end of [{ from: [tenant, one] }, { to: [tenant, other] }, { to: [other, tenant] }]) {
      const links = [manyToMany(members, 'known', { through: knows, target: members, ...end })];
      const asked = { script: rows, tables: { member: members }, links, model: 'member' };
      expect(await related({ ...asked, relation: 'known' })).toEqual([[1, 2], [2], [3, 4], [4]]);
    }
  });

  it('have a column that is a key of one column and a part of another key', async () => {
    const members = sqliteTable(
      'members',
      { id: integer().notNull(), tenant: integer().notNull(), code: integer().unique() },
      (table) => [primaryKey({ columns: [table.tenant, table.id] })],
    );
    const knows = sqliteTable(
      'knows',
      { tenant: integer(), one: integer().references(() => members.code), other: integer() },
      ({ tenant, one, other }) => {
        const foreignColumns = [members.tenant, members.id] as const;
        return [
          foreignKey({ columns: [tenant, one], foreignColumns: [...foreignColumns] }),
          foreignKey({ columns: [tenant, other], foreignColumns: [...foreignColumns] }),
        ];
      },
    );
    const rows = `create table members (id int not null, tenant int not null, code int unique, primary key (tenant, id));
      create table knows (tenant int, one int, other int);
      insert into members values (1, 1, 3), (2, 1, 1), (3, 1, 2);
      insert into knows values (1, 1, 2)`;
    const { tenant, one, other } = knows;
    const ends = { from: [tenant, one], to: [tenant, other] };
    const links = [manyToMany(members, 'known', { through: knows, target: members, ...ends })];
    const asked = { script: rows, tables: { member: members }, links, model: 'member' };
    expect(await related({ ...asked, relation: 'known' })).toEqual([[1, 2], [2], [3]]);
  });

  it('have one column for references to two tables', async () => {
    const tags = sqliteTable('tags', { id: id() });
    const labels = sqliteTable('labels', { id: id() });
    const marks = sqliteTable('marks', {
      user: integer().references(() => users.id),
      mark: integer().references(() => tags.id),
    });
    const ofMarks = relations(marks, ({ one }) => ({
      label: one(labels, { fields: [marks.mark], references: [labels.id] }),
    }));
    const rows = `${script}; create table tags (id integer primary key); create table labels (id integer primary key);
      create table marks (user int, mark int);
      insert into tags values (5); insert into labels values (6); insert into marks values (1, 5), (1, 6), (2, 6)`;
    const tables = { user: users, tag: tags, label: labels };
    const links = [
      ofMarks,
      manyToMany(users, 'tags', { through: marks, target: tags }),
      manyToMany(users, 'labels', { through: marks, target: labels }),
    ];
    const asked = { script: rows, tables, links, model: 'user' };
    expect(await related({ ...asked, relation: 'tags' })).toEqual([[1, 5], [2], [3]]);
    expect(await related({ ...asked, relation: 'labels' })).toEqual([[1, 6], [2, 6], [3]]);
  });
});

it('have the names that the handle gives them, on both sides and in join tables', async () => {
  const users = sqliteTable('users', { id: integer('user_key').primaryKey(), ownCode: text() });
  const posts = sqliteTable(
    'posts',
    { id: integer().primaryKey(), authorCode: text() },
    (table) => [uniqueIndex('codes').on(table.authorCode)],
  );
  const likes = sqliteTable('likes', {
    userId: integer().references(() => users.id),
    postId: integer().references(() => posts.id),
  });
  const script = `create table users (user_key integer primary key, own_code text);
    create table posts (id integer primary key, author_code text);
    create table likes (user_id int, post_id int);
    insert into users values (1, 'a'), (2, 'b'); insert into posts values (7, 'b'), (8, 'a');
    insert into likes values (1, 7), (2, 8), (2, 7)`;
  const links = [
    relations(posts, ({ one }) => ({
      author: one(users, { fields: [posts.authorCode], references: [users.ownCode] }),
    })),
    relations(users, ({ one }) => ({ post: one(posts) })),
    manyToMany(users, 'liked', { through: likes, target: posts }),
  ];
  const asked = {
    script,
    tables: { user: users, post: posts },
    links,
    casing: 'snake_case',
  } as const;
  expect(await related({ ...asked, model: 'post', relation: 'author' })).toEqual([
    [7, 2],
    [8, 1],
  ]);
  expect(await related({ ...asked, model: 'user', relation: 'post' })).toEqual([
    [1, 8],
    [2, 7],
  ]);
  expect(await related({ ...asked, model: 'user', relation: 'liked' })).toEqual([
    [1, 7],
    [2, 7, 8],
  ]);
});

it('are found beside entries that a condition leaves out of the configuration of a table', async () => {
  const none = [undefined, null, false] as readonly unknown[] as readonly never[];
  const users = sqliteTable('users', { id: integer().notNull() }, (table) => [
    ...none,
    primaryKey({ columns: [table.id] }),
  ]);
  const likes = sqliteTable('likes', { user: integer(), liked: integer() }, (table) => [
    ...none,
    foreignKey({ columns: [table.user], foreignColumns: [users.id] }),
  ]);
  const script = `create table users (id integer primary key not null);
    create table likes ("user" int, liked int);
    insert into users values (1), (2); insert into likes values (1, 2)`;
  const links = [manyToMany(users, 'liked', { through: likes, target: users, to: likes.liked })];
  const asked = { script, tables: { user: users }, links, model: 'user' };
  expect(await related({ ...asked, relation: 'liked' })).toEqual([[1, 2], [2]]);
});

it('lead to the one of two models of a table that has a key', async () => {
  const logs = sqliteTable('logs', { id: integer().notNull() });
  const users = sqliteTable('users', { id: id(), log: integer().notNull() });
  const script = `create table logs (id int not null); insert into logs values (5);
    create table users (id integer primary key, log int not null); insert into users values (1, 5)`;
  const ofUsers = relations(users, ({ one }) => ({
    last: one(logs, { fields: [users.log], references: [logs.id] }),
  }));
  const tables = { user: users, log: logs, entry: logs };
  const overrides = { entry: { id: { primaryKey: true } } };
  const asked = { script, tables, links: [ofUsers], overrides, model: 'user' };
  expect(await related({ ...asked, relation: 'last' })).toEqual([[1, 5]]);
});

it('of several rows are never null to clients, through a join table as well', () => {
  const users = sqliteTable('users', { id: id() });
  const likes = sqliteTable('likes', { user: integer(), liked: integer() });
  const { user: from, liked: to } = likes;
  const links = [manyToMany(users, 'liked', { through: likes, target: users, from, to })];
  const rules = defineQueryRules(drizzleRegistry({ user: users }, links), 'user', {
    filters: [{ path: 'liked.id', operators: ['eq'] }],
    fields: { root: { allowed: ['id'], default: ['id'] } },
  });
  expect(describeRules(rules).filters).toMatchObject([{ path: 'liked.id', nullable: false }]);
});

it('may be found several times where their index is not a unique one', async () => {
  const badges = sqliteTable('badges', { id: id(), code: integer().notNull() }, (table) => [
    index('codes').on(table.code),
  ]);
  const guests = sqliteTable('guests', { id: id(), code: integer().notNull() });
  const links = [
    relations(guests, ({ one }) => ({
      badge: one(badges, { fields: [guests.code], references: [badges.code] }),
    })),
  ];
  const script = `create table badges (id integer primary key, code int not null);
    create table guests (id integer primary key, code int not null);
    insert into badges values (10, 7), (11, 7); insert into guests values (1, 7), (2, 8)`;
  const tables = { badge: badges, guest: guests };
  const answer = related({ script, tables, links, model: 'guest', relation: 'badge' });
  expect(await answer).toEqual([[1, 10], [2]]);
});
