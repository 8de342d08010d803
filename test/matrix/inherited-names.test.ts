/**
 * Tables, models, properties, relations and columns with the names of properties that every JavaScript object inherits, in
 * every cell.
 */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import * as pc from 'drizzle-orm/pg-core';
import * as sl from 'drizzle-orm/sqlite-core';
import { Kysely, MysqlDialect, PostgresDialect, SqliteDialect } from 'kysely';
import mysqlCallbacks from 'mysql2';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import { DataSource, type DataSourceOptions, EntitySchema } from 'typeorm';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { type PrismaClientLike, prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  type SqlConnection,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily, QuerySource } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { families, sharedOut } from './cells.ts';
import { knexOn } from './fixtures/load.ts';
import { clientOn } from './fixtures/prisma/clients.ts';
import { generatePrisma } from './fixtures/prisma/generate.ts';

const textTypes = { postgresql: 'text', mysql: 'varchar(20)', sqlite: 'text' };

/** The statements that make the tables: parents, and children with or without a parent. */
const setUp = (family: DatabaseFamily): string[] => {
  const text = textTypes[family];
  return [
    `create table "propertyIsEnumerable" ("id" int primary key, "constructor" ${text} not null)`,
    `create table "valueOf" ("id" int primary key, "constructor" ${text} not null,
      "toString" ${text}, "hasOwnProperty" int not null, "__proto__" ${text} not null, "parent" int)`,
    `insert into "propertyIsEnumerable" values (1, 'p'), (2, 'q')`,
    `insert into "valueOf" values
      (1, 'a', 'x', 7, 'm', 1), (2, 'b', null, 8, 'n', null), (3, 'c', 'z', 7, 'o', 1)`,
  ];
};

interface Opened {
  readonly registry: SchemaRegistry;
  source(model: string): QuerySource;
  /** Names of the models. Default: `constructor` and `toString`. */
  readonly models?: readonly [child: string, parent: string];
  /** Property of the children for the column `__proto__`, which Prisma's client cannot read. Default: `proto`. */
  readonly proto?: 'constructor';
  close(): Promise<unknown>;
}

type Open = (database: ScratchDatabase) => Promise<Opened>;

/** The connections of a family's driver, by itself and under other libraries. */
function connected({ family, url }: ScratchDatabase) {
  if (family === 'postgresql') {
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const kysely = () => new Kysely({ dialect: new PostgresDialect({ pool }) });
    return { driver: pool as SqlConnection, kysely, close: () => pool.end() };
  }
  if (family === 'mysql') {
    const pool = mysqlCallbacks.createPool({ uri: url, connectionLimit: 2 });
    const kysely = () => new Kysely({ dialect: new MysqlDialect({ pool }) });
    return { driver: pool as SqlConnection, kysely, close: () => pool.promise().end() };
  }
  const database = new Sqlite(url);
  const kysely = () => new Kysely({ dialect: new SqliteDialect({ database }) });
  return { driver: database as SqlConnection, kysely, close: async () => database.close() };
}

function declared(family: DatabaseFamily) {
  const text = textTypes[family];
  return sqlTables({
    constructor: {
      table: 'valueOf',
      primaryKey: 'id',
      columns: {
        id: 'int',
        constructor: text,
        toString: { type: text, nullable: true },
        hasOwnProperty: 'int',
        proto: { type: text, column: '__proto__' },
        parent: { type: 'int', nullable: true },
      },
      relations: { valueOf: { one: 'toString', from: 'parent' } },
    },
    toString: {
      table: 'propertyIsEnumerable',
      primaryKey: 'id',
      columns: { id: 'int', constructor: text },
      relations: { isPrototypeOf: { many: 'constructor', to: 'parent' } },
    },
  });
}

const sqlCell =
  (library: 'driver' | 'kysely' | 'knex'): Open =>
  async (database) => {
    const tables = declared(database.family);
    const registry = sqlRegistry(tables);
    const { driver, kysely, close } = connected(database);
    const knex = library === 'knex' ? knexOn(database) : undefined;
    const connection = knex ?? (library === 'kysely' ? kysely() : driver);
    return {
      registry,
      source: (model) => sqlSource({ connection, registry, tables, model } as never),
      close: async () => {
        await knex?.destroy();
        await close();
      },
    };
  };

