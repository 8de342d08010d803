/** Hosts whose `mysql2` gives rows by table (`nestTables`): catalogues and lists are read as without the setting. */

import { drizzle } from 'drizzle-orm/mysql2';
import { int, mysqlTable, varchar } from 'drizzle-orm/mysql-core';
import createKnex from 'knex';
import mysqlCallbacks from 'mysql2';
import mysql from 'mysql2/promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import {
  type SqlConnection,
  checkProfile,
  introspect,
  sqlSource,
} from '../../src/adapters/sql/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';

const tables = {
  cities: mysqlTable('cities', {
    id: int('id').primaryKey(),
    name: varchar('name', { length: 20 }).notNull(),
  }),
};

interface Opened {
  readonly connection: SqlConnection;
  close(): Promise<unknown>;
}

type Nest = true | '_';

const libraries: { readonly [name: string]: (uri: string, nestTables: Nest) => Promise<Opened> } = {
  connection: async (uri, nestTables) => {
    const connection = await mysql.createConnection({ uri, nestTables });
    return { connection, close: () => connection.end() };
  },
  'callback pool': async (uri, nestTables) => {
    const pool = mysqlCallbacks.createPool({ uri, nestTables });
    return { connection: pool, close: () => pool.promise().end() };
  },
  Knex: async (uri, nestTables) => {
    // Knex does not find the version in rows of this form.
    const knex = createKnex({
      client: 'mysql2',
      version: '8.0.0',
      connection: { uri, nestTables },
    });
    return { connection: knex, close: () => knex.destroy() };
  },
};

describe.each([true, '_'] as const)('nestTables: %j', (nestTables) => {
  let database: ScratchDatabase | undefined;

  beforeAll(async () => {
    const found = await scratchDatabase('mysql', 'nested_tables');
    if ('missing' in found) {
      if (everyServiceRequired()) throw new Error(found.advice);
      return;
    }
    database = found;
    const connection = await mysql.createConnection(found.url);
    await connection.query(
      `create table cities (id int primary key, name varchar(20) collate utf8mb4_nopad_bin not null)`,
    );
    await connection.query(`insert into cities values (1, 'Lima'), (2, 'Cusco')`);
    await connection.end();
  });
  afterAll(() => database?.drop());

  const rows = [
    { id: 1, name: 'Lima' },
    { id: 2, name: 'Cusco' },
  ];

  it.each(Object.entries(libraries))('changes nothing on a %s', async (_name, open) => {
    if (!database) return;
    const { connection, close } = await open(database.url, nestTables);
    try {
      const registry = await introspect(connection);
      const source = sqlSource({ connection, registry, tables: registry.tables, model: 'cities' });
      const rules = defineQueryRules(registry, 'cities', { fields: 'all' });
      expect(await checkProfile(source)).toEqual([]);
      const page = await runQuery(source, '', rules);
      expect(page).toMatchObject({ data: rows, total: 2 });
      const limited = await runQuery(source, '', rules, { timeoutMs: 5000 });
      expect(limited).toMatchObject({ data: rows, total: 2 });
    } finally {
      await close();
    }
  });

  it('changes nothing under Drizzle', async () => {
    if (!database) return;
    const pool = mysql.createPool({ uri: database.url, nestTables });
    try {
      const registry = drizzleRegistry(tables);
      const source = drizzleSource({ db: drizzle(pool), registry, tables, model: 'cities' });
      const rules = defineQueryRules(registry, 'cities', { fields: 'all' });
      const page = await runQuery(source, '', rules);
      expect(page).toMatchObject({ data: rows, total: 2 });
      const limited = await runQuery(source, '', rules, { timeoutMs: 5000 });
      expect(limited).toMatchObject({ data: rows, total: 2 });
    } finally {
      await pool.end();
    }
  });
});
