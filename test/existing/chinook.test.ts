/**
 * Chinook as the tools of each ORM see it: pulled by `drizzle-kit` and `prisma`, read from the catalogue, and as TypeORM
 * entities. Nothing that the tools wrote is changed, and no override is needed.
 */

import 'reflect-metadata';
import Sqlite from 'better-sqlite3';
import { drizzle } from 'drizzle-orm/node-postgres';
import pg from 'pg';
import { DataSource } from 'typeorm';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { checkProfile, prismaSource } from '../../src/adapters/prisma/index.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import { typeormRegistry, typeormSource } from '../../src/adapters/typeorm/index.ts';
import { clientOn } from '../matrix/fixtures/prisma/clients.ts';
import { generatePrisma } from '../matrix/fixtures/prisma/generate.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { entities } from './chinook-entities.ts';
import { chinook } from './chinook.ts';
import { type Listing, checkEveryField, list } from './listing.ts';
import { drizzlePull, prismaPull } from './pull.ts';

/** Closes what a tool has opened. */
type Opened = Listing & { close(): Promise<unknown> };

const closed = async () => undefined;

/** Each tool on the database of its family. */
const tools = {
  'drizzle-kit pull': async ({ url }: ScratchDatabase): Promise<Opened> => {
    const pulled = await drizzlePull('chinook', 'postgresql', url);
    const registry = drizzleRegistry(pulled as never);
    const pool = new pg.Pool({ connectionString: url, max: 2 });
    const db = drizzle(pool);
    return {
      registry,
      source: (model) => drizzleSource({ db, registry, tables: pulled, model } as never) as never,
      close: () => pool.end(),
    };
  },
  introspect: async ({ url }: ScratchDatabase): Promise<Opened> => {
    const connection = new pg.Pool({ connectionString: url, max: 2 });
    const registry = await introspect(connection);
    const { tables } = registry;
    return {
      registry,
      source: (model) => sqlSource({ connection, registry, tables, model } as never) as never,
      close: () => connection.end(),
    };
  },
  'TypeORM entities': async ({ url }: ScratchDatabase): Promise<Opened> => {
    const registry = typeormRegistry(entities, { families: ['postgresql'] });
    const dataSource = await new DataSource({
      type: 'postgres',
      url,
      entities: Object.values(entities),
      extra: { max: 2 },
    } as never).initialize();
    return {
      registry,
      source: (model) =>
        typeormSource(dataSource, entities[model as keyof typeof entities], {
          registry,
        } as never) as never,
      close: () => dataSource.destroy(),
    };
  },
} as const;

const sqliteTools = {
  'prisma db pull': async (database: ScratchDatabase): Promise<Opened> => {
    const models = await prismaPull('chinook', database.url);
    const generated = await generatePrisma({ family: 'sqlite', models });
    const client = await clientOn(generated, database, 7);
    const { registry } = generated;
    const source = (model: string) => prismaSource({ client, registry, model } as never) as never;
    const violations = await Promise.all(
      ['employee', 'invoice'].map((model) => checkProfile(source(model))),
    );
    const unfound = violations
      .flat()
      .flatMap(({ rule, where }) => (rule === 'datetime-form' ? [where] : []));
    return {
      registry,
      unfound: new Set(unfound),
      source,
      close: () => client.$disconnect(),
    };
  },
  introspect: async ({ url }: ScratchDatabase): Promise<Opened> => {
    const connection = new Sqlite(url);
    const registry = await introspect(connection as never);
    const { tables } = registry as unknown as { readonly tables: object };
    return {
      registry: registry as never,
      source: (model) => sqlSource({ connection, registry, tables, model } as never) as never,
      close: async () => connection.close(),
    };
  },
} as const;

type Query = (text: string) => Promise<readonly object[]>;

/** The database of a family, and SQL by hand on it. */
async function opened(
  family: 'postgresql' | 'sqlite',
): Promise<[ScratchDatabase, Query, () => Promise<unknown>] | null> {
  const database = await scratchDatabase(family, 'chinook');
  if ('missing' in database) {
    if (everyServiceRequired()) throw new Error(database.advice);
    return null;
  }
  if (family === 'sqlite') {
    const db = new Sqlite(database.url);
    db.exec(chinook('sqlite'));
    return [database, async (text) => db.prepare(text).all() as object[], async () => db.close()];
  }
  const pool = new pg.Pool({ connectionString: database.url, max: 1 });
  await pool.query(chinook('postgresql'));
  return [database, async (text) => (await pool.query(text)).rows as object[], () => pool.end()];
}

