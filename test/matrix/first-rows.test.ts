/**
 * `one` relations to columns that are not unique: each row of a list is shown once, with the first related row by the
 * primary key that the request may see. Lists, counts, sorts, searches, walks and nested relations, of every adapter.
 */

import Sqlite from 'better-sqlite3';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import * as mysqlCore from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import * as pgCore from 'drizzle-orm/pg-core';
import { relations } from 'drizzle-orm/relations';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { DataSource, EntitySchema, type ObjectLiteral } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  type SqlConnection,
  checkProfile,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type QuerySource,
  defineQueryRules,
  runOne,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { runScript } from '../sql/drivers.ts';

/**
 * Repositories refer to installations by a number that several of them have, and these to accounts by a login that
 * several have, whose keys have two columns. A note refers to a repository, which sees the first of its notes.
 */
const script = (family: DatabaseFamily): string[] => {
  const text =
    family === 'mysql'
      ? 'varchar(40) collate utf8mb4_nopad_bin'
      : family === 'postgresql'
        ? 'varchar(40) collate "C"'
        : 'varchar(40)';
  return [
    `create table accounts (region int not null, no int not null, login ${text}, title ${text} not null, primary key (region, no))`,
    `create table installations (id int not null primary key, github int, login ${text}, name ${text} not null, tenant int not null, deleted_at ${family === 'postgresql' ? 'timestamptz(3)' : family === 'mysql' ? 'datetime(3)' : 'datetime'})`,
    `create table repositories (id int not null primary key, name ${text} not null, github int)`,
    `create table notes (id int not null primary key, repository_id int, body ${text} not null)`,
    `insert into accounts values (2, 1, 'ada', 'late'), (1, 2, 'ada', 'second'), (1, 1, 'ada', 'first'), (1, 3, 'bo', 'other'), (1, 4, null, 'nobody')`,
    `insert into installations values (30, 7, 'bo', 'gamma', 1, null), (10, 7, 'ada', 'alpha', 2, null), (20, 7, 'bo', 'beta', 1, null), (40, 8, 'ada', 'delta', 1, null), (50, 8, null, 'epsilon', 1, null), (60, null, 'ada', 'zeta', 1, null)`,
    `insert into repositories values (1, 'one', 7), (2, 'two', 7), (3, 'three', 8), (4, 'four', 9), (5, 'five', null)`,
    `insert into notes values (3, 1, 'c'), (1, 1, 'a'), (2, 1, 'b'), (4, 2, 'd'), (5, 2, 'e'), (6, null, 'f')`,
  ];
};

type ProfiledSource = Parameters<typeof checkProfile>[0];

interface Cell {
  readonly registry: SchemaRegistry;
  source(model: string, options?: { withDeleted?: true; strict?: boolean }): QuerySource;
  close(): Promise<unknown>;
}

type Open = (family: DatabaseFamily, url: string) => Promise<Cell>;

const text = 'varchar(40)';

const sqlModels = (family: DatabaseFamily) =>
  sqlTables({
    account: {
      table: 'accounts',
      primaryKey: ['region', 'no'],
      columns: {
        region: 'int',
        no: 'int',
        login: { type: text, nullable: true },
        title: text,
      },
    },
    installation: {
      table: 'installations',
      primaryKey: 'id',
      columns: {
        id: 'int',
        github: { type: 'int', nullable: true },
        login: { type: text, nullable: true },
        name: text,
        tenant: 'int',
        deletedAt: {
          type:
            family === 'postgresql'
              ? 'timestamptz(3)'
              : family === 'mysql'
                ? 'datetime(3)'
                : 'datetime',
          column: 'deleted_at',
          nullable: true,
          ...(family === 'sqlite' && { kind: 'datetime', storage: 'blank-text' }),
        },
      },
      relations: { account: { one: 'account', from: 'login', to: 'login' } },
    },
    repository: {
      table: 'repositories',
      primaryKey: 'id',
      columns: { id: 'int', name: text, github: { type: 'int', nullable: true } },
      relations: {
        installation: { one: 'installation', from: 'github', to: 'github' },
        note: { one: 'note', from: 'id', to: 'repositoryId' },
      },
    },
    note: {
      table: 'notes',
      primaryKey: 'id',
      columns: {
        id: 'int',
        repositoryId: { type: 'int', column: 'repository_id', nullable: true },
        body: text,
      },
      relations: { repository: { one: 'repository', from: 'repositoryId' } },
    },
  });

