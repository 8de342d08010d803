/**
 * Floating-point numbers of every size, in double and single precision, as keys and references, beside decimals: pages
 * end, shown values find their rows, and related rows are found, in every adapter, database and version of Prisma.
 */

import { drizzle as onSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as onMysql } from 'drizzle-orm/mysql2';
import { drizzle as onPostgresql } from 'drizzle-orm/node-postgres';
import * as mysqlCore from 'drizzle-orm/mysql-core';
import * as pgCore from 'drizzle-orm/pg-core';
import * as sqliteCore from 'drizzle-orm/sqlite-core';
import { relations } from 'drizzle-orm';
import { DataSource, EntitySchema } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { prismaSource } from '../../src/adapters/prisma/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import type {
  CompiledQueryRules,
  DatabaseFamily,
  KeysetResult,
  QuerySource,
  SchemaRegistry,
} from '../../src/index.ts';
import { defineQueryRules, runOne, runQuery } from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { openDriver } from '../sql/drivers.ts';
import { isSharedOut } from '../setup/left-to-ci.ts';
import { families } from './cells.ts';
import { sequence } from './churn.ts';
import { seed } from '../seed.ts';
import { knexOn } from './fixtures/load.ts';
import { clientOn } from './fixtures/prisma/clients.ts';
import { type PrismaVersion, generatePrisma } from './fixtures/prisma/generate.ts';
import { exactFor } from './typeorm-cell.ts';
import { Walk } from './walk.ts';

type Model = 'reading' | 'level';

interface Made {
  readonly registry: SchemaRegistry;
  source(model: Model): QuerySource;
  close(): Promise<unknown>;
}

type Make = (family: DatabaseFamily, database: ScratchDatabase) => Promise<Made>;

const pick = sequence(seed);
/** Most digits of a double, from subnormal numbers to the largest. */
const drawn = Array.from({ length: 24 }, (_, at) => {
  const digits = `${1 + pick(9)}.${String(pick(1e8)).padStart(8, '0')}${String(pick(1e8)).padStart(8, '0')}`;
  return Number(`${at % 3 === 0 ? '-' : ''}${digits}e${at < 12 ? pick(12) - 6 : pick(600) - 300}`);
});
// oxfmt-ignore
const amounts: readonly number[] = [
  10 / 3, 100 / 7, 0.5, 0.1, 0.1 + 0.2, -0, 0, -2.5, 93.53455627109823, 1 / 3e300,
  1.797e308, -1.797e308, Number.MAX_VALUE, Number.MIN_VALUE, 2 ** -1022,
  2 ** 53 - 1, 2 ** 53 + 2, 123456789012345680, -400644672988345700, 1e21, 1e22, 1e23,
  1.9342068125438643e-12, -1.2345678901234568e-15, 90071992547409.92, 4294967295.5,
  ...drawn,
];
const rows = amounts.map((amount, at) => {
  const single = Math.fround(amount);
  const isHeld = single !== 0 && Number.isFinite(single) && Math.abs(single) > 1.2e-38;
  return {
    id: at + 1,
    amount,
    single: isHeld ? single : null,
    exact: (((at * 7919) % 5000) / 8).toFixed(4),
    level_at: at % 3 === 0 || Object.is(amount, -0) ? null : amount,
  };
});
const levels = [...new Set(amounts.filter((amount) => amount !== 0))];

const types = {
  postgresql: { double: 'double precision', single: 'real', exact: 'numeric(12, 4)' },
  mysql: { double: 'double', single: 'float', exact: 'decimal(12, 4)' },
  sqlite: { double: 'real', single: 'real', exact: 'decimal' },
} as const;

const sql: Make = async (family, database) => {
  const { connection, close } = openOn(family, database);
  const { double, single, exact } = types[family];
  const tables = sqlTables({
    level: {
      table: 'levels',
      primaryKey: 'at',
      columns: { at: double },
      relations: { readings: { many: 'reading', to: 'levelAt' } },
    },
    reading: {
      table: 'readings',
      primaryKey: 'id',
      columns: {
        id: 'integer',
        amount: double,
        single: { type: single, nullable: true },
        exact,
        levelAt: { type: double, column: 'level_at', nullable: true },
      },
      relations: { level: { one: 'level', from: 'levelAt' } },
    },
  });
  const registry = sqlRegistry(tables, { families: [family] });
  return {
    registry,
    source: (model) => sqlSource({ connection, registry, tables, model }) as QuerySource,
    close,
  };
};

