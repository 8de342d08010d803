/** Databases of better-sqlite3 whose integers are bigints by default, as `defaultSafeIntegers` of the host makes them. */

import Sqlite from 'better-sqlite3';
import { relations } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable } from 'drizzle-orm/sqlite-core';
import createKnex from 'knex';
import { expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { sqlRegistry, sqlSource, sqlTables } from '../../src/adapters/sql/index.ts';
import {
  type QuerySource,
  type SchemaRegistry,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { scratchDatabase } from '../services/index.ts';

const tables = sqlTables({
  parent: {
    table: 'parents',
    primaryKey: 'id',
    columns: { id: 'integer', extra: { type: 'integer', kind: 'opaque' } },
    relations: { children: { many: 'child', to: 'parentId' } },
  },
  child: {
    table: 'children',
    primaryKey: 'id',
    columns: { id: 'integer', parentId: { type: 'integer', column: 'parent_id' } },
  },
});
const registry = sqlRegistry(tables, { families: ['sqlite'] });

const drizzleTables = {
  parent: sqliteTable('parents', { id: integer().primaryKey(), extra: integer().notNull() }),
  child: sqliteTable('children', {
    id: integer().primaryKey(),
    parentId: integer('parent_id').notNull(),
  }),
};

interface Opened {
  readonly registry: SchemaRegistry;
  readonly source: QuerySource;
  close(): unknown;
}

const opened: { readonly [library: string]: (url: string) => Opened } = {
  'better-sqlite3'(url) {
    const connection = new Sqlite(url);
    connection.defaultSafeIntegers(true);
    const source = sqlSource({ connection, registry, tables, model: 'parent' });
    return { registry, source, close: () => connection.close() };
  },
  Knex(url) {
    const knex = createKnex({
      client: 'better-sqlite3',
      connection: { filename: url },
      useNullAsDefault: true,
      pool: {
        min: 0,
        max: 1,
        afterCreate(database: Sqlite.Database, done: (error: null) => void) {
          database.defaultSafeIntegers(true);
          done(null);
        },
      },
    });
    const source = sqlSource({ connection: knex, registry, tables, model: 'parent' });
    return { registry, source, close: () => knex.destroy() };
  },
  Drizzle(url) {
    const client = new Sqlite(url);
    client.defaultSafeIntegers(true);
    const { parent, child } = drizzleTables;
    const links = [
      relations(parent, ({ many }) => ({ children: many(child) })),
      relations(child, ({ one }) => ({
        parent: one(parent, { fields: [child.parentId], references: [parent.id] }),
      })),
    ];
    const overrides = { parent: { extra: { kind: 'opaque' } } } as const;
    const described = drizzleRegistry(drizzleTables, links, overrides);
    const source = drizzleSource({
      db: drizzle({ client }),
      registry: described,
      tables: drizzleTables,
      model: 'parent',
    });
    return { registry: described, source, close: () => client.close() };
  },
};

it.each(Object.keys(opened))('serve lists with all rows of their includes: %s', async (library) => {
  const database = await scratchDatabase('sqlite', 'safe_integers');
  if ('missing' in database) throw new Error(database.advice);
  const { url, drop } = database;
  const writer = new Sqlite(url);
  writer.exec(`create table parents (id integer primary key, extra integer not null);
    create table children (id integer primary key, parent_id integer not null);
    insert into parents values (1, 7), (2, 8);
    insert into children values (10, 1), (11, 2), (12, 1)`);
  writer.close();
  const { registry: described, source, close } = (opened[library] as (url: string) => Opened)(url);
  try {
    for (const maxChildren of [false, 5] as const) {
      const shown = (...allowed: string[]) => ({ allowed, default: allowed });
      const rules = defineQueryRules(
        described,
        'parent',
        {
          fields: { root: shown('id', 'extra'), relations: { children: shown('id') } },
          includes: ['children'],
        },
        { families: ['sqlite'], maxChildren },
      );
      const { data } = await runQuery(source, 'includes=children', rules);
      // A bigint of a column without a kind is shown as text.
      const extra = (value: number) => (library === 'better-sqlite3' ? value : String(value));
      expect(data).toEqual([
        { id: 1, extra: extra(7), children: [{ id: 10 }, { id: 12 }] },
        { id: 2, extra: extra(8), children: [{ id: 11 }] },
      ]);
    }
  } finally {
    await close();
    await drop();
  }
});