function plainConnection(family: DatabaseFamily, url: string) {
  if (family === 'sqlite') {
    const client = new Sqlite(url);
    return { client, close: async () => client.close() };
  }
  const client =
    family === 'mysql'
      ? mysql2.createPool({ uri: url, connectionLimit: 2 })
      : new pg.Pool({ connectionString: url, max: 2 });
  return { client, close: () => client.end() };
}

const openSql: Open = async (family, url) => {
  const { client, close } = plainConnection(family, url);
  const tables = sqlModels(family);
  const registry = sqlRegistry(tables) as unknown as SchemaRegistry;
  return {
    registry,
    source: (model, options) =>
      sqlSource({
        connection: client as SqlConnection,
        registry,
        tables,
        model: model as keyof typeof tables,
        ...options,
      }) as unknown as QuerySource,
    close,
  };
};

function drizzleTables(family: DatabaseFamily) {
  // One declaration for three modules, whose functions have the same names and arguments.
  const table = {
    postgresql: pgCore.pgTable,
    mysql: mysqlCore.mysqlTable,
    sqlite: sqliteCore.sqliteTable,
  }[family] as typeof pgCore.pgTable;
  const { integer } = (
    family === 'mysql' ? { integer: mysqlCore.int } : family === 'sqlite' ? sqliteCore : pgCore
  ) as typeof pgCore;
  const { varchar } = (family === 'mysql' ? mysqlCore : pgCore) as typeof pgCore;
  const ofServer = (name: string) => varchar(name, { length: 40 });
  const string = (name: string) =>
    family === 'sqlite'
      ? (sqliteCore.text(name) as unknown as ReturnType<typeof ofServer>)
      : ofServer(name);
  const { primaryKey } = (
    family === 'mysql' ? mysqlCore : family === 'sqlite' ? sqliteCore : pgCore
  ) as typeof pgCore;
  const account = table(
    'accounts',
    {
      region: integer('region').notNull(),
      no: integer('no').notNull(),
      login: string('login'),
      title: string('title').notNull(),
    },
    (own) => [primaryKey({ columns: [own.region, own.no] })],
  );
  const installation = table('installations', {
    id: integer('id').primaryKey(),
    github: integer('github'),
    login: string('login'),
    name: string('name').notNull(),
    tenant: integer('tenant').notNull(),
  });
  const repository = table('repositories', {
    id: integer('id').primaryKey(),
    name: string('name').notNull(),
    github: integer('github'),
  });
  const note = table('notes', {
    id: integer('id').primaryKey(),
    repositoryId: integer('repository_id'),
    body: string('body').notNull(),
  });
  return {
    tables: { account, installation, repository, note },
    links: {
      ofInstallation: relations(installation, ({ one }) => ({
        account: one(account, { fields: [installation.login], references: [account.login] }),
      })),
      ofRepository: relations(repository, ({ one }) => ({
        installation: one(installation, {
          fields: [repository.github],
          references: [installation.github],
        }),
        note: one(note),
      })),
      ofNote: relations(note, ({ one }) => ({
        repository: one(repository, { fields: [note.repositoryId], references: [repository.id] }),
      })),
    },
  };
}

const openDrizzle: Open = async (family, url) => {
  const { client, close } = plainConnection(family, url);
  const db =
    family === 'postgresql'
      ? drizzlePostgres(client as pg.Pool)
      : family === 'mysql'
        ? drizzleMysql(client as mysql2.Pool)
        : drizzleSqlite(client as Sqlite.Database);
  const { tables, links } = drizzleTables(family);
  const registry = drizzleRegistry(tables, links) as unknown as SchemaRegistry;
  return {
    registry,
    source: (model, options) =>
      drizzleSource({ db, registry, tables, model, ...options } as never) as unknown as QuerySource,
    close,
  };
};

