/** The demo's list endpoints: three models, two databases, one set of rules. */

import { randomUUID } from 'node:crypto';

import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as drizzlePg } from 'drizzle-orm/node-postgres';

import {
  drizzleRegistry,
  drizzleSource,
  withComputedFields,
} from '../src/adapters/drizzle/index.ts';
import type { CompiledQueryRules, QuerySource } from '../src/rules/index.ts';
import { defineQueryRules } from '../src/rules/index.ts';
import type { Databases } from './databases.ts';
import { cityRules, countryRules, languageRules } from './rules.ts';
import * as pgSchema from './schema-pg.ts';
import * as sqliteSchema from './schema-sqlite.ts';
import { statementLogger } from './statements.ts';

/** The names of the databases in addresses. */
export const databaseNames = ['pg', 'sqlite'] as const;
export type DatabaseName = (typeof databaseNames)[number];

/** The names of the lists in addresses. */
export const listNames = ['cities', 'countries', 'languages'] as const;
export type ListName = (typeof listNames)[number];

/** One list over one database. */
export interface Endpoint {
  readonly database: DatabaseName;
  readonly list: ListName;
  readonly path: string;
  readonly source: QuerySource;
  readonly rules: CompiledQueryRules;
}

const pgTables = {
  city: pgSchema.cities,
  country: pgSchema.countries,
  language: pgSchema.languages,
};
const sqliteTables = {
  city: sqliteSchema.cities,
  country: sqliteSchema.countries,
  language: sqliteSchema.languages,
};

/** Facts that the tables do not tell: the kind of a JSON column, and a field that the databases compute. */
const overrides = { country: { currencies: { kind: 'string[]' } } } as const;
const computed = {
  city: {
    degreesFromEquator: { kind: 'decimal', nullable: false, sql: 'abs({latitude})' },
  },
} as const;

const settings = {
  families: ['postgresql', 'sqlite'],
  // Sorts through a relation would show in readable cursors. One process may seal with a secret of its own.
  cursorKeys: process.env['CURSOR_KEY'] ?? randomUUID(),
} as const;

/** All endpoints of the demo. Their rules are compiled here, once. */
export function createEndpoints({ pool, sqlite }: Databases): readonly Endpoint[] {
  const pg = {
    db: drizzlePg(pool, { logger: statementLogger }),
    registry: withComputedFields(drizzleRegistry(pgTables, pgSchema, overrides), computed),
    tables: pgTables,
  };
  const lite = {
    db: drizzleSqlite(sqlite, { logger: statementLogger }),
    registry: withComputedFields(drizzleRegistry(sqliteTables, sqliteSchema, overrides), computed),
    tables: sqliteTables,
  };
  const endpoint = (
    database: DatabaseName,
    list: ListName,
    source: QuerySource,
    rules: CompiledQueryRules,
  ): Endpoint => ({ database, list, path: `/${database}/${list}`, source, rules });
  return [
    endpoint(
      'pg',
      'cities',
      drizzleSource({ ...pg, model: 'city' }),
      defineQueryRules(pg.registry, 'city', cityRules, settings),
    ),
    endpoint(
      'pg',
      'countries',
      drizzleSource({ ...pg, model: 'country' }),
      defineQueryRules(pg.registry, 'country', countryRules, settings),
    ),
    endpoint(
      'pg',
      'languages',
      drizzleSource({ ...pg, model: 'language' }),
      defineQueryRules(pg.registry, 'language', languageRules, settings),
    ),
    endpoint(
      'sqlite',
      'cities',
      drizzleSource({ ...lite, model: 'city' }),
      defineQueryRules(lite.registry, 'city', cityRules, settings),
    ),
    endpoint(
      'sqlite',
      'countries',
      drizzleSource({ ...lite, model: 'country' }),
      defineQueryRules(lite.registry, 'country', countryRules, settings),
    ),
    endpoint(
      'sqlite',
      'languages',
      drizzleSource({ ...lite, model: 'language' }),
      defineQueryRules(lite.registry, 'language', languageRules, settings),
    ),
  ];
}