const typeormCell =
  (hydrate: boolean): Open =>
  async ({ family, url }) => {
    const text = family === 'mysql' ? 'varchar' : 'text';
    const child = new EntitySchema({
      name: 'constructor',
      tableName: 'valueOf',
      columns: {
        id: { type: 'int', primary: true },
        constructor: { type: text },
        toString: { type: text, nullable: true },
        hasOwnProperty: { type: 'int' },
        proto: { type: text, name: '__proto__' },
      },
      relations: {
        valueOf: {
          type: 'many-to-one',
          target: 'toString',
          joinColumn: { name: 'parent' },
          inverseSide: 'isPrototypeOf',
          nullable: true,
        },
      },
    } as never);
    const parent = new EntitySchema({
      name: 'toString',
      tableName: 'propertyIsEnumerable',
      columns: { id: { type: 'int', primary: true }, constructor: { type: text } },
      relations: {
        isPrototypeOf: { type: 'one-to-many', target: 'constructor', inverseSide: 'valueOf' },
      },
    } as never);
    const place = family === 'sqlite' ? { database: url } : { url };
    const type = { postgresql: 'postgres', mysql: 'mariadb', sqlite: 'better-sqlite3' }[family];
    const options = { type, ...place, entities: [child, parent] } as unknown as DataSourceOptions;
    const dataSource = await new DataSource(options).initialize();
    const registry = typeormRegistry([child, parent] as never);
    return {
      registry,
      source: (model) =>
        typeormSource(dataSource, model === 'constructor' ? child : parent, {
          registry,
          hydrate,
        }) as QuerySource,
      close: () => dataSource.destroy(),
    };
  };

/** The tables of Drizzle; the functions for columns have the same names in all families. */
function drizzleTables(family: DatabaseFamily) {
  const { make, text } = {
    postgresql: { make: pc.pgTable, text: () => pc.text() },
    mysql: { make: my.mysqlTable, text: () => my.varchar({ length: 20 }) },
    sqlite: { make: sl.sqliteTable, text: () => sl.text() },
  }[family] as unknown as { make: typeof sl.sqliteTable; text: typeof sl.text };
  const { integer } = {
    postgresql: pc,
    mysql: { integer: my.int },
    sqlite: sl,
  }[family] as unknown as { integer: typeof sl.integer };
  const parent = make('propertyIsEnumerable', {
    id: integer().primaryKey(),
    constructor: text().notNull(),
  });
  const child = make('valueOf', {
    id: integer().primaryKey(),
    constructor: text().notNull(),
    toString: text() as never,
    hasOwnProperty: integer().notNull() as never,
    proto: (family === 'mysql'
      ? my.varchar('__proto__', { length: 20 })
      : family === 'sqlite'
        ? sl.text('__proto__')
        : pc.text('__proto__')
    ).notNull() as never,
    parent: integer(),
  });
  const childRelations = relations(child, ({ one }) => ({
    valueOf: one(parent, { fields: [child.parent], references: [parent.id] }) as never,
  }));
  const parentRelations = relations(parent, ({ many }) => ({
    isPrototypeOf: many(child) as never,
  }));
  return {
    tables: { constructor: child, toString: parent },
    links: [childRelations, parentRelations],
  };
}

const drizzleCell: Open = async ({ family, url }) => {
  const { tables, links } = drizzleTables(family);
  const registry = drizzleRegistry(tables as never, links as never) as SchemaRegistry;
  if (family === 'sqlite') {
    const client = new Sqlite(url);
    const db = drizzleSqlite(client);
    return {
      registry,
      source: (model) => drizzleSource({ db, registry, tables, model } as never),
      close: async () => client.close(),
    };
  }
  const pool =
    family === 'mysql' ? mysql2.createPool({ uri: url }) : new pg.Pool({ connectionString: url });
  const db = pool instanceof pg.Pool ? drizzlePostgresql(pool) : drizzleMysql(pool);
  return {
    registry,
    source: (model) => drizzleSource({ db, registry, tables, model } as never),
    close: () => pool.end(),
  };
};

const prismaCell: Open = async (database) => {
  const { family } = database;
  const text = family === 'mysql' ? ' @db.VarChar(20)' : '';
  const models = `
model Child {
  id             Int     @id
  constructor    String${text}
  toString       String?${text}
  hasOwnProperty Int
  parent         Int?
  valueOf        Parent? @relation(fields: [parent], references: [id])
  @@map("valueOf")
}

model Parent {
  id            Int     @id
  constructor   String${text}
  isPrototypeOf Child[]
  @@map("propertyIsEnumerable")
}
`;
  const generated = await generatePrisma({ family, models });
  const { registry } = generated;
  const client = await clientOn(generated, database, 7);
  return {
    registry,
    models: ['child', 'parent'],
    proto: 'constructor',
    source: (model) =>
      prismaSource({ client: client as PrismaClientLike as never, registry, model }),
    close: () => client.$disconnect(),
  };
};

const openings: Readonly<Record<string, Open>> = {
  driver: sqlCell('driver'),
  knex: sqlCell('knex'),
  kysely: sqlCell('kysely'),
  drizzle: drizzleCell,
  typeorm: typeormCell(false),
  'typeorm hydrate': typeormCell(true),
  prisma: prismaCell,
};

const cells = Object.keys(openings).flatMap((name) =>
  families.map((family) => ({ adapter: name, family })),
);

