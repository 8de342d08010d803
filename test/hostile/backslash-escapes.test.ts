/**
 * Sessions of MySQL and MariaDB with NO_BACKSLASH_ESCAPES: a driver that escapes a quote by a backslash ends the string
 * there, and what follows in a client's text would be SQL.
 */

import { PrismaMariaDb } from '@prisma/adapter-mariadb';
import { drizzle } from 'drizzle-orm/mysql2';
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import { relations } from 'drizzle-orm';
import knexFactory from 'knex';
import { Kysely, MysqlDialect } from 'kysely';
import { createPool as createCallbackPool } from 'mysql2';
import { type Pool, createPool } from 'mysql2/promise';
import {
  Column,
  DataSource,
  Entity,
  JoinColumn,
  ManyToOne,
  OneToMany,
  PrimaryColumn,
} from 'typeorm';
import type { Relation } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { sqlRegistry, sqlSource } from '../../src/adapters/sql/index.ts';
import type { SqlConnection } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';
import type { ScratchDatabase } from '../services/index.ts';

/** Texts that break out of a string in one of the modes, or that only one of them escapes. */
const texts = [
  "' or 1=1 -- ",
  "\\' or 1=1 -- ",
  "\\' or '1'='1",
  "x' union select name, name from people -- ",
  "'); drop table people; -- ",
  "'",
  "''",
  '"',
  '\\',
  '\\\\',
  'a\\',
  '\\%',
  'tab\there',
  'line\nbreak',
  'plain',
];

const mode = "set session sql_mode = concat(@@sql_mode, ',NO_BACKSLASH_ESCAPES')";

const people = mysqlTable('people', { name: varchar('name', { length: 191 }).primaryKey() });
const notes = mysqlTable('notes', {
  id: int('id').primaryKey(),
  person: varchar('person', { length: 191 }).notNull(),
});
const peopleRelations = relations(people, ({ many }) => ({ notes: many(notes) }));
const notesRelations = relations(notes, ({ one }) => ({
  owner: one(people, { fields: [notes.person], references: [people.name] }),
}));

@Entity('people')
class Person {
  @PrimaryColumn('varchar', { length: 191 }) name!: string;
  @OneToMany(() => Note, (note) => note.owner) notes!: Relation<Note[]>;
}
@Entity('notes')
class Note {
  @PrimaryColumn('int') id!: number;
  @Column('varchar', { length: 191 }) person!: string;
  @ManyToOne(() => Person, (person) => person.notes)
  @JoinColumn({ name: 'person' })
  owner!: Relation<Person>;
}

/** An open source of people, whose sessions have the mode. */
interface Opened {
  readonly source: QuerySource<unknown>;
  readonly registry: SchemaRegistry;
  close(): Promise<unknown>;
}

const sqlTables = {
  person: {
    table: 'people',
    primaryKey: ['name'],
    columns: { name: 'varchar(191)' },
    relations: { notes: { many: 'note', to: 'person' } },
  },
  note: {
    table: 'notes',
    primaryKey: ['id'],
    columns: { id: 'int', person: 'varchar(191)' },
    relations: { owner: { one: 'person', from: 'person' } },
  },
} as const;

function onSql(connection: SqlConnection, close: () => Promise<unknown>): Opened {
  const registry = sqlRegistry(sqlTables);
  const source = sqlSource({ connection, registry, tables: sqlTables, model: 'person' });
  return { source: source as QuerySource<unknown>, registry, close };
}

/** Each library, with the mode set on every connection that it opens. */
const libraries: Readonly<Record<string, (url: string) => Promise<Opened> | Opened>> = {
  mysql2: (url) => {
    const pool = createPool({ uri: url, connectionLimit: 2 });
    pool.pool.on('connection', (connection) => connection.query(mode));
    return onSql(pool, () => pool.end());
  },
  knex: (connection) => {
    const afterCreate = (
      raw: { query: Pool['query'] },
      done: (error: unknown, raw: unknown) => void,
    ) => void raw.query(mode, ((error: unknown) => done(error, raw)) as never);
    const knex = knexFactory({ client: 'mysql2', connection, pool: { afterCreate } });
    return onSql(knex, () => knex.destroy());
  },
  Kysely: (uri) => {
    const pool = createCallbackPool({ uri, connectionLimit: 2 });
    pool.on('connection', (connection) => connection.query(mode));
    const kysely = new Kysely<object>({ dialect: new MysqlDialect({ pool }) });
    return onSql(kysely, () => kysely.destroy());
  },
  Drizzle: (url) => {
    const pool = createPool({ uri: url, connectionLimit: 2 });
    pool.pool.on('connection', (connection) => connection.query(mode));
    const tables = { person: people, note: notes };
    const registry = drizzleRegistry(tables, { peopleRelations, notesRelations });
    const source = drizzleSource({ db: drizzle(pool), registry, tables, model: 'person' });
    return {
      source: source as QuerySource<unknown>,
      registry,
      close: () => pool.end(),
    };
  },
  TypeORM: (url) => onTypeorm(url, false),
  'TypeORM entities': (url) => onTypeorm(url, true),
  Prisma: async (url) => {
    const generated = await generatePrisma({ family: 'mysql', models });
    const { hostname: host, port, username: user, password, pathname } = new URL(url);
    const adapter = new PrismaMariaDb({
      host,
      port: Number(port || 3306),
      user,
      password,
      database: pathname.slice(1),
      initSql: mode,
    });
    const client = new generated.PrismaClient({ adapter });
    const { registry } = generated;
    return {
      source: prismaSource({ client, registry, model: 'person' } as never) as QuerySource<unknown>,
      registry,
      close: () => client.$disconnect(),
    };
  },
};

