/** The cells of the irregular world: every adapter on every family. */

import Sqlite from 'better-sqlite3';
import { drizzle as drizzleSqlite } from 'drizzle-orm/better-sqlite3';
import { drizzle as drizzleMysql } from 'drizzle-orm/mysql2';
import { drizzle as drizzlePostgresql } from 'drizzle-orm/node-postgres';
import mysql2 from 'mysql2/promise';
import pg from 'pg';
import {
  checkProfile,
  drizzleRegistry,
  drizzleSource,
} from '../../../src/adapters/drizzle/index.ts';
import { type PrismaClientLike, prismaSource } from '../../../src/adapters/prisma/index.ts';
import { type SqlConnection, sqlRegistry, sqlSource } from '../../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../../src/adapters/typeorm/index.ts';
import type { DatabaseFamily, QuerySource } from '../../../src/index.ts';
import type { SchemaRegistry } from '../../../src/schema/index.ts';
import { everyServiceRequired, scratchDatabase } from '../../services/index.ts';
import type { ScratchDatabase } from '../../services/index.ts';
import type { SqliteInstant } from '../fixtures/column-types.ts';
import { loadFixtures } from '../fixtures/load.ts';
import type { World } from '../fixtures/dataset.ts';
import { clientOn } from '../fixtures/prisma/clients.ts';
import { generatePrisma } from '../fixtures/prisma/generate.ts';
import { prismaModels } from '../fixtures/prisma/schema.ts';
import { sqlTablesOf } from '../fixtures/tables-sql.ts';
import { shownSource } from '../shown-entities.ts';
import { drizzleIrregular } from './drizzle-tables.ts';
import { irregularModels, rewrittenWorld } from './world.ts';

/** An open cell. */
export interface IrregularCell {
  readonly registry: SchemaRegistry;
  readonly database: ScratchDatabase;
  source(model: string): QuerySource;
  violations(): Promise<readonly unknown[]>;
  close(): Promise<void>;
}

/** One adapter. `open` connects to a database that contains the world. */
interface IrregularAdapter {
  readonly name: string;
  readonly instant: SqliteInstant;
  /** Whether the ORM stores weights as texts. */
  readonly rewrites: boolean;
  readonly open: (
    family: DatabaseFamily,
    database: ScratchDatabase,
  ) => Promise<
    Pick<IrregularCell, 'registry' | 'source' | 'violations'> & { end(): Promise<unknown> }
  >;
}

function connectionTo(family: DatabaseFamily, url: string) {
  switch (family) {
    case 'postgresql': {
      const pool = new pg.Pool({ connectionString: url, max: 4 });
      return { connection: pool, db: drizzlePostgresql(pool), end: () => pool.end() };
    }
    case 'mysql': {
      const pool = mysql2.createPool({ uri: url, connectionLimit: 4 });
      return { connection: pool, db: drizzleMysql(pool), end: () => pool.end() };
    }
    case 'sqlite': {
      const client = new Sqlite(url);
      return { connection: client, db: drizzleSqlite(client), end: async () => client.close() };
    }
  }
}

type DrizzleOptions = Parameters<typeof drizzleSource>[0];
type ProfiledSource = Parameters<typeof checkProfile>[0];

/** A cell of sources that check their profile. */
const cellOf = (
  registry: SchemaRegistry,
  source: (model: string) => QuerySource,
  end: () => Promise<unknown>,
) => ({
  registry,
  source,
  violations: () => checkProfile(source('parcel') as unknown as ProfiledSource),
  end,
});

const typeorm =
  (hydrate: boolean): IrregularAdapter['open'] =>
  async (family, { url }) => {
    const { DataSource } = await import('typeorm');
    const { irregularEntities } = await import('./entities.ts');
    const entities = irregularEntities(family);
    const types = { postgresql: 'postgres', mysql: 'mariadb', sqlite: 'better-sqlite3' } as const;
    const place = family === 'sqlite' ? { database: url } : { url };
    const dataSource = await new DataSource({
      type: types[family],
      ...place,
      ...(family === 'mysql' && { dateStrings: ['DATE'] }),
      entities: Object.values(entities),
    } as ConstructorParameters<typeof DataSource>[0]).initialize();
    const registry = typeormRegistry(Object.values(entities));
    const source = (model: string): QuerySource => {
      const entity = entities[model as keyof typeof entities];
      const made = typeormSource(dataSource.getRepository<object>(entity), { registry, hydrate });
      return hydrate ? shownSource(made as QuerySource<object>) : (made as QuerySource);
    };
    return cellOf(registry, source, () => dataSource.destroy());
  };

interface Hook {
  readonly args: object;
  readonly query: (args: object) => Promise<unknown>;
}

const prisma =
  (isExtended: boolean): IrregularAdapter['open'] =>
  async (family, database) => {
    const models = prismaModels(family, irregularModels(family));
    const generated = await generatePrisma({ family, models });
    const plain = await clientOn(generated, database, 7);
    const pass = ({ args, query }: Hook) => query(args);
    const client = isExtended ? plain.$extends({ query: { $allOperations: pass } }) : plain;
    const { registry } = generated;
    const source = (model: string) =>
      prismaSource({
        client: client as PrismaClientLike & object,
        registry,
        model,
        bypassQueryExtensions: isExtended,
      } as never) as QuerySource;
    return cellOf(registry, source, () => plain.$disconnect());
  };

/** Every adapter. */
export const irregularAdapters: readonly IrregularAdapter[] = [
  {
    name: 'drizzle',
    instant: 'epoch-milliseconds',
    rewrites: false,
    open: async (family, { url }) => {
      const { db, end } = connectionTo(family, url);
      const { tables, links, overrides } = drizzleIrregular[family]();
      const registry = drizzleRegistry(tables, links, overrides) as SchemaRegistry;
      const source = (model: string) =>
        drizzleSource({ db, registry, tables, model } as unknown as DrizzleOptions) as QuerySource;
      return cellOf(registry, source, end);
    },
  },
  { name: 'typeorm', instant: 'blank-text', rewrites: true, open: typeorm(false) },
  { name: 'typeorm hydrate', instant: 'blank-text', rewrites: true, open: typeorm(true) },
  { name: 'prisma', instant: 'offset-text', rewrites: false, open: prisma(false) },
  // Its own queries take the place of SQL where a client is extended.
  { name: 'prisma, extended', instant: 'offset-text', rewrites: false, open: prisma(true) },
  {
    name: 'sql',
    instant: 'epoch-milliseconds',
    rewrites: false,
    open: async (family, { url }) => {
      const { connection, end } = connectionTo(family, url);
      const tables = sqlTablesOf(family, irregularModels(family));
      const registry = sqlRegistry(tables) as SchemaRegistry;
      const source = (model: string) =>
        sqlSource({
          connection: connection as SqlConnection,
          registry,
          tables,
          model,
        }) as QuerySource;
      return cellOf(registry, source, end);
    },
  },
];

/** Opens a cell on a scratch database with the rows of a world; `null` without a server. */
export async function openIrregular(
  { name, instant, rewrites, open }: IrregularAdapter,
  family: DatabaseFamily,
  world: World,
): Promise<IrregularCell | null> {
  const database = await scratchDatabase(family, `irregular_${name.replaceAll(/\W/g, '')}`);
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return null;
  }
  const stored = rewrites ? rewrittenWorld(world) : world;
  await loadFixtures(database, instant, stored, irregularModels(family, rewrites));
  const { end, ...cell } = await open(family, database);
  return {
    ...cell,
    database,
    close: async () => {
      await end();
      await database.drop();
    },
  };
}
