/**
 * `one` relations to columns that are declared unique, of which the database has lost the index: once `checkProfile` has
 * told it, each row of a list is shown once, with the first related row. Each adapter, database and version of Prisma.
 */

import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgresql } from 'drizzle-orm/node-postgres';
import * as mysqlCore from 'drizzle-orm/mysql-core';
import * as pgCore from 'drizzle-orm/pg-core';
import { relations } from 'drizzle-orm/relations';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import {
  checkProfile,
  enforceProfile,
  sqlRegistry,
  sqlSource,
  sqlTables,
} from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import {
  type CompiledQueryRules,
  type DatabaseFamily,
  type KeysetResult,
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from '../sql/drivers.ts';
import { families } from './cells.ts';
import { clientOn } from './fixtures/prisma/clients.ts';
import { type PrismaVersion, generatePrisma } from './fixtures/prisma/generate.ts';

interface Made {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource;
  close(): Promise<unknown>;
}

type Make = (family: DatabaseFamily, database: ScratchDatabase) => Promise<Made>;

/** Two installations have one number. */
const statements = [
  'create table installations (id int not null primary key, github int, score int not null)',
  'create table repositories (id int not null primary key, github int)',
  'insert into installations values (30, 7, 3), (10, 7, 9), (20, 7, 5), (40, 8, 4)',
  'insert into repositories values (1, 7), (2, 7), (3, 8), (4, 9), (5, null)',
];

/** A driver whose database stays when it is closed. */
const openOn = (family: DatabaseFamily, database: ScratchDatabase) =>
  openDriver(family, { ...database, drop: async () => {} });

const sql: Make = async (family, database) => {
  const { connection, close } = openOn(family, database);
  const tables = sqlTables({
    installation: {
      table: 'installations',
      primaryKey: 'id',
      columns: { id: 'int', github: { type: 'int', nullable: true }, score: 'int' },
      uniqueKeys: ['github'],
    },
    repository: {
      table: 'repositories',
      primaryKey: 'id',
      columns: { id: 'int', github: { type: 'int', nullable: true } },
      relations: { installation: { one: 'installation', from: 'github', to: 'github' } },
    },
  });
  const registry = sqlRegistry(tables, { families: [family] });
  const source = sqlSource({ connection, registry, tables, model: 'repository' }) as QuerySource;
  return { registry, source, close };
};

const drizzle: Make = async (family, database) => {
  const { connection, close } = openOn(family, database);
  // One declaration for three modules, whose functions have the same names and arguments.
  const core = { postgresql: pgCore, mysql: mysqlCore, sqlite: sqliteCore }[family];
  const { pgTable: table } = {
    pgTable: pgCore.pgTable,
    ...(family === 'mysql' && { pgTable: mysqlCore.mysqlTable as never as typeof pgCore.pgTable }),
    ...(family === 'sqlite' && {
      pgTable: sqliteCore.sqliteTable as never as typeof pgCore.pgTable,
    }),
  };
  const integer = (family === 'mysql' ? mysqlCore.int : (core as typeof pgCore).integer) as (
    name: string,
  ) => ReturnType<typeof pgCore.integer>;
  const installation = table('installations', {
    id: integer('id').primaryKey(),
    github: integer('github').unique(),
    score: integer('score').notNull(),
  });
  const repository = table('repositories', {
    id: integer('id').primaryKey(),
    github: integer('github'),
  });
  const links = relations(repository, ({ one }) => ({
    installation: one(installation, {
      fields: [repository.github],
      references: [installation.github],
    }),
  }));
  const tables = { installation, repository };
  const registry = drizzleRegistry(tables, [links]) as unknown as SchemaRegistry;
  const open = { postgresql: onPostgresql, mysql: onMysql, sqlite: onSqlite }[family] as never as (
    client: unknown,
  ) => never;
  const db = open(connection);
  const source = drizzleSource({ db, registry, tables, model: 'repository' } as never);
  return { registry, source: source as unknown as QuerySource, close };
};

const typeorm =
  (hydrate: boolean): Make =>
  async (family, { url }) => {
    const github = { type: 'int', nullable: true } as const;
    const installation = new EntitySchema<object>({
      name: 'installation',
      tableName: 'installations',
      columns: {
        id: { type: 'int', primary: true },
        github: { ...github, unique: true },
        score: { type: 'int' },
      } as never,
    });
    const repository = new EntitySchema<object>({
      name: 'repository',
      tableName: 'repositories',
      columns: { id: { type: 'int', primary: true }, github } as never,
      relations: {
        installation: {
          type: 'many-to-one',
          target: 'installation',
          nullable: true,
          joinColumn: { name: 'github', referencedColumnName: 'github' },
        },
      } as never,
    });
    const type = { postgresql: 'postgres', mysql: 'mysql', sqlite: 'better-sqlite3' }[family];
    const place = family === 'sqlite' ? { database: url } : { url };
    const options = { type, ...place, entities: [installation, repository] };
    const dataSource = await new DataSource(options as never).initialize();
    const registry = typeormRegistry([installation, repository], { families: [family] });
    const source = typeormSource(dataSource.getRepository(repository), { registry, hydrate });
    return { registry, source: source as QuerySource, close: () => dataSource.destroy() };
  };

const prisma =
  (version: PrismaVersion, isExtended: boolean): Make =>
  async (family, database) => {
    const models = `
      model Installation {
        id Int @id
        github Int? @unique
        score Int
        repositories Repository[]
        @@map("installations")
      }
      model Repository {
        id Int @id
        github Int?
        installation Installation? @relation(fields: [github], references: [github])
        @@map("repositories")
      }`;
    const generated = await generatePrisma({ family, models, version });
    const { registry } = generated;
    const plain = await clientOn(generated, database, version);
    const pass = ({ args, query }: { args: object; query: (args: object) => unknown }) =>
      query(args);
    const client = isExtended ? plain.$extends({ query: { $allOperations: pass } }) : plain;
    const options = { client, registry, model: 'repository', bypassQueryExtensions: isExtended };
    const source = prismaSource(options as never) as unknown as QuerySource;
    return { registry, source, close: () => plain.$disconnect() };
  };

const adapters: readonly (readonly [name: string, make: Make])[] = [
  ['sql', sql],
  ['drizzle', drizzle],
  ['typeorm', typeorm(false)],
  ['typeorm hydrate', typeorm(true)],
  ['prisma 7', prisma(7, false)],
  ['prisma 6', prisma(6, false)],
  ['own queries of prisma 7', prisma(7, true)],
  ['own queries of prisma 6', prisma(6, true)],
];

const rulesOf = (registry: SchemaRegistry, family: DatabaseFamily) =>
  defineQueryRules(
    registry,
    'repository',
    {
      filters: [
        { path: 'installation', operators: ['isNull'] },
        { path: 'installation.score', operators: ['eq', 'ne', 'gte'] },
      ],
      sorts: ['id', 'installation.score'],
      fields: {
        root: { allowed: ['id'], default: ['id'] },
        relations: { installation: { allowed: ['score'], default: ['score'] } },
      },
      includes: ['installation'],
      pagination: { mode: 'both' },
    } as never,
    { families: [family], cursorKeys },
  ) as CompiledQueryRules;

describe.each(families)('declared keys that %s lacks', (family) => {
  let database: ScratchDatabase | undefined;

  beforeAll(async () => {
    const found = await scratchDatabase(family, 'lacking_keys');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    const { run, close } = openOn(family, found);
    for (const statement of statements) await run(statement);
    await close();
  });
  afterAll(() => database?.drop());

  // The older client differs in its engine, not by database.
  const cells = adapters.filter(([name]) => !name.endsWith('6') || family === 'postgresql');
  it.for(cells)('repeat no row: %s', async ([, make], context) => {
    if (!database) return context.skip();
    const { registry, source, close } = await make(family, database);
    try {
      const rules = rulesOf(registry, family);
      const read = async (request: string) =>
        JSON.parse(JSON.stringify(await runQuery(source, request, rules))) as KeysetResult & {
          readonly total: number;
        };
      const idsOf = async (request: string) => {
        const { data, total } = await read(`sort=id&${request}`);
        expect(total).toBe(data.length);
        // A page that is full is counted by a statement of its own.
        expect((await read(`sort=id&perPage=1&${request}`)).total).toBe(total);
        return data.map(({ id }) => id);
      };
      // Statements that were compiled before are not used any more.
      await read('includes=installation&sort=id');
      const violations = await checkProfile(source as never, rules);
      const told = violations.filter(({ rule }) => rule === 'unique');
      expect(told.map(({ where }) => where)).toEqual(['repository.installation']);
      const { data, total } = await read('includes=installation&sort=id');
      expect(data.map(({ id }) => id)).toEqual([1, 2, 3, 4, 5]);
      expect(total).toBe(5);
      const shown = data.map((row) => (row['installation'] as { score: number } | null)?.score);
      expect(shown).toEqual([9, 9, 4, undefined, undefined]);
      expect(await idsOf('filter[installation.score]=9')).toEqual([1, 2]);
      expect(await idsOf('filter[installation.score]=5')).toEqual([]);
      expect(await idsOf('filter[installation.score][ne]=5')).toEqual([1, 2, 3]);
      expect(await idsOf('filter[installation.score][gte]=5')).toEqual([1, 2]);
      expect(await idsOf('filter[installation][isNull]=true')).toEqual([4, 5]);
      const walked: unknown[] = [];
      for (let cursor: string | null = ''; cursor !== null && walked.length < 9;) {
        const page = await read(`sort=installation.score,-id&perPage=1&cursor=${cursor}`);
        walked.push(...page.data.map(({ id }) => id));
        cursor = page.nextCursor;
      }
      const [none, some] = [
        [5, 4],
        [3, 2, 1],
      ];
      // Rules of one family have nulls where its indexes have them.
      expect(walked).toEqual(family === 'postgresql' ? [...some, ...none] : [...none, ...some]);
      await expect(enforceProfile(source as never, rules)).rejects.toMatchObject({
        code: 'PORTABILITY_PROFILE_MISMATCH',
      });
    } finally {
      await close();
    }
  });
});
