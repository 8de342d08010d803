/** UUIDs that columns hold as bytes, as keys and references: shown, filtered, walked, searched and included. */

import { blob, sqliteTable, text as sqliteText } from 'drizzle-orm/sqlite-core';
import { binary, mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import { customType, pgTable, text as pgText } from 'drizzle-orm/pg-core';
import { relations } from 'drizzle-orm';
import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgresql } from 'drizzle-orm/node-postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  checkProfile,
  introspect,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import type {
  CompiledQueryRules,
  DatabaseFamily,
  KeysetResult,
  QuerySource,
} from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { sharedOut } from './cells.ts';
import { clientOn } from './fixtures/prisma/clients.ts';
import { generatePrisma } from './fixtures/prisma/generate.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { type Opened, openDriver } from '../sql/drivers.ts';

const bytes = { postgresql: 'bytea', mysql: 'binary(16)', sqlite: 'blob' } as const;
const uuid = (no: number): string =>
  `${((no * 7919) % 65_536).toString(16).padStart(4, '0')}f00d-0000-4000-8000-${String(no).padStart(12, '0')}`;
const literal = (family: DatabaseFamily, id: string): string => {
  const hex = id.replaceAll('-', '');
  return family === 'postgresql' ? `'\\x${hex}'` : `x'${hex}'`;
};

const users = Array.from({ length: 9 }, (_, no) => uuid(no + 1));
const posts = Array.from({ length: 14 }, (_, no) => ({
  id: uuid(no + 100),
  authorId: no % 5 === 4 ? null : (users[no % 4] ?? ''),
}));

interface Made {
  readonly registry: object;
  readonly options?: object;
  readonly close?: () => Promise<void>;
  source(model: 'user' | 'post'): QuerySource;
}

function sqlMade(family: DatabaseFamily, { connection }: Opened): Made {
  const id = { type: bytes[family], kind: 'uuid' } as const;
  const tables = sqlTables({
    user: {
      table: 'users',
      primaryKey: 'id',
      columns: { id, name: 'varchar(20)' },
      relations: { posts: { many: 'post', to: 'authorId' } },
    },
    post: {
      table: 'posts',
      primaryKey: 'id',
      columns: { id, authorId: { ...id, column: 'author_id', nullable: true } },
      relations: { author: { one: 'user', from: 'authorId' } },
    },
  });
  const registry = sqlRegistry(tables, { families: [family] });
  return {
    registry,
    source: (model) => sqlSource({ connection, registry, tables, model }) as QuerySource,
  };
}

const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });

function drizzleMade(family: DatabaseFamily, { connection }: Opened): Made {
  const schema = {
    postgresql: () => ({
      user: pgTable('users', { id: bytea('id').primaryKey(), name: pgText('name').notNull() }),
      post: pgTable('posts', { id: bytea('id').primaryKey(), authorId: bytea('author_id') }),
    }),
    mysql: () => ({
      user: mysqlTable('users', {
        id: binary('id', { length: 16 }).primaryKey(),
        name: varchar('name', { length: 20 }).notNull(),
      }),
      post: mysqlTable('posts', {
        id: binary('id', { length: 16 }).primaryKey(),
        authorId: binary('author_id', { length: 16 }),
      }),
    }),
    sqlite: () => ({
      user: sqliteTable('users', {
        id: blob('id', { mode: 'buffer' }).primaryKey(),
        name: sqliteText('name').notNull(),
      }),
      post: sqliteTable('posts', {
        id: blob('id', { mode: 'buffer' }).primaryKey(),
        authorId: blob('author_id', { mode: 'buffer' }),
      }),
    }),
  }[family]() as never as { readonly user: never; readonly post: { authorId: never } };
  const { user, post } = schema as never as Record<'user' | 'post', Record<string, never>>;
  const joined = [
    relations(user as never, ({ many }) => ({ posts: many(post as never) })),
    relations(post as never, ({ one }) => ({
      author: one(user as never, { fields: [post['authorId']], references: [user['id']] } as never),
    })),
  ];
  const tables = { user, post } as never;
  const kind = { kind: 'uuid' } as const;
  const registry = drizzleRegistry(
    tables,
    joined as never,
    {
      user: { id: kind },
      post: { id: kind, authorId: kind },
    } as never,
  );
  const open = { postgresql: onPostgresql, mysql: onMysql, sqlite: onSqlite }[family] as never as (
    client: unknown,
  ) => never;
  const db = open(connection);
  return {
    registry,
    source: (model) =>
      drizzleSource({ db, registry, tables, relations: joined, model } as never) as never,
  };
}