type Answers = readonly (readonly [request: string, data: readonly unknown[]])[];

/** The answers to requests for children, which all cells share. */
const childAnswers: Answers = [
  [
    'sort=id',
    [
      { constructor: 'a', toString: 'x', hasOwnProperty: 7 },
      { constructor: 'b', toString: null, hasOwnProperty: 8 },
      { constructor: 'c', toString: 'z', hasOwnProperty: 7 },
    ],
  ],
  ['filter[constructor]=b&fields=id,constructor', [{ id: 2, constructor: 'b' }]],
  ['filter[toString][isNull]=true&fields=id,toString', [{ id: 2, toString: null }]],
  ['filter[toString][like]=z&fields=hasOwnProperty', [{ hasOwnProperty: 7 }]],
  ['sort=-hasOwnProperty,-constructor&fields=id', [{ id: 2 }, { id: 3 }, { id: 1 }]],
  ['filter[valueOf][isNull]=true&fields=id', [{ id: 2 }]],
  [
    'filter[valueOf.constructor]=p&includes=valueOf&fields=constructor&sort=-id',
    ['c', 'a'].map((constructor) => ({ constructor, valueOf: { constructor: 'p' } })),
  ],
];

const parentAnswers: Answers = [
  [
    'includes=isPrototypeOf&sort=id',
    [
      { constructor: 'p', isPrototypeOf: [{ constructor: 'a' }, { constructor: 'c' }] },
      { constructor: 'q', isPrototypeOf: [] },
    ],
  ],
  ['filter[isPrototypeOf.toString][in]=z', [{ constructor: 'p' }]],
  ['filter[isPrototypeOf][isNull]=true', [{ constructor: 'q' }]],
];

/** The answers for the column `__proto__`. */
const protoAnswers: Answers = [
  ['sort=-proto&fields=proto&page=2&perPage=1', [{ proto: 'n' }]],
  ['filter[proto][in]=m,o&fields=proto&sort=proto', [{ proto: 'm' }, { proto: 'o' }]],
];
const includedAnswers: Answers = [
  [
    'includes=isPrototypeOf&fields=isPrototypeOf.proto&sort=id',
    [
      { constructor: 'p', isPrototypeOf: [{ proto: 'm' }, { proto: 'o' }] },
      { constructor: 'q', isPrototypeOf: [] },
    ],
  ],
];

describe.each(sharedOut(cells))('$adapter on $family', ({ adapter, family }) => {
  it('answers with inherited names', async (context) => {
    const database = await scratchDatabase(family, 'inherited');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    const knex = knexOn(database);
    for (const sql of setUp(family)) {
      await knex.raw(family === 'mysql' ? sql.replaceAll('"', '`') : sql);
    }
    await knex.destroy();
    const opened = await (openings[adapter] as Open)(database);
    try {
      const { registry, source, models = ['constructor', 'toString'], proto = 'proto' } = opened;
      const [child, parent] = models;
      const childRules = defineQueryRules(registry, child, {
        filters: [
          { path: 'constructor', operators: ['eq'] },
          { path: 'toString', operators: ['isNull', 'like'] },
          ...(proto === 'proto' ? [{ path: proto, operators: ['in' as const] }] : []),
          { path: 'valueOf', operators: ['isNull'] },
          { path: 'valueOf.constructor', operators: ['eq'] },
        ],
        sorts: [...new Set(['id', 'constructor', 'hasOwnProperty', proto])],
        includes: ['valueOf'],
        fields: {
          root: {
            allowed: [...new Set(['id', 'constructor', 'toString', 'hasOwnProperty', proto])],
            default: ['constructor', 'toString', 'hasOwnProperty'],
          },
          relations: { valueOf: { allowed: ['constructor'], default: ['constructor'] } },
        },
      });
      const parentRules = defineQueryRules(registry, parent, {
        filters: [
          { path: 'isPrototypeOf', operators: ['isNull'] },
          { path: 'isPrototypeOf.toString', operators: ['in'] },
        ],
        sorts: ['id'],
        includes: ['isPrototypeOf'],
        fields: {
          root: { allowed: ['constructor'], default: ['constructor'] },
          relations: {
            isPrototypeOf: {
              allowed: [...new Set(['constructor', proto])],
              default: ['constructor'],
            },
          },
        },
      });
      for (const [model, rules, answers] of [
        [child, childRules, childAnswers],
        [parent, parentRules, parentAnswers],
        [child, childRules, proto === 'proto' ? protoAnswers : []],
        [parent, parentRules, proto === 'proto' ? includedAnswers : []],
      ] as const) {
        for (const [request, data] of answers) {
          const { data: given } = await runQuery(source(model), request, rules);
          expect([request, JSON.parse(JSON.stringify(given))]).toEqual([request, data]);
        }
      }
    } finally {
      await opened.close();
      await database.drop();
    }
  });
});
