/** Runs in workerd: lists on D1, of Drizzle and, for the host `sql.local`, without. */

import { drizzle } from 'drizzle-orm/d1';
import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { drizzleRegistry, drizzleSource } from 'sluice/drizzle';
import { d1, sqlRegistry, sqlSource, sqlTables } from 'sluice/sql';
import { listsOn } from './lists.mjs';

const city = sqliteTable('city', { id: integer().primaryKey(), name: text().notNull() });
const tables = { city };
const registry = drizzleRegistry(tables);

const onDrizzle = listsOn(registry, ({ DB }) =>
  drizzleSource({ db: drizzle(DB), registry, tables, model: 'city' }),
);

const columns = { id: 'integer', name: 'text' };
const plain = sqlTables({ city: { table: 'city', primaryKey: 'id', columns } });
const own = sqlRegistry(plain, { families: ['sqlite'] });
const onSql = listsOn(own, ({ DB }) =>
  sqlSource({ connection: d1(DB), registry: own, tables: plain, model: 'city' }),
);

export default {
  fetch: (request, environment) =>
    (new URL(request.url).hostname === 'sql.local' ? onSql : onDrizzle)(request, environment),
};