async function prismaMade(family: DatabaseFamily, _: Opened, database: ScratchDatabase) {
  const type = family === 'mysql' ? 'Bytes @db.Binary(16)' : 'Bytes';
  const optional = type.replace('Bytes', 'Bytes?');
  const models = `
    model User {
      /// @sluice.kind(uuid)
      id ${type} @id
      name String
      posts Post[]
      @@map("users")
    }
    model Post {
      /// @sluice.kind(uuid)
      id ${type} @id
      /// @sluice.kind(uuid)
      authorId ${optional} @map("author_id")
      author User? @relation(fields: [authorId], references: [id])
      @@map("posts")
    }`;
  const generated = await generatePrisma({ family, models });
  const client = await clientOn(generated, database, 7);
  const { registry } = generated;
  return {
    registry,
    source: (model: 'user' | 'post') => prismaSource({ client, registry, model } as never) as never,
    close: () => client.$disconnect() as Promise<void>,
  };
}

const adapters = {
  sql: sqlMade,
  drizzle: drizzleMade,
  prisma: prismaMade,
  'prisma, own queries': async (
    family: DatabaseFamily,
    opened: Opened,
    database: ScratchDatabase,
  ) => ({
    ...(await prismaMade(family, opened, database)),
    options: { customize: () => ({ where: {} }) },
  }),
};
const cells = sharedOut(
  Object.keys(adapters).flatMap((adapter) =>
    (['postgresql', 'mysql', 'sqlite'] as const).map((family) => ({
      adapter: adapter as keyof typeof adapters,
      family,
    })),
  ),
);

const filters = ['eq', 'ne', 'in', 'notIn', 'gt', 'lte', 'like', 'notLike', 'ilike'];
const declaration = (model: 'user' | 'post') => ({
  filters: [{ path: 'id', operators: filters }],
  sorts: ['id'],
  search: ['id'],
  fields: {
    root: { allowed: ['id'], default: ['id'] },
    relations: {
      [model === 'user' ? 'posts' : 'author']: { allowed: ['id'], default: ['id'] },
    },
  },
  includes: [model === 'user' ? 'posts' : 'author'],
  pagination: { mode: 'both' },
});

