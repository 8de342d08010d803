/** An existing database as the tools of each ORM see it, with nothing changed that they wrote. */

import 'reflect-metadata';
import Sqlite from 'better-sqlite3';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle } from 'drizzle-orm/node-postgres';
import { createPool } from 'mysql2/promise';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import { type IntrospectOptions, introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type EntityClass,
  typeormRegistry,
  typeormSource,
} from '../../src/adapters/typeorm/index.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import type { ScratchDatabase } from '../services/index.ts';
import type { Listing } from './listing.ts';
import { drizzlePull, prismaPull } from './pull.ts';

/** A registry and its sources, until they are closed. */
export type Opened = Listing & { close(): Promise<unknown> };

/** Opens a database with one tool. */
export type Opening = (database: ScratchDatabase) => Promise<Opened>;

/** The tables that `drizzle-kit pull` writes, on PostgreSQL or MySQL. */
export const byDrizzleKit =
  (name: string, overrides: object = {}): Opening =>
  async ({ family, url }) => {
    const pulled = await drizzlePull(name, family, url);
    const registry = drizzleRegistry(pulled as never, [], overrides as never);
    const pool =
      family === 'mysql'
        ? createPool({ uri: url, connectionLimit: 2 })
        : new pg.Pool({ connectionString: url, max: 2 });
    const db = family === 'mysql' ? drizzleMysql(pool as never) : drizzle(pool as pg.Pool);
    return {
      registry,
      source: (model) => drizzleSource({ db, registry, tables: pulled, model } as never) as never,
      close: () => pool.end(),
    };
  };

function connected({ family, url }: ScratchDatabase) {
  if (family === 'sqlite') {
    const connection = new Sqlite(url);
    return { connection, close: async () => connection.close() };
  }
  const connection =
    family === 'mysql'
      ? createPool({ uri: url, connectionLimit: 2 })
      : new pg.Pool({ connectionString: url, max: 2 });
  return { connection, close: async () => connection.end() };
}

/** The tables of the catalogue. */
export const byCatalogueWith =
  (options: IntrospectOptions): Opening =>
  async (database) => {
    const { connection, close } = connected(database);
    const registry = await introspect(connection as never, options);
    const { tables } = registry;
    return {
      registry: registry as never,
      source: (model) => sqlSource({ connection, registry, tables, model } as never) as never,
      close,
    };
  };
export const byCatalogue = byCatalogueWith({});

/** Entities, on PostgreSQL or MySQL. */
export const byTypeorm =
  (entities: { readonly [model: string]: EntityClass }): Opening =>
  async ({ family, url }) => {
    const registry = typeormRegistry(entities, { families: [family] });
    const dataSource = await new DataSource({
      ...(family === 'mysql'
        ? { type: 'mysql', timezone: 'Z', connectorPackage: 'mysql2' }
        : { type: 'postgres', extra: { max: 2 } }),
      url,
      entities: Object.values(entities),
    } as never).initialize();
    return {
      registry: registry as never,
      source: (model) =>
        typeormSource(dataSource, entities[model] as never, { registry } as never) as never,
      close: () => dataSource.destroy(),
    };
  };

/** The schema that `prisma db pull` writes, or one that is written as it does. */
export const byPrisma =
  (name: string, written?: string): Opening =>
  async (database) => {
    const models = written ?? (await prismaPull(name, database));
    const generated = await generatePrisma({ family: database.family, models });
    const client = await clientOn(generated, database, 7);
    const { registry } = generated;
    const source = (model: string) => prismaSource({ client, registry, model } as never) as never;
    const violations = await Promise.all(
      [...registry.keys()].map((model) => checkProfile(source(model))),
    );
    const unfound = violations
      .flat()
      .flatMap(({ rule, where }) => (rule === 'datetime-form' ? [where] : []));
    return { registry, unfound: new Set(unfound), source, close: () => client.$disconnect() };
  };

/** A name of a column or table as scripts of PostgreSQL write it. */
export const snake = (name: string): string =>
  name.replaceAll(/(?<=[a-z0-9])[A-Z]/g, (at) => `_${at.toLowerCase()}`);

/** A request in the names of Prisma, which are those of the columns; operators keep theirs. */
export const inColumnNames = (request: string): string =>
  request.replaceAll(/\b[a-z][a-z0-9]*[A-Z][a-zA-Z0-9]*\b/g, (name) =>
    /^(isNull|perPage|notIn|notLike|notIlike|(?:notS|is|s)tartsWith|endsWith)$/.test(name)
      ? name
      : snake(name),
  );