/** A driver whose database stays when it is closed. */
const openOn = (family: DatabaseFamily, database: ScratchDatabase) =>
  openDriver(family, { ...database, drop: async () => {} });

function drizzleTables(family: DatabaseFamily) {
  if (family === 'postgresql') {
    const { doublePrecision, real, numeric, integer, pgTable } = pgCore;
    return {
      level: pgTable('levels', { at: doublePrecision('at').primaryKey() }),
      reading: pgTable('readings', {
        id: integer('id').primaryKey(),
        amount: doublePrecision('amount').notNull(),
        single: real('single'),
        exact: numeric('exact', { precision: 12, scale: 4 }).notNull(),
        levelAt: doublePrecision('level_at'),
      }),
    };
  }
  if (family === 'mysql') {
    const { double, float, decimal, int, mysqlTable } = mysqlCore;
    return {
      level: mysqlTable('levels', { at: double('at').primaryKey() }),
      reading: mysqlTable('readings', {
        id: int('id').primaryKey(),
        amount: double('amount').notNull(),
        single: float('single'),
        exact: decimal('exact', { precision: 12, scale: 4 }).notNull(),
        levelAt: double('level_at'),
      }),
    };
  }
  const { real, numeric, integer, sqliteTable } = sqliteCore;
  return {
    level: sqliteTable('levels', { at: real('at').primaryKey() }),
    reading: sqliteTable('readings', {
      id: integer('id').primaryKey(),
      amount: real('amount').notNull(),
      single: real('single'),
      exact: numeric('exact').notNull(),
      levelAt: real('level_at'),
    }),
  };
}

const drizzle: Make = async (family, database) => {
  const { connection, close } = openOn(family, database);
  const tables = drizzleTables(family) as ReturnType<typeof drizzleTables> & { reading: never };
  const { level, reading } = tables as never as Record<Model, Record<string, never>>;
  const links = [
    relations(level as never, ({ many }) => ({ readings: many(reading as never) })),
    relations(reading as never, ({ one }) => ({
      level: one(
        level as never,
        {
          fields: [reading['levelAt']],
          references: [level['at']],
        } as never,
      ),
    })),
  ];
  const registry = drizzleRegistry(tables, links as never) as SchemaRegistry;
  const open = { postgresql: onPostgresql, mysql: onMysql, sqlite: onSqlite }[family] as never as (
    client: unknown,
  ) => never;
  const db = open(connection);
  return {
    registry,
    source: (model) =>
      drizzleSource({ db, registry, tables, relations: links, model } as never) as QuerySource,
    close,
  };
};

const typeorm =
  (hydrate: boolean): Make =>
  async (family, { url }) => {
    const { double, single } = types[family];
    const level = new EntitySchema<{ at: number; readings: object[] }>({
      name: 'level',
      tableName: 'levels',
      columns: { at: { type: double, primary: true } },
      relations: { readings: { type: 'one-to-many', target: 'reading', inverseSide: 'level' } },
    });
    const reading = new EntitySchema<{ id: number; level: object; levelAt: number | null }>({
      name: 'reading',
      tableName: 'readings',
      columns: {
        id: { type: 'int', primary: true },
        amount: { type: double },
        single: { type: single, nullable: true },
        exact: { type: 'decimal', precision: 12, scale: 4 },
        levelAt: { type: double, name: 'level_at', nullable: true },
      } as never,
      relations: {
        level: {
          type: 'many-to-one',
          target: 'level',
          inverseSide: 'readings',
          nullable: true,
          joinColumn: { name: 'level_at', referencedColumnName: 'at' },
        },
      } as never,
    });
    const kind = { postgresql: 'postgres', mysql: 'mysql', sqlite: 'better-sqlite3' }[family];
    const place = family === 'sqlite' ? { database: url } : { url };
    const entities = { level, reading };
    const dataSource = await new DataSource({
      type: kind,
      ...place,
      ...(hydrate && exactFor[family]),
      entities: [level, reading],
    } as never).initialize();
    const registry = typeormRegistry(entities, { families: [family] }) as SchemaRegistry;
    return {
      registry,
      source: (model) =>
        typeormSource(
          dataSource.getRepository(entities[model] as never) as never,
          {
            registry,
            hydrate,
          } as never,
        ) as QuerySource,
      close: () => dataSource.destroy(),
    };
  };

