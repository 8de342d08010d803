/** Included rows are matched to their parents by large integers, microseconds and bytes, also if no field has the column. */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import * as my from 'drizzle-orm/mysql-core';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import * as pc from 'drizzle-orm/pg-core';
import * as sl from 'drizzle-orm/sqlite-core';
import mysql from 'mysql2/promise';
import pg from 'pg';
import { describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import type { DatabaseFamily } from '../../src/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import type { SchemaRegistry } from '../../src/schema/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

const bytea = pc.customType<{ data: Buffer }>({ dataType: () => 'bytea' });

/** Column types by family, and two values per kind that differ only if they are read exactly. */
const postgresql = {
  bigint: ['bigint', () => pc.bigint({ mode: 'bigint' }).notNull()],
  datetime: ['timestamptz', () => pc.timestamp({ withTimezone: true }).notNull()],
  binary: ['bytea', () => bytea().notNull()],
} as const;
const mariadb = {
  bigint: ['bigint', () => my.bigint({ mode: 'bigint' }).notNull()],
  datetime: ['datetime(6)', () => my.datetime({ fsp: 6 }).notNull()],
  binary: ['binary(2)', () => my.binary({ length: 2 }).notNull()],
} as const;
const sqlite = {
  bigint: ['integer', () => sl.integer().notNull()],
  datetime: ['text', () => sl.text().notNull()],
  binary: ['blob', () => sl.blob({ mode: 'buffer' }).notNull()],
} as const;

type Kind = keyof typeof sqlite;

const literals = (kind: Kind, family: DatabaseFamily): readonly string[] => {
  if (kind === 'bigint') return ['9007199254740992', '9007199254740993'];
  if (kind === 'datetime') return ["'2024-01-01 00:00:00.000001'", "'2024-01-01 00:00:00.000002'"];
  return family === 'postgresql' ? ["'\\x8080'", "'\\x8181'"] : ["x'8080'", "x'8181'"];
};

interface Opened {
  readonly registry: SchemaRegistry;
  readonly source: Parameters<typeof runQuery>[0];
  close(): Promise<unknown>;
}

/** Parents and children in a database; `hidden` omits the join columns from the registry. */
async function opened(family: DatabaseFamily, url: string, kind: Kind, hidden: boolean) {
  const values = literals(kind, family);
  const setUp = (type: string): string[] => [
    `create table parents (id int primary key, k ${type} not null)`,
    `create table children (id int primary key, k ${type} not null)`,
    ...values.flatMap((value, id) => [
      `insert into parents values (${id}, ${value})`,
      `insert into children values (${id + 10}, ${value})`,
    ]),
  ];
  const key = hidden ? false : ({ kind } as const);
  const overrides = { parent: { k: key }, child: { k: key } };
  if (family === 'postgresql') {
    const [type, column] = postgresql[kind];
    const parent = pc.pgTable('parents', { id: pc.integer().primaryKey(), k: column() });
    const child = pc.pgTable('children', { id: pc.integer().primaryKey(), k: column() });
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    for (const statement of setUp(type)) await pool.query(statement);
    return onTables(drizzlePostgresql(pool), { parent, child }, overrides, () => pool.end());
  }
  if (family === 'mysql') {
    const [type, column] = mariadb[kind];
    const parent = my.mysqlTable('parents', { id: my.int().primaryKey(), k: column() });
    const child = my.mysqlTable('children', { id: my.int().primaryKey(), k: column() });
    const pool = mysql.createPool({ uri: url, connectionLimit: 2 });
    for (const statement of setUp(type)) await pool.query(statement);
    return onTables(drizzleMysql(pool), { parent, child }, overrides, () => pool.end());
  }
  const [type, column] = sqlite[kind];
  const parent = sl.sqliteTable('parents', { id: sl.integer().primaryKey(), k: column() });
  const child = sl.sqliteTable('children', { id: sl.integer().primaryKey(), k: column() });
  const file = new Sqlite(url);
  for (const statement of setUp(type)) file.exec(statement);
  const close = async () => file.close();
  return onTables(drizzleSqlite(file), { parent, child }, overrides, close);
}

type Joined = Parameters<typeof relations>[0] & { readonly k: never };

function onTables(
  db: object,
  tables: { readonly parent: object; readonly child: object },
  overrides: object,
  close: () => Promise<unknown>,
): Opened {
  const { parent, child } = tables as { readonly parent: Joined; readonly child: Joined };
  const links = [
    relations(parent, ({ many }) => ({ children: many(child) })),
    relations(child, ({ one }) => ({
      parent: one(parent, { fields: [child.k], references: [parent.k] }),
    })),
  ];
  const registry: SchemaRegistry = drizzleRegistry({ parent, child }, links, overrides);
  const source = drizzleSource({ db, registry, tables: { parent, child }, model: 'parent' });
  return { registry, source: source as unknown as Opened['source'], close };
}

const cells = (['postgresql', 'mysql', 'sqlite'] as const).flatMap((family) =>
  (['bigint', 'datetime', 'binary'] as const).flatMap((kind) =>
    [false, true].map((hidden) => ({ family, kind, hidden })),
  ),
);

describe('children joined by a key', () => {
  it.for(cells)('of kind $kind on $family, hidden $hidden', async (cell, context) => {
    const { family, kind, hidden } = cell;
    const database = await scratchDatabase(family, 'joined_keys');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    try {
      const { registry, source, close } = await opened(family, database.url, kind, hidden);
      const rules = defineQueryRules(registry, 'parent', {
        fields: {
          root: { allowed: ['id'], default: ['id'] },
          relations: { children: { allowed: ['id'], default: ['id'] } },
        },
        includes: ['children'],
      });
      const { data } = await runQuery(source, 'includes=children', rules).finally(close);
      expect(data).toEqual([
        { id: 0, children: [{ id: 10 }] },
        { id: 1, children: [{ id: 11 }] },
      ]);
    } finally {
      await database.drop();
    }
  });
});