const typeormEntities = (family: DatabaseFamily) => {
  const key = { type: 'int', primary: true } as const;
  const string = { type: 'varchar', length: 40 } as const;
  const when = family === 'postgresql' ? 'timestamptz' : 'datetime';
  return {
    account: new EntitySchema<ObjectLiteral>({
      name: 'account',
      tableName: 'accounts',
      columns: { region: key, no: key, login: { ...string, nullable: true }, title: string },
    }),
    installation: new EntitySchema<ObjectLiteral>({
      name: 'installation',
      tableName: 'installations',
      columns: {
        id: key,
        github: { type: 'int', nullable: true },
        login: { ...string, nullable: true },
        name: string,
        tenant: { type: 'int' },
        deletedAt: {
          name: 'deleted_at',
          type: when,
          precision: 3,
          deleteDate: true,
          nullable: true,
        },
      },
      relations: {
        account: {
          type: 'many-to-one',
          target: 'account',
          nullable: true,
          createForeignKeyConstraints: false,
          joinColumn: { name: 'login', referencedColumnName: 'login' },
        },
      },
    }),
    repository: new EntitySchema<ObjectLiteral>({
      name: 'repository',
      tableName: 'repositories',
      columns: { id: key, name: string, github: { type: 'int', nullable: true } },
      relations: {
        installation: {
          type: 'many-to-one',
          target: 'installation',
          nullable: true,
          createForeignKeyConstraints: false,
          joinColumn: { name: 'github', referencedColumnName: 'github' },
        },
        note: { type: 'one-to-one', target: 'note', inverseSide: 'repository', nullable: true },
      },
    }),
    note: new EntitySchema<ObjectLiteral>({
      name: 'note',
      tableName: 'notes',
      columns: {
        id: key,
        repositoryId: { name: 'repository_id', type: 'int', nullable: true },
        body: string,
      },
      relations: {
        repository: {
          type: 'one-to-one',
          target: 'repository',
          inverseSide: 'note',
          nullable: true,
          // Without a constraint, nothing keeps the key unique.
          createForeignKeyConstraints: false,
          joinColumn: { name: 'repository_id', referencedColumnName: 'id' },
        },
      },
    }),
  };
};

const openTypeorm =
  (hydrate: boolean): Open =>
  async (family, url) => {
    const types = { postgresql: 'postgres', mysql: 'mariadb', sqlite: 'better-sqlite3' } as const;
    const entities = typeormEntities(family);
    const dataSource = await new DataSource({
      type: types[family],
      ...(family === 'sqlite' ? { database: url } : { url }),
      entities: Object.values(entities),
    } as ConstructorParameters<typeof DataSource>[0]).initialize();
    const registry = typeormRegistry(Object.values(entities) as never) as unknown as SchemaRegistry;
    return {
      registry,
      source: (model, options) =>
        typeormSource(dataSource.getRepository(model), {
          registry,
          hydrate,
          ...options,
        }) as unknown as QuerySource,
      close: () => dataSource.destroy(),
    };
  };

const adapters: { readonly [name: string]: Open } = {
  sql: openSql,
  drizzle: openDrizzle,
  typeorm: openTypeorm(false),
  'typeorm hydrate': openTypeorm(true),
};

const cells = Object.entries(adapters).flatMap(([name, open]) =>
  (['postgresql', 'mysql', 'sqlite'] as const).map((family) => ({ name, open, family })),
);