const natives = { postgresql: '@db.Real', mysql: '@db.Float', sqlite: '' } as const;

const prisma =
  (version: PrismaVersion, isExtended: boolean): Make =>
  async (family, database) => {
    const exact = family === 'sqlite' ? '' : '@db.Decimal(12, 4)';
    const models = `
      model Level {
        at Float @id
        readings Reading[]
        @@map("levels")
      }
      model Reading {
        id Int @id
        amount Float
        single Float? ${natives[family]}
        exact Decimal ${exact}
        levelAt Float? @map("level_at")
        level Level? @relation(fields: [levelAt], references: [at])
        @@map("readings")
      }`;
    const generated = await generatePrisma({ family, models, version });
    const { registry } = generated;
    const plain = await clientOn(generated, database, version);
    const pass = ({ args, query }: { args: object; query: (args: object) => unknown }) =>
      query(args);
    const client = isExtended ? plain.$extends({ query: { $allOperations: pass } }) : plain;
    return {
      registry,
      source: (model) =>
        prismaSource({
          client,
          registry,
          model,
          bypassQueryExtensions: isExtended,
        } as never) as never,
      close: () => plain.$disconnect(),
    };
  };

const adapters: readonly (readonly [name: string, make: Make, listsByFloat: boolean])[] = [
  ['sql', sql, true],
  ['drizzle', drizzle, true],
  ['typeorm', typeorm(false), true],
  ['typeorm hydrate', typeorm(true), true],
  ['prisma 7', prisma(7, false), true],
  ['prisma 6', prisma(6, false), true],
  // The client's own queries find no row by a float.
  ['own queries of prisma 7', prisma(7, true), false],
  ['own queries of prisma 6', prisma(6, true), false],
];

/** A value in a query string, where a plus sign stands for a space. */
const asked = (value: unknown): string => encodeURIComponent(String(value));

