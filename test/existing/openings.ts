/** An existing database as the tools of each ORM see it, with nothing changed that they wrote. */

import 'reflect-metadata';
import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
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

/** The tables that `drizzle-kit pull` writes, on PostgreSQL. */
export const byDrizzleKit =
  (name: string, overrides: object = {}): Opening =>
  async ({ url }) => {
    const pulled = await drizzlePull(name, 'postgresql', url);
    const registry = drizzleRegistry(pulled as never, [], overrides as never);
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const db = drizzle(pool);
    return {
      registry,
      source: (model) => drizzleSource({ db, registry, tables: pulled, model } as never) as never,
      close: () => pool.end(),
    };
  };

/** The tables of the catalogue. */
export const byCatalogue: Opening = async ({ family, url }) => {
  const pool = family === 'sqlite' ? undefined : new pg.Pool({ connectionString: url, max: 2 });
  const file = pool ? undefined : new Sqlite(url);
  const connection = pool ?? file;
  const registry = await introspect(connection as never);
  const { tables } = registry as unknown as { readonly tables: object };
  return {
    registry: registry as never,
    source: (model) => sqlSource({ connection, registry, tables, model } as never) as never,
    close: async () => (pool ? pool.end() : file?.close()),
  };
};

/** Entities, on PostgreSQL. */
export const byTypeorm =
  (entities: { readonly [model: string]: EntityClass }): Opening =>
  async ({ url }) => {
    const registry = typeormRegistry(entities, { families: ['postgresql'] });
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      entities: Object.values(entities),
      extra: { max: 2 },
    } as never).initialize();
    return {
      registry: registry as never,
      source: (model) =>
        typeormSource(dataSource, entities[model] as never, { registry } as never) as never,
      close: () => dataSource.destroy(),
    };
  };

/** The schema that `prisma db pull` writes. */
export const byPrisma =
  (name: string): Opening =>
  async (database) => {
    const models = await prismaPull(name, database);
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
    /^(isNull|perPage|notIn|notLike|notIlike)$/.test(name) ? name : snake(name),
  );