const snake = (name: string): string => name.replaceAll(/[A-Z]/g, (at) => `_${at.toLowerCase()}`);

describe.each([
  ['postgresql', tools],
  ['sqlite', sqliteTools],
] as const)('Chinook on %s', (family, all) => {
  let database: ScratchDatabase | null = null;
  let byHand: Query = async () => [];
  let end: () => Promise<unknown> = closed;
  beforeAll(async () => {
    const made = await opened(family);
    if (made) [database, byHand, end] = made;
  }, 60_000);
  afterAll(async () => {
    await end();
    await database?.drop();
  });

  describe.each(Object.entries(all))('by %s', (tool, open) => {
    let listing: Opened | null = null;
    beforeAll(async () => {
      if (database) listing = await open(database);
    }, 60_000);
    afterAll(() => listing?.close());

    /** A request in the names of the tool: Prisma keeps those of the columns. */
    const named = (request: string): string =>
      tool === 'prisma db pull'
        ? request.replaceAll(/(?<=[[=,.-])[a-z]\w*(?=[\],.=&]|$)/g, (name) =>
            /^(eq|gt|gte|lt|lte|in|ilike|like|isNull|between|true|false)$/.test(name)
              ? name
              : name[0]?.toUpperCase() + name.slice(1),
          )
        : request;
    const values = async (model: string, request: string) =>
      (await list(listing as Listing, model, named(request))).map((row) => Object.values(row));
    const sql = async (text: string) => {
      const own =
        family === 'sqlite'
          ? text
          : text.replaceAll(/"(\w+)"/g, (_, name: string) =>
              snake(name[0]?.toLowerCase() + name.slice(1)),
            );
      return (await byHand(own)).map((row) => Object.values(row) as unknown[]);
    };

    it('lists every model by every field', { timeout: 60_000 }, async (context) => {
      if (!listing) return context.skip();
      expect(listing.registry.size).toBeGreaterThanOrEqual(9);
      // Chinook writes instants with a blank; Prisma finds those that it writes itself, which checkProfile reports.
      expect([...(listing.unfound ?? [])].sort()).toEqual(
        tool === 'prisma db pull'
          ? ['employee.BirthDate', 'employee.HireDate', 'invoice.InvoiceDate']
          : [],
      );
      await checkEveryField(listing, async (model) => {
        const table = model[0]?.toUpperCase() + model.slice(1);
        const [[count] = []] = await sql(`select count(*) from "${table}"`);
        return Number(count);
      });
    });

    it('answers as SQL by hand', async (context) => {
      if (!listing) return context.skip();
      expect(await values('track', 'filter[name][ilike]=rock&fields=trackId,name')).toEqual(
        await sql(
          `select "TrackId", "Name" from "Track" where lower("Name") like '%rock%' order by "TrackId"`,
        ),
      );
      expect(
        await values('track', 'filter[unitPrice][gt]=1.5&sort=-milliseconds&fields=trackId'),
      ).toEqual(
        await sql(
          'select "TrackId" from "Track" where "UnitPrice" > 1.5 order by "Milliseconds" desc',
        ),
      );
      expect(await values('track', 'filter[composer][isNull]=true&fields=trackId')).toEqual(
        await sql('select "TrackId" from "Track" where "Composer" is null order by "TrackId"'),
      );
      expect(await values('track', 'filter[name][like]=100%25&fields=trackId')).toEqual([[6]]);
      expect(await values('customer', 'search=canada&fields=customerId')).toEqual([[3]]);
      expect(await values('artist', 'sort=-name&fields=artistId')).toEqual([
        [4],
        [3],
        [2],
        [1],
        [5],
      ]);
    });

    it('crosses relations', async (context) => {
      if (!listing) return context.skip();
      expect(await values('track', 'filter[album.title][ilike]=wild&fields=trackId')).toEqual(
        await sql(
          `select t."TrackId" from "Track" t join "Album" a on a."AlbumId" = t."AlbumId" where lower(a."Title") like '%wild%' order by t."TrackId"`,
        ),
      );
      const [album] = await list(listing, 'album', named('filter[albumId]=3&includes=artist'));
      expect(JSON.stringify(album)).toContain('Accept');
      expect(await values('track', 'filter[album][isNull]=true&fields=trackId')).toEqual([[6]]);
    });
  });
});
