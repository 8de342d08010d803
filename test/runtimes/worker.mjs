/** Runs in workerd: lists of Drizzle on D1. */

import { drizzle } from 'drizzle-orm/d1';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { drizzleRegistry, drizzleSource } from 'sluice/drizzle';
import { listsOn } from './lists.mjs';

const city = sqliteTable('city', { id: integer().primaryKey(), name: text().notNull() });
const tables = { city };
const registry = drizzleRegistry(tables);

export default {
  fetch: listsOn(registry, ({ DB }) =>
    drizzleSource({ db: drizzle(DB), registry, tables, model: 'city' }),
  ),
};