const operators = ['eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'in', 'notIn', 'between'] as const;

function rulesOf(registry: SchemaRegistry, family: DatabaseFamily, keys?: string) {
  const numbers = ['amount', 'single', 'exact', 'level.at'];
  const settings = { families: [family], defaultPerPage: 100, ...(keys && { cursorKeys: keys }) };
  return {
    reading: defineQueryRules(
      registry,
      'reading',
      {
        fields: 'all',
        includes: ['level'],
        // Readable cursors contain no values of related rows.
        sorts: ['id', ...numbers.slice(0, keys ? 4 : 3)],
        filters: numbers.map((path) => ({ path, operators })),
        pagination: { mode: 'both' },
      } as never,
      settings,
    ) as CompiledQueryRules,
    level: defineQueryRules(
      registry,
      'level',
      {
        fields: 'all',
        includes: ['readings'],
        sorts: ['at'],
        filters: [{ path: 'at', operators }],
        pagination: { mode: 'both' },
      } as never,
      settings,
    ) as CompiledQueryRules,
  };
}

describe.each(families)('floats of every size on %s', (family) => {
  let database: ScratchDatabase | undefined;

  beforeAll(async () => {
    const found = await scratchDatabase(family, 'floats');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    const knex = knexOn(found);
    const { double, single, exact } = types[family];
    await knex.raw(`create table levels (at ${double} not null primary key)`);
    await knex.raw(
      `create table readings (id integer primary key, amount ${double} not null, single ${single},
         exact ${exact} not null, level_at ${double})`,
    );
    await knex.batchInsert(
      'levels',
      levels.map((at) => ({ at })),
    );
    await knex.batchInsert('readings', rows);
    await knex.destroy();
  });
  afterAll(() => database?.drop());

  // In CI each adapter on one family.
  const chosen = adapters.filter(
    (_, at) => !isSharedOut || families[(seed + at) % families.length] === family,
  );
  describe.each(chosen)('with %s', (name, make, listsByFloat) => {
    let made: Made | undefined;
    let rules: ReturnType<typeof rulesOf>;

    beforeAll(async () => {
      if (!database) return;
      made = await make(family, database);
      rules = rulesOf(made.registry, family);
    });
    afterAll(() => made?.close());

    const read = async (request: string) => {
      const { data } = await runQuery(
        made?.source('reading') as QuerySource,
        request,
        rules.reading,
      );
      return data;
    };

    it.each(['amount', '-amount', 'single', '-single', 'exact', 'level.at', '-level.at,amount'])(
      'pages by %s end',
      async (sort) => {
        if (!made) return;
        const source = made.source('reading');
        const sealed = rulesOf(made.registry, family, cursorKeys);
        const { data } = await runQuery(source, `sort=${sort},id`, sealed.reading);
        const expected = data.map(({ id }) => Number(id));
        expect(expected).toHaveLength(rows.length);
        for (const { reading } of sort.includes('level') ? [sealed] : [rules, sealed]) {
          const walk = new Walk(source, reading, `sort=${sort},id&perPage=1`);
          const { keys, back } = await walk.forwards();
          expect(keys).toEqual(expected);
          expect(await walk.backwards(back)).toEqual(expected.slice(0, -1));
        }
      },
    );

    it('shown values find their rows', async () => {
      if (!made) return;
      const all = await read('sort=id&includes=level');
      expect(all.map((row) => row['amount'])).toEqual(amounts.map((amount) => amount || 0));
      // As text, which these read, MySQL writes six digits of a float.
      const isCut = family === 'mysql' && /^typeorm hydrate$|queries of prisma 6$/.test(name);
      for (const path of ['amount', ...(isCut ? [] : ['single']), 'exact']) {
        for (const row of all) {
          const value = row[path];
          if (value === null) continue;
          const { id } = row;
          for (const operator of ['eq', 'lte', 'gte', 'in']) {
            const found = await read(`filter[${path}][${operator}]=${asked(value)}`);
            expect(
              found.map((each) => each['id']),
              `${path} ${operator} ${String(value)}`,
            ).toContain(id);
          }
          for (const operator of ['ne', 'lt', 'gt', 'notIn']) {
            const found = await read(`filter[${path}][${operator}]=${asked(value)}`);
            expect(
              found.map((each) => each['id']),
              `${path} ${operator} ${String(value)}`,
            ).not.toContain(id);
          }
          const both = await read(`filter[${path}][between]=${asked(value)},${asked(value)}`);
          expect(both.map((each) => each['id'])).toContain(id);
        }
      }
      const list = amounts.map(asked).join();
      expect(await read(`filter[amount][in]=${list}`)).toHaveLength(rows.length);
      expect(await read(`filter[amount][notIn]=${list}`)).toEqual([]);
    });

    it('related rows are found by floats', async () => {
      if (!made) return;
      const all = await read('sort=id&includes=level');
      for (const row of all) {
        const { levelAt, level } = row as { levelAt: number | null; level: unknown };
        expect(level).toEqual(levelAt === null ? null : levelAt === 0 ? null : { at: levelAt });
        if (!levelAt) continue;
        const found = await read(`filter[level.at]=${asked(levelAt)}`);
        expect(found.map(({ id }) => id)).toContain(row['id']);
      }
      if (!listsByFloat) return;
      const { data } = await runQuery(
        made.source('level'),
        'includes=readings&perPage=100',
        rules.level,
      );
      const counts = data.map((row) => (row as { readings: object[] }).readings.length);
      const linked = rows.filter(({ level_at: at }) => at !== null && at !== 0);
      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(linked.length);
    });

    it('rows are found by keys that are floats', async () => {
      if (!made) return;
      const source = made.source('level');
      if (!listsByFloat) {
        const found = runQuery(source, 'filter[at][gt]=0', rules.level);
        await expect(found).rejects.toMatchObject({ code: 'SOURCE_CONFIGURATION_INVALID' });
        return;
      }
      for (const at of levels) {
        expect(await runOne(source, String(at), '', rules.level)).toEqual({ at });
      }
      const sorted = levels.toSorted((a, b) => a - b);
      const seen: number[] = [];
      let cursor: string | null = '';
      while (cursor !== null && seen.length <= sorted.length) {
        const request = `sort=at&perPage=3&cursor=${cursor}`;
        const page: KeysetResult = (await runQuery(source, request, rules.level)) as KeysetResult;
        seen.push(...page.data.map(({ at }) => Number(at)));
        cursor = page.nextCursor;
      }
      expect(seen).toEqual(sorted);
    });
  });
});
