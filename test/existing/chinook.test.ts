/**
 * Chinook as the tools of each ORM see it: pulled by `drizzle-kit` and `prisma`, read from the catalogue, and as TypeORM
 * entities. Nothing that the tools wrote is changed, and no override is needed.
 */

import Sqlite from 'better-sqlite3';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { entities } from './chinook-entities.ts';
import { chinook } from './chinook.ts';
import { firstAnswer } from './first-answer.ts';
import { checkEveryField, list } from './listing.ts';
import {
  type Opened,
  type Opening,
  byCatalogue,
  byDrizzleKit,
  byPrisma,
  byTypeorm,
  snake,
} from './openings.ts';
import { drizzleFiles } from './pull.ts';

/** Each tool on the database of its family. */
const tools: { readonly [family: string]: { readonly [tool: string]: Opening } } = {
  postgresql: {
    'drizzle-kit pull': byDrizzleKit('chinook'),
    introspect: byCatalogue,
    'TypeORM entities': byTypeorm(entities),
  },
  sqlite: { 'prisma db pull': byPrisma('chinook'), introspect: byCatalogue },
};

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

describe.each(['postgresql', 'sqlite'] as const)('Chinook on %s', (family) => {
  let database: ScratchDatabase | null = null;
  let byHand: Query = async () => [];
  let end: () => Promise<unknown> = async () => undefined;
  beforeAll(async () => {
    const made = await opened(family);
    if (made) [database, byHand, end] = made;
  });
  afterAll(async () => {
    await end();
    await database?.drop();
  });

  describe.each(Object.entries(tools[family] ?? {}))('by %s', (tool, open) => {
    let listing: Opened | null = null;
    beforeAll(async () => {
      if (database) listing = await open(database);
    });
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
      (await list(listing as Opened, model, named(request))).map((row) => Object.values(row));
    const sql = async (text: string) => {
      const own =
        family === 'sqlite'
          ? text
          : text.replaceAll(/"(\w+)"/g, (_, name: string) =>
              snake(name[0]?.toLowerCase() + name.slice(1)),
            );
      return (await byHand(own)).map((row) => Object.values(row) as unknown[]);
    };

    it('lists every model by every field', async (context) => {
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
      expect(await values('artist', 'sort=-name&fields=artistId')).toEqual(
        await sql('select "ArtistId" from "Artist" order by "Name" desc, "ArtistId" desc'),
      );
    });

    it.runIf(tool === 'drizzle-kit pull')('answers the program of the page', async (context) => {
      if (!listing || !database) return context.skip();
      const rows = await firstAnswer('chinook', database.url, { drizzle: drizzleFiles('chinook') });
      expect(rows.map(({ trackId }) => [trackId])).toEqual(
        await sql(
          `select t."TrackId" from "Track" t join "Album" a on a."AlbumId" = t."AlbumId" where lower(a."Title") like '%wild%' order by t."Milliseconds" desc`,
        ),
      );
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