describe.each(cells)('$name on $family: relations to columns that are not unique', (given) => {
  const { name, family, open } = given;
  let database: ScratchDatabase | undefined;
  let cell: Cell;

  beforeAll(async () => {
    const found = await scratchDatabase(family, 'first_rows');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    const { client, close } = plainConnection(family, found.url);
    const run = async (sql: string): Promise<unknown> =>
      client instanceof Sqlite ? client.exec(sql) : (client as pg.Pool).query(sql);
    await runScript({ family, run } as never, script(family));
    await close();
    cell = await open(family, found.url);
  });
  afterAll(async () => {
    await cell?.close();
    await database?.drop();
  });

  const rulesOf = (scopes?: object) =>
    defineQueryRules(
      cell.registry as never,
      'repository' as never,
      {
        filters: [
          { path: 'id', operators: ['eq', 'in'] },
          { path: 'installation', operators: ['isNull'] },
          { path: 'installation.name', operators: ['eq', 'ne', 'in', 'notIn'] },
          { path: 'installation.account.title', operators: ['eq'] },
          { path: 'note.body', operators: ['eq'] },
        ],
        sorts: ['id', 'installation.name', 'installation.account.title', 'note.body'],
        search: ['installation.name'],
        fields: {
          root: { allowed: ['id', 'name'], default: ['id'] },
          relations: {
            installation: { allowed: ['id', 'name'], default: ['name'] },
            'installation.account': { allowed: ['title'], default: ['title'] },
            note: { allowed: ['body'], default: ['body'] },
          },
        },
        includes: ['installation', 'installation.account', 'note'],
        pagination: { mode: 'both' },
      } as never,
      { families: [family], cursorKeys, ...(scopes && { scopes }) } as never,
    ) as unknown as CompiledQueryRules;

  const listed = async (request: string, options: object = {}, rules = rulesOf()) => {
    const result = await runQuery(cell.source('repository'), request, rules, options as never);
    return JSON.parse(JSON.stringify(result)) as {
      data: { id: number }[];
      total: number;
    };
  };
  const ids = async (request: string, options: object = {}, rules = rulesOf()) => {
    const { data, total } = await listed(`sort=id&${request}`, options, rules);
    expect(total).toBe(data.length);
    // A page that is full is counted by a statement of its own.
    const counted = await listed(`sort=id&perPage=1&${request}`, options, rules);
    expect(counted.total).toBe(total);
    return data.map(({ id }) => id);
  };

  it('shows every row once, with the first related row', async (context) => {
    if (!database) return context.skip();
    const { data, total } = await listed('includes=installation,installation.account,note&sort=id');
    expect(data).toEqual([
      { id: 1, installation: { name: 'alpha', account: { title: 'first' } }, note: { body: 'a' } },
      { id: 2, installation: { name: 'alpha', account: { title: 'first' } }, note: { body: 'd' } },
      { id: 3, installation: { name: 'delta', account: { title: 'first' } }, note: null },
      { id: 4, installation: null, note: null },
      { id: 5, installation: null, note: null },
    ]);
    expect(total).toBe(5);
    const one = await runOne(cell.source('repository'), 1, 'includes=installation', rulesOf());
    expect(JSON.parse(JSON.stringify(one))).toEqual({ id: 1, installation: { name: 'alpha' } });
  });

  it('filters and searches by the first related row alone, and counts alike', async (context) => {
    if (!database) return context.skip();
    expect(await ids('filter[installation.name]=alpha')).toEqual([1, 2]);
    expect(await ids('filter[installation.name]=beta')).toEqual([]);
    expect(await ids('filter[installation.name][ne]=beta')).toEqual([1, 2, 3]);
    expect(await ids('filter[installation.name][notIn]=alpha')).toEqual([3]);
    expect(await ids('filter[installation][isNull]=true')).toEqual([4, 5]);
    expect(await ids('filter[installation.account.title]=first')).toEqual([1, 2, 3]);
    expect(await ids('filter[installation.account.title]=second')).toEqual([]);
    expect(await ids('filter[note.body]=d')).toEqual([2]);
    expect(await ids('filter[note.body]=e')).toEqual([]);
    expect(await ids('search=lph')).toEqual([1, 2]);
    expect(await ids('search=bet')).toEqual([]);
  });

  it('walks through every row once', async (context) => {
    if (!database) return context.skip();
    for (const sort of ['id', '-installation.name,id', 'note.body,-id']) {
      const seen: number[] = [];
      const whole = await listed(`sort=${sort}&perPage=50`);
      for (let page = 1; page <= 6; page += 1) {
        const { data } = await listed(`sort=${sort}&perPage=1&page=${page}&includes=installation`);
        seen.push(...data.map(({ id }) => id));
      }
      expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
      expect(seen).toEqual(whole.data.map(({ id }) => id));
    }
    const rules = defineQueryRules(
      cell.registry as never,
      'repository' as never,
      {
        sorts: ['installation.name', 'note.body'],
        filters: [{ path: 'installation.name', operators: ['ne'] }],
        fields: {
          root: { allowed: ['id'], default: ['id'] },
          relations: { installation: { allowed: ['name'], default: ['name'] } },
        },
        includes: ['installation'],
        pagination: { mode: 'keyset' },
      } as never,
      { families: [family], cursorKeys },
    ) as unknown as CompiledQueryRules;
    for (const sort of ['installation.name', '-installation.name', 'note.body']) {
      const seen: unknown[] = [];
      let cursor = '';
      for (let page = 0; page < 9; page += 1) {
        const request = `sort=${sort}&perPage=2&includes=installation&cursor=${cursor}`;
        const { data, nextCursor } = (await runQuery(
          cell.source('repository'),
          request,
          rules,
        )) as unknown as {
          data: readonly { id: unknown }[];
          nextCursor: string | null;
        };
        seen.push(...data.map(({ id }) => id));
        if (nextCursor === null) break;
        cursor = encodeURIComponent(nextCursor);
      }
      expect(seen.toSorted()).toEqual([1, 2, 3, 4, 5]);
    }
  });

  it('reads the first row within the scope of the request', async (context) => {
    if (!database) return context.skip();
    const scopes = {
      repository: 'unscoped',
      note: 'unscoped',
      account: () => ({ type: 'condition', path: 'title', operator: 'ne', value: 'first' }),
      installation: ({ tenant }: { tenant: number }) => ({
        type: 'condition',
        path: 'tenant',
        operator: 'eq',
        value: tenant,
      }),
    };
    const rules = rulesOf(scopes);
    const { data } = await listed('includes=installation&sort=id', { scope: { tenant: 1 } }, rules);
    expect(data.slice(0, 3)).toEqual([
      { id: 1, installation: { name: 'beta' } },
      { id: 2, installation: { name: 'beta' } },
      { id: 3, installation: { name: 'delta' } },
    ]);
    expect(await ids('filter[installation.name]=beta', { scope: { tenant: 1 } }, rules)).toEqual([
      1, 2,
    ]);
    expect(await ids('filter[installation.name]=alpha', { scope: { tenant: 1 } }, rules)).toEqual(
      [],
    );
    const other = await listed(
      'includes=installation,installation.account&sort=id',
      { scope: { tenant: 2 } },
      rules,
    );
    expect(other.data.slice(0, 3)).toEqual([
      { id: 1, installation: { name: 'alpha', account: { title: 'second' } } },
      { id: 2, installation: { name: 'alpha', account: { title: 'second' } } },
      { id: 3, installation: null },
    ]);
  });

  it('asks the first related row in a scope that crosses the relation', async (context) => {
    if (!database) return context.skip();
    // The scope of notes crosses two relations, of which one is not unique.
    const scopes = {
      repository: 'unscoped',
      account: 'unscoped',
      installation: 'unscoped',
      note: ({ name }: { name: string }) => ({
        type: 'condition',
        path: 'repository.installation.name',
        operator: 'eq',
        value: name,
      }),
    };
    const shown = async (name: string) => {
      const { data } = await listed('includes=note&sort=id', { scope: { name } }, rulesOf(scopes));
      return (data as unknown as { note: { body: string } | null }[]).map(({ note }) => note?.body);
    };
    expect(await shown('alpha')).toEqual(['a', 'd', undefined, undefined, undefined]);
    expect(await shown('beta')).toEqual([undefined, undefined, undefined, undefined, undefined]);
  });

  const loose = ['installation.account', 'repository.installation', 'repository.note'];

  it('is told by checkProfile and refused by strict, by name', async (context) => {
    if (!database) return context.skip();
    const violations = await checkProfile(cell.source('repository') as unknown as ProfiledSource);
    const told = violations.filter(({ rule }) => rule === 'first-row' || rule === 'unique');
    expect(told.map(({ rule, where }) => `${rule} ${where}`).toSorted()).toEqual(
      loose.map((where) => `first-row ${where}`),
    );
    expect(told.map(({ detail }) => detail).join()).toContain('installations (github)');
    const strict = () => cell.source('repository', { strict: true });
    for (const where of loose) expect(strict).toThrow(where);
  });

  const deletesSoftly = name.startsWith('typeorm');
  it.runIf(deletesSoftly)('passes over rows that are softly deleted', async (context) => {
    if (!database) return context.skip();
    const { client, close } = plainConnection(family, database.url);
    const run = async (sql: string): Promise<unknown> =>
      client instanceof Sqlite ? client.exec(sql) : (client as pg.Pool).query(sql);
    try {
      await run(`update installations set deleted_at = '2026-01-01 00:00:00.000' where id = 10`);
      expect(await ids('filter[installation.name]=beta')).toEqual([1, 2]);
      const { data } = await listed('includes=installation&sort=id');
      expect(data[0]).toEqual({ id: 1, installation: { name: 'beta' } });
      const all = await runQuery(
        cell.source('repository', { withDeleted: true }),
        'includes=installation&sort=id',
        rulesOf(),
      );
      expect(JSON.parse(JSON.stringify(all.data[0]))).toEqual({
        id: 1,
        installation: { name: 'alpha' },
      });
    } finally {
      await run(`update installations set deleted_at = null where id = 10`);
      await close();
    }
  });
});

