/** Columns of `customType` have the kind of their SQL type: they are shown, filtered, sorted and walked like others. */

import Sqlite from 'better-sqlite3';
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
import {
  type DatabaseFamily,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { everyServiceRequired, scratchDatabase } from '../services/index.ts';

/** The SQL type of each custom column, and its kind. */
const types = {
  postgresql: { code: 'varchar(48)', size: 'bigint', at: 'timestamp(3)' },
  mysql: { code: 'varchar(48)', size: 'bigint', at: 'datetime(3)' },
  sqlite: { code: 'varchar(48)', size: 'bigint' },
} as const;
const kinds = { code: 'string', size: 'bigint', at: 'datetime' } as const;

interface Opened {
  readonly registry: SchemaRegistry;
  readonly source: Parameters<typeof runQuery>[0];
  close(): unknown;
}

const setUp = (columns: Readonly<Record<string, string>>): string[] => {
  const values = (id: number) =>
    Object.keys(columns).map((name) =>
      name === 'at'
        ? `'2026-01-0${id} 00:00:00'`
        : name === 'size'
          ? `900719925474099${id}`
          : `'c${id}'`,
    );
  const declared = Object.entries(columns).map(([name, type]) => `${name} ${type} not null`);
  return [
    `create table items (id int primary key not null, ${declared.join(', ')})`,
    ...[3, 1, 2].map((id) => `insert into items values (${id}, ${values(id).join(', ')})`),
  ];
};

async function opened(family: DatabaseFamily, url: string): Promise<Opened> {
  if (family === 'postgresql') {
    const custom = (type: string) =>
      pc
        .customType<{ data: string }>({ dataType: () => type })()
        .notNull();
    const { code, size, at } = types.postgresql;
    const columns = {
      id: pc.integer().primaryKey(),
      code: custom(code),
      size: custom(size),
      at: custom(at),
    };
    const tables = { item: pc.pgTable('items', columns) };
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    for (const statement of setUp(types.postgresql)) await pool.query(statement);
    const registry = drizzleRegistry(tables);
    const db = drizzlePostgresql(pool);
    return {
      registry,
      source: drizzleSource({ db, registry, tables, model: 'item' }),
      close: () => pool.end(),
    };
  }
  if (family === 'mysql') {
    const custom = (type: string) =>
      my
        .customType<{ data: string }>({ dataType: () => type })()
        .notNull();
    const { code, size, at } = types.mysql;
    const columns = {
      id: my.int().primaryKey(),
      code: custom(code),
      size: custom(size),
      at: custom(at),
    };
    const tables = { item: my.mysqlTable('items', columns) };
    const pool = mysql.createPool({ uri: url, connectionLimit: 2 });
    for (const statement of setUp(types.mysql)) await pool.query(statement);
    const registry = drizzleRegistry(tables);
    const db = drizzleMysql(pool);
    return {
      registry,
      source: drizzleSource({ db, registry, tables, model: 'item' }),
      close: () => pool.end(),
    };
  }
  const custom = (type: string) =>
    sl
      .customType<{ data: string }>({ dataType: () => type })()
      .notNull();
  const { code, size } = types.sqlite;
  const tables = {
    item: sl.sqliteTable('items', {
      id: sl.integer().primaryKey(),
      code: custom(code),
      size: custom(size),
    }),
  };
  const file = new Sqlite(url);
  for (const statement of setUp(types.sqlite)) file.exec(statement);
  const registry = drizzleRegistry(tables);
  const db = drizzleSqlite(file);
  return {
    registry,
    source: drizzleSource({ db, registry, tables, model: 'item' }),
    close: () => file.close(),
  };
}

describe.each(['postgresql', 'mysql', 'sqlite'] as const)('custom types on %s', (family) => {
  it('have the kind of their SQL type', async (context) => {
    const database = await scratchDatabase(family, 'custom_types');
    if ('missing' in database) {
      if (everyServiceRequired()) throw new Error(database.advice);
      return context.skip();
    }
    const { registry, source, close } = await opened(family, database.url);
    try {
      const names = Object.keys(types[family]) as (keyof typeof kinds)[];
      const fields = registry.get('item')?.fields ?? [];
      for (const name of names) {
        expect(fields.find(({ path }) => path === name)?.kind).toBe(kinds[name]);
      }
      const allowed = ['id', ...names];
      const rules = defineQueryRules(registry, 'item', {
        filters: names.map((path) => ({ path, operators: ['eq', 'gte'] as const })),
        sorts: names,
        fields: { root: { allowed, default: ['id'] } },
        pagination: { mode: 'both' },
      });
      for (const name of names) {
        const all = await runQuery(source, `sort=-${name}&fields=id,${name}`, rules);
        expect(all.data.map((row) => Reflect.get(Object(row), 'id'))).toEqual([3, 2, 1]);
        const [, second] = all.data;
        const value = encodeURIComponent(String(Reflect.get(second ?? {}, name)));
        const found = await runQuery(source, `filter[${name}]=${value}`, rules);
        expect(found.data).toEqual([{ id: 2 }]);
        const from = await runQuery(source, `filter[${name}][gte]=${value}&sort=${name}`, rules);
        expect(from.data).toEqual([{ id: 2 }, { id: 3 }]);
      }
    } finally {
      await close();
      await database.drop();
    }
  });
});