describe.each(cells)('uuids as bytes with $adapter on $family', ({ adapter, family }) => {
  let opened: Opened | null = null;
  let made: Made;
  let rules: Record<'user' | 'post', CompiledQueryRules>;

  beforeAll(async () => {
    const database = await scratchDatabase(
      family,
      `uuid_keys_${adapter.slice(0, 8).replace(', ', '_')}`,
    );
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return;
    }
    opened = openDriver(family, database);
    const { run } = opened;
    const type = bytes[family];
    await run(`create table users (id ${type} not null primary key, name varchar(20) not null)`);
    await run(
      `create table posts (id ${type} not null primary key, author_id ${type}, foreign key (author_id) references users (id))`,
    );
    for (const id of users) await run(`insert into users values (${literal(family, id)}, 'u')`);
    for (const { id, authorId } of posts) {
      const author = authorId === null ? 'null' : literal(family, authorId);
      await run(`insert into posts values (${literal(family, id)}, ${author})`);
    }
    made = await adapters[adapter](family, opened, database);
    const compiled = (model: 'user' | 'post') =>
      defineQueryRules(
        made.registry as never,
        model as never,
        declaration(model) as never,
      ) as unknown as CompiledQueryRules;
    rules = { user: compiled('user'), post: compiled('post') };
  });
  afterAll(async () => {
    await made?.close?.();
    await opened?.close();
  });

  const list = async (model: 'user' | 'post', request: string) =>
    (await runQuery(
      made.source(model),
      request,
      rules[model],
      made.options as never,
    )) as KeysetResult;
  const ids = async (request: string) =>
    (await list('user', `perPage=50&${request}`)).data.map(({ id }) => String(id));
  const sorted = users.toSorted();

  it('are columns of the profile', async (context) => {
    if (!opened) return context.skip();
    const found = await checkProfile(made.source('post') as never);
    expect(found.filter(({ where }) => /\.(?:id|authorId)$/.test(where))).toEqual([]);
  });

  it('are shown, ordered and filtered as text', async (context) => {
    if (!opened) return context.skip();
    const [low = '', middle = ''] = [sorted[2], sorted[4]];
    expect(await ids('sort=id')).toEqual(sorted);
    expect(await ids('sort=-id')).toEqual(sorted.toReversed());
    expect(await ids(`filter[id]=${middle.toUpperCase()}`)).toEqual([middle]);
    expect(await ids(`filter[id][ne]=${middle}`)).toEqual(sorted.filter((id) => id !== middle));
    expect(await ids(`filter[id][in]=${middle},${low},${uuid(77)}`)).toEqual([low, middle]);
    expect(await ids(`filter[id][notIn]=${middle},${low}`)).toHaveLength(7);
    expect(await ids(`filter[id][gt]=${low}&filter[id][lte]=${middle}`)).toEqual(
      sorted.slice(3, 5),
    );
    await expect(ids('filter[id]=abc')).rejects.toMatchObject({ code: 'FILTER_VALUE_INVALID' });
  });

  it.for(['id', '-id'])('are walked by %s, both ways', async (sort, context) => {
    if (!opened) return context.skip();
    const expected = sort === 'id' ? sorted : sorted.toReversed();
    for (const perPage of [1, 2, 4]) {
      const seen: string[] = [];
      let last = '';
      for (let cursor: string | null = ''; cursor !== null && seen.length < 30;) {
        const page: KeysetResult = await list(
          'user',
          `sort=${sort}&perPage=${perPage}&cursor=${cursor}`,
        );
        seen.push(...page.data.map(({ id }) => String(id)));
        last = page.prevCursor ?? '';
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(expected);
      const back = await list('user', `sort=${sort}&perPage=${perPage}&cursor=${last}`);
      expect(back.data).toHaveLength(perPage);
    }
  });

  it('join relations', async (context) => {
    if (!opened) return context.skip();
    const { data } = await list('user', 'sort=id&perPage=50&includes=posts');
    for (const { id, posts: own } of data) {
      const expected = posts.filter(({ authorId }) => authorId === id).map((post) => post.id);
      expect((own as { id: string }[]).map((post) => post.id)).toEqual(expected.toSorted());
    }
    const all = await list('post', 'perPage=50&includes=author');
    for (const { id, author } of all.data) {
      const found = posts.find((post) => post.id === id);
      expect((author as { id: string } | null)?.id ?? null).toBe(found?.authorId);
    }
  });

  it('are searched as text', async (context) => {
    if (!opened) return context.skip();
    const [wanted = ''] = users;
    const part = wanted.slice(2, 12);
    expect(part).toContain('-');
    expect(await ids(`filter[id][like]=${part}&sort=id`)).toEqual([wanted]);
    expect(await ids(`filter[id][like]=${part.toUpperCase()}`)).toEqual([]);
    expect(await ids(`filter[id][ilike]=${part.toUpperCase()}`)).toEqual([wanted]);
    expect(await ids(`filter[id][notLike]=${part}`)).toHaveLength(8);
    expect(await ids(`search=${wanted.slice(-14)}`)).toEqual([wanted]);
  });

  it('are recognised in the catalogue of MySQL', async (context) => {
    if (!opened || family !== 'mysql' || adapter !== 'sql') return context.skip();
    const { connection } = opened;
    const registry = await introspect(connection);
    expect(registry.skipped).toEqual([]);
    const own = defineQueryRules(registry, 'posts', {
      filters: [{ path: 'authorId', operators: ['eq'] }],
      fields: { root: { allowed: ['id', 'authorId'], default: ['id', 'authorId'] } },
    });
    const source = sqlSource({ connection, registry, tables: registry.tables, model: 'posts' });
    const { data } = await runQuery(source, `filter[authorId]=${users[0]}`, own);
    expect(data).toEqual(
      posts
        .filter(({ authorId }) => authorId === users[0])
        .toSorted((a, b) => (a.id < b.id ? -1 : 1)),
    );
  });
});