it('are counted as they are listed where a filter goes on through a list of the related row', async () => {
  const connection = new Sqlite(':memory:');
  try {
    connection.exec(`create table repositories (id integer primary key, github int);
      create table installations (id integer primary key, github int);
      create table stars (id integer primary key, installation_id int);
      insert into repositories values (1, 7), (2, 8), (3, 9);
      insert into installations values (10, 7), (20, 7), (30, 8), (40, 8), (50, 9);
      insert into stars values (1, 20), (2, 30), (3, 50)`);
    const github = { type: 'int', nullable: true } as const;
    const tables = sqlTables({
      repository: {
        table: 'repositories',
        primaryKey: 'id',
        columns: { id: 'integer', github },
        relations: { installation: { one: 'installation', from: 'github', to: 'github' } },
      },
      installation: {
        table: 'installations',
        primaryKey: 'id',
        columns: { id: 'integer', github },
        relations: { stars: { many: 'star', to: 'installationId' } },
      },
      star: {
        table: 'stars',
        primaryKey: 'id',
        columns: {
          id: 'integer',
          installationId: { type: 'int', column: 'installation_id', nullable: true },
        },
      },
    });
    const registry = sqlRegistry(tables);
    const source = sqlSource({ connection, registry, tables, model: 'repository' });
    const rules = defineQueryRules(registry, 'repository', {
      filters: [{ path: 'installation.stars.id', operators: ['gte'] }],
      fields: { root: { allowed: ['id'], default: ['id'] } },
    });
    // The second installation of the first repository has a star, and is not shown.
    const filter = 'filter[installation.stars.id][gte]=1';
    const page = await runQuery(source, `${filter}&perPage=1`, rules);
    expect(page).toMatchObject({ data: [{ id: 2 }], total: 2 });
    const whole = await runQuery(source, `${filter}&paginate=false`, rules);
    expect(whole.data).toEqual([{ id: 2 }, { id: 3 }]);
  } finally {
    connection.close();
  }
});
