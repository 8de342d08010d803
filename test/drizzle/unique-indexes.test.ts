/** Relations to a column of which a unique index holds only a part: several rows are found, of which the first is shown. */

import Sqlite from 'better-sqlite3';
import { relations, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/better-sqlite3';
import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { defineQueryRules, runQuery } from '../../src/index.ts';

it.each([
  ['an expression beside the column', 'lower(name), code'],
  ['a condition', `code) where (name <> 'a'`],
])('with %s', async (_, indexed) => {
  const badge = sqliteTable(
    'badges',
    {
      id: integer('id').primaryKey(),
      code: integer('code').notNull(),
      name: text('name').notNull(),
    },
    (table) => [
      indexed.includes('where')
        ? uniqueIndex('codes')
            .on(table.code)
            .where(sql`${table.name} <> 'a'`)
        : uniqueIndex('codes').on(sql`lower(${table.name})`, table.code),
    ],
  );
  const guest = sqliteTable('guests', {
    id: integer('id').primaryKey(),
    code: integer('code').notNull(),
  });
  const tables = {
    badge,
    guest,
    ofGuest: relations(guest, ({ one }) => ({
      badge: one(badge, { fields: [guest.code], references: [badge.code] }),
    })),
  };
  const client = new Sqlite(':memory:');
  client.exec(
    `create table badges (id integer primary key, code int not null, name text not null);
     create unique index codes on badges (${indexed});
     create table guests (id integer primary key, code int not null);
     insert into badges values (10, 7, 'a'), (11, 7, 'b');
     insert into guests values (1, 7)`,
  );
  const registry = drizzleRegistry(tables);
  const rules = defineQueryRules(registry, 'guest', {
    fields: {
      root: { allowed: ['id'], default: ['id'] },
      relations: { badge: { allowed: ['id'], default: ['id'] } },
    },
    includes: ['badge'],
  });
  const source = drizzleSource({ db: drizzle(client), registry, tables, model: 'guest' });
  expect(await runQuery(source, 'includes=badge', rules)).toMatchObject({
    data: [{ id: 1, badge: { id: 10 } }],
    total: 1,
  });
  client.close();
});