const models = `
model Person {
  name  String @id @db.VarChar(191)
  notes Note[]
  @@map("people")
}
model Note {
  id     Int    @id
  person String @db.VarChar(191)
  owner  Person @relation(fields: [person], references: [name])
  @@map("notes")
}`;

async function onTypeorm(url: string, hydrate: boolean): Promise<Opened> {
  const dataSource = new DataSource({ type: 'mysql', url, entities: [Person, Note] });
  await dataSource.initialize();
  const { pool } = dataSource.driver as object as {
    pool: { on(event: 'connection', listener: (on: { query(sql: string): void }) => void): void };
  };
  pool.on('connection', (connection) => connection.query(mode));
  // The connection of `initialize` was opened before the listener.
  await Promise.all(Array.from({ length: 4 }, () => dataSource.query(mode)));
  return {
    source: typeormSource(dataSource, Person, { hydrate }) as QuerySource<unknown>,
    registry: typeormRegistry([Person, Note]),
    close: () => dataSource.destroy(),
  };
}

describe.each(Object.entries(libraries))('%s with NO_BACKSLASH_ESCAPES', (_name, open) => {
  let database: ScratchDatabase | undefined;
  let opened: Opened | undefined;

  beforeAll(async () => {
    const found = await scratchDatabase('mysql', 'backslash');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    const byHand = createPool({ uri: found.url });
    await byHand.query('create table people (name varchar(191) primary key)');
    await byHand.query('create table notes (id int primary key, person varchar(191) not null)');
    for (const [id, text] of texts.entries()) {
      await byHand.execute('insert into people values (?)', [text]);
      await byHand.execute('insert into notes values (?, ?)', [id, text]);
    }
    await byHand.end();
    opened = await open(found.url);
  });
  afterAll(async () => {
    await opened?.close();
    await database?.drop();
  });

  const list = async (request: URLSearchParams): Promise<unknown[]> => {
    const { source, registry } = opened as Opened;
    const rules = defineQueryRules(
      registry,
      'person',
      {
        filters: [{ path: 'name', operators: ['eq', 'ne', 'in', 'like', 'lte'] }],
        sorts: ['name'],
        fields: {
          root: { allowed: ['name'], default: ['name'] },
          relations: { notes: { allowed: ['id'], default: ['id'] } },
        },
        includes: ['notes'],
        pagination: { mode: 'both' },
      },
      { cursorKeys, families: ['mysql'] },
    );
    const { data } = await runQuery(source, request, rules);
    return data.map((row) => ({ ...(row as object) }));
  };

  it('reads every text as text, in conditions, lists, patterns and keys', async (context) => {
    if (!opened) context.skip('no server');
    for (const [id, text] of texts.entries()) {
      const row = { name: text, notes: [{ id }] };
      const filtered = (operator: string, value: string) =>
        list(new URLSearchParams({ [`filter[name][${operator}]`]: value, includes: 'notes' }));
      expect([text, await filtered('eq', text)]).toEqual([text, [row]]);
      const quoted = `"${text.replaceAll(/["\\]/g, '\\$&')}","no'body\\""`;
      expect([text, await filtered('in', quoted)]).toEqual([text, [row]]);
      expect(await filtered('like', text)).toHaveLength(
        texts.filter((other) => other.includes(text)).length,
      );
      expect(await filtered('ne', text)).toHaveLength(Math.min(texts.length - 1, 10));
    }
  });

  it('continues at a key that holds a quote', async (context) => {
    if (!opened) context.skip('no server');
    const { source, registry } = opened as Opened;
    const rules = defineQueryRules(
      registry,
      'person',
      {
        sorts: ['name'],
        fields: { root: { allowed: ['name'], default: ['name'] } },
        pagination: { mode: 'keyset' },
      },
      { cursorKeys, families: ['mysql'] },
    );
    const seen: unknown[] = [];
    let cursor: string | null = '';
    while (cursor !== null) {
      const request: URLSearchParams = new URLSearchParams({ sort: 'name', perPage: '1', cursor });
      const page = await runQuery(source, request, rules);
      if (!('nextCursor' in page)) throw new Error('not a keyset page');
      seen.push(...page.data.map((row) => (row as { name: string }).name));
      cursor = page.nextCursor;
    }
    expect(seen).toEqual([...texts].toSorted());
  });
});
