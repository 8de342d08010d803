/** Pagila as it is: pulled by `drizzle-kit` and `prisma`, as TypeORM entities, by catalogue, and as tables of Drizzle. */

import { fileURLToPath } from 'node:url';
import { relations, sql } from 'drizzle-orm';
import { drizzle } from 'drizzle-orm/node-postgres';
import {
  customType,
  foreignKey,
  integer,
  numeric,
  pgEnum,
  pgMaterializedView,
  pgSequence,
  pgTable,
  pgView,
  primaryKey,
  smallint,
  text,
  timestamp,
  varchar,
} from 'drizzle-orm/pg-core';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { drizzleRegistry, drizzleSource } from '../../src/adapters/drizzle/index.ts';
import { introspect, sqlSource } from '../../src/adapters/sql/index.ts';
import {
  type CompiledQueryRules,
  type QuerySource,
  defineQueryRules,
  runQuery,
} from '../../src/index.ts';
import { cursorKeys } from '../cursor-keys.ts';
import { type ScratchDatabase, everyServiceRequired, scratchDatabase } from '../services/index.ts';
import { firstAnswer } from './first-answer.ts';
import { checkEveryField, list as listEvery } from './listing.ts';
import {
  type Opened,
  type Opening,
  byCatalogue,
  byDrizzleKit,
  byPrisma,
  byTypeorm,
  inColumnNames,
} from './openings.ts';
import { entities } from './pagila-entities.ts';
import { pagila } from './pagila.ts';

// As drizzle-kit pull writes them.
const mpaaRating = pgEnum('mpaa_rating', ['G', 'PG', 'PG-13', 'R', 'NC-17']);
const actorSequence = pgSequence('actor_actor_id_seq');
const tsvector = customType<{ data: string }>({ dataType: () => 'tsvector' });
const bytea = customType<{ data: Buffer }>({ dataType: () => 'bytea' });
const language = pgTable('language', {
  languageId: integer('language_id').primaryKey().notNull(),
  name: text().notNull(),
  lastUpdate: timestamp('last_update', { withTimezone: true, mode: 'string' })
    .defaultNow()
    .notNull(),
});
const film = pgTable(
  'film',
  {
    filmId: integer('film_id').primaryKey().notNull(),
    title: text().notNull(),
    description: text(),
    releaseYear: integer('release_year'),
    languageId: integer('language_id').notNull(),
    rentalDuration: smallint('rental_duration').default(3).notNull(),
    rentalRate: numeric('rental_rate', { precision: 4, scale: 2 }).default('4.99').notNull(),
    length: smallint(),
    rating: mpaaRating().default('G'),
    specialFeatures: text('special_features').array(),
    fulltext: tsvector('fulltext').notNull(),
    revenueProjection: numeric('revenue_projection', { precision: 5, scale: 2 }),
  },
  (table) => [foreignKey({ columns: [table.languageId], foreignColumns: [language.languageId] })],
);
const actor = pgTable('actor', {
  actorId: integer('actor_id').primaryKey().notNull(),
  firstName: text('first_name').notNull(),
  lastName: text('last_name').notNull(),
});
const filmActor = pgTable(
  'film_actor',
  {
    actorId: integer('actor_id').notNull(),
    filmId: integer('film_id').notNull(),
    lastUpdate: timestamp('last_update', { withTimezone: true, mode: 'string' })
      .defaultNow()
      .notNull(),
  },
  (table) => [primaryKey({ columns: [table.actorId, table.filmId], name: 'film_actor_pkey' })],
);
const staff = pgTable('staff', {
  staffId: integer('staff_id').primaryKey().notNull(),
  firstName: varchar('first_name').notNull(),
  picture: bytea('picture'),
});
const filmList = pgView('film_list', {
  fid: integer(),
  title: text(),
  price: numeric({ precision: 4, scale: 2 }),
  rating: mpaaRating(),
}).as(sql`select 1`);
const filmCounts = pgMaterializedView('film_counts', {
  rating: mpaaRating(),
  films: integer(),
}).as(sql`select 1`);
const filmRelations = relations(film, ({ one, many }) => ({
  language: one(language, { fields: [film.languageId], references: [language.languageId] }),
  filmActors: many(filmActor),
}));
const languageRelations = relations(language, ({ many }) => ({ films: many(film) }));
const filmActorRelations = relations(filmActor, ({ one }) => ({
  actor: one(actor, { fields: [filmActor.actorId], references: [actor.actorId] }),
  film: one(film, { fields: [filmActor.filmId], references: [film.filmId] }),
}));
const actorRelations = relations(actor, ({ many }) => ({ filmActors: many(filmActor) }));
const schema = {
  mpaaRating,
  actorSequence,
  language,
  film,
  actor,
  filmActor,
  staff,
  filmList,
  filmCounts,
  filmRelations,
  languageRelations,
  filmActorRelations,
  actorRelations,
};

/** Each tool, with the names that it gives. The key of a view is the one override. */
const tools: {
  readonly [tool: string]: {
    readonly open: Opening;
    /** Its name of a film's language; a film refers to two. */
    readonly language: string;
    /** Its name of the partitioned table, or of the partition with the rows of the test. */
    readonly payments?: string;
    /** Whether it takes a view. */
    readonly view?: true;
  };
} = {
  'drizzle-kit pull': {
    open: byDrizzleKit('pagila', { filmList: { fid: { primaryKey: true } } }),
    language: 'language_languageId',
    payments: 'paymentP202202',
    view: true,
  },
  'TypeORM entities': {
    open: byTypeorm(entities),
    language: 'language',
    view: true,
  },
  'prisma db pull': {
    open: byPrisma('pagila'),
    language: 'language_film_language_idTolanguage',
  },
  introspect: { open: byCatalogue, language: 'language' },
};

const root = ['filmId', 'title', 'rating', 'specialFeatures', 'fulltext', 'rentalRate'] as const;

const found = await scratchDatabase('postgresql', 'pagila');
if ('missing' in found && everyServiceRequired()) throw new Error(found.advice);

describe.skipIf('missing' in found)('Pagila', () => {
  const database = found as ScratchDatabase;
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  beforeAll(async () => {
    await pool.query(pagila);
  });
  afterAll(async () => {
    await pool.end();
    await database.drop();
  });

  /** The answer as JSON of its rows. */
  const data = async (source: QuerySource, request: string, rules: CompiledQueryRules) =>
    (await runQuery(source, request, rules)).data as unknown;
  const byHand = async (query: string) => (await pool.query(query)).rows as unknown;

  it('is listed through Drizzle with one override, for the key of a view', async () => {
    const registry = drizzleRegistry(schema, [], { filmList: { fid: { primaryKey: true } } });
    expect(registry.skipped).toEqual([
      { table: 'filmCounts', reason: expect.stringMatching(/primary key/) },
    ]);
    const declaration = {
      filters: [
        { path: 'title', operators: ['ilike', 'notIlike'] },
        { path: 'rating', operators: ['gt', 'in', 'isNull', 'ilike'] },
        { path: 'filmActors.actor.lastName', operators: ['ilike'] },
      ],
      sorts: ['rating', 'title', 'language.name'],
      search: ['title', 'language.name', 'filmActors.actor.firstName'],
      includes: ['language', 'filmActors', 'filmActors.actor'],
      fields: {
        root: { allowed: [...root], default: [...root] },
        relations: {
          language: { allowed: ['language.*'], default: ['name'] },
          filmActors: { allowed: ['actorId'], default: ['actorId'] },
          'filmActors.actor': { allowed: ['firstName'], default: ['firstName'] },
        },
      },
      pagination: { mode: 'both' },
    } as const;
    const rules = defineQueryRules(registry, 'film', declaration, { cursorKeys });
    const db = drizzle(pool);
    const source = drizzleSource({ db, registry, tables: schema, model: 'film' });
    const list = (request: string) => data(source as never, request, rules as never);
    expect(await list('sort=-rating&fields=filmId')).toEqual(
      await byHand('select film_id as "filmId" from film order by rating desc, film_id desc'),
    );
    expect(await list('filter[title][ilike]=aD&fields=filmId')).toEqual([
      { filmId: 1 },
      { filmId: 3 },
    ]);
    expect(await list('filter[rating][gt]=PG&fields=filmId,rating')).toEqual([
      { filmId: 3, rating: 'NC-17' },
    ]);
    expect(await list('search=penelope&fields=filmId')).toEqual([{ filmId: 1 }, { filmId: 3 }]);
    expect(
      await list('filter[title][ilike]=academy&includes=language,filmActors.actor,filmActors'),
    ).toEqual([
      {
        filmId: 1,
        title: 'ACADEMY DINOSAUR',
        rating: 'PG',
        specialFeatures: ['Deleted Scenes', 'Behind the Scenes'],
        fulltext: "'academi':1 'dinosaur':2",
        rentalRate: '0.99',
        language: { name: expect.stringMatching(/^English/) },
        filmActors: [{ actorId: 1, actor: { firstName: 'PENELOPE' } }],
      },
    ]);
    expect(await list('fields=filmId,specialFeatures&sort=title')).toEqual(
      await byHand(
        'select film_id as "filmId", special_features as "specialFeatures" from film order by title, film_id',
      ),
    );
    const first = await runQuery(source, 'sort=rating&perPage=3&fields=filmId&cursor=', rules);
    const { nextCursor } = first as { readonly nextCursor: string };
    const next = await list(`sort=rating&perPage=3&fields=filmId&cursor=${nextCursor}`);
    expect([...(first.data as unknown[]), ...(next as unknown[])]).toEqual(
      await byHand('select film_id as "filmId" from film order by rating, film_id'),
    );
    const listRules = defineQueryRules(registry, 'filmList', {
      sorts: ['price'],
      search: ['title'],
      fields: { root: { allowed: ['fid', 'price'], default: ['fid', 'price'] } },
    });
    const view = drizzleSource({ db, registry, tables: schema, model: 'filmList' });
    expect(await data(view as never, 'search=AC&sort=-price', listRules as never)).toEqual(
      await byHand(
        `select fid, price::text from film_list where title ilike '%ac%' order by price desc, fid desc`,
      ),
    );
  });

  it('is listed by its catalogue, without any override', async () => {
    const registry = await introspect(pool);
    const { tables } = registry;
    const rules = defineQueryRules(registry, 'film', {
      filters: [{ path: 'filmActor.actor.lastName', operators: ['ilike'] }],
      sorts: ['rating', 'releaseYear'],
      search: ['title'],
      fields: {
        root: {
          allowed: ['filmId', 'specialFeatures', 'fulltext'],
          default: ['filmId', 'specialFeatures', 'fulltext'],
        },
      },
    } as never);
    const source = sqlSource({ connection: pool, registry, tables, model: 'film' });
    const rows = await data(source as never, 'search=HOLE&sort=rating', rules as never);
    expect(rows).toEqual([{ filmId: 3, specialFeatures: null, fulltext: "'adapt':1 'hole':2" }]);
    expect(() =>
      defineQueryRules(registry, 'film', {
        filters: [{ path: 'specialFeatures', operators: ['eq'] }],
        sorts: ['fulltext'],
        fields: { root: { allowed: ['filmId'], default: ['filmId'] } },
      }),
    ).toThrow(/"specialFeatures": eq compares a single value.*\n.*"fulltext": opaque fields/);
  });

  describe.each(Object.entries(tools))(
    'by %s',
    (tool, { open, language, payments = 'payment', view }) => {
      let listing: Opened;
      beforeAll(async () => {
        listing = await open(database);
      });
      afterAll(() => listing?.close());

      const named = (text: string) => (tool === 'prisma db pull' ? inColumnNames(text) : text);
      const values = async (model: string, request: string) =>
        (await listEvery(listing, named(model), named(request))).map((row) => Object.values(row));
      const sql = async (text: string) =>
        (await pool.query<unknown[]>({ text, rowMode: 'array' })).rows;

      it('lists every model by every field', async () => {
        const plain = (name: string) => name.replaceAll('_', '').toLowerCase();
        const tables = (await sql('select relname from pg_class where relnamespace = 2200')).flat();
        expect(listing.registry.size).toBeGreaterThanOrEqual(15);
        await checkEveryField(listing, async (model) => {
          const table = tables.find((name) => plain(String(name)) === plain(model));
          const [[count] = []] = await sql(`select count(*) from ${String(table)}`);
          return Number(count);
        });
      });

      it('answers as SQL by hand', async () => {
        expect(await values('film', 'sort=-rating&fields=filmId')).toEqual(
          await sql('select film_id from film order by rating desc, film_id desc'),
        );
        expect(await values('film', 'filter[rating][gt]=PG&fields=filmId')).toEqual(
          await sql(`select film_id from film where rating > 'PG' order by film_id`),
        );
        expect(await values('film', 'search=HOLE&fields=filmId,specialFeatures')).toEqual([
          [3, null],
        ]);
        expect(await values('film', 'sort=-revenueProjection,length&fields=filmId')).toEqual(
          await sql('select film_id from film order by revenue_projection desc, length, film_id'),
        );
        expect(
          await values(payments, 'filter[amount][gt]=5&sort=-paymentDate&fields=paymentId'),
        ).toEqual(
          await sql('select payment_id from payment where amount > 5 order by payment_date desc'),
        );
        expect(await values('rental', 'filter[returnDate][isNull]=true&fields=rentalId')).toEqual(
          await sql('select rental_id from rental where return_date is null order by rental_id'),
        );
        expect(
          await values('customer', 'filter[createDate]=2022-02-15&fields=customerId,activebool'),
        ).toEqual([[2, false]]);
      });

      it.runIf(tool === 'TypeORM entities')('answers the program of the page', async () => {
        const file = fileURLToPath(new URL('pagila-entities.ts', import.meta.url));
        const rows = await firstAnswer('pagila', database.url, { 'entities.ts': file });
        expect(rows.map(({ filmId, rating }) => [filmId, rating])).toEqual(
          await sql(
            `select film_id, rating from film join film_actor using (film_id) join actor using (actor_id) where rating in ('PG', 'NC-17') and last_name ilike '%wahl%' order by 1`,
          ),
        );
      });

      it('crosses relations', async () => {
        expect(
          await values(
            'filmActor',
            'filter[actor.lastName][ilike]=guin&sort=-filmId&fields=filmId',
          ),
        ).toEqual(
          await sql(
            `select film_id from film_actor join actor using (actor_id) where last_name ilike '%guin%' order by 1 desc`,
          ),
        );
        expect(await values('film', `filter[${language}.name][like]=Ital&fields=filmId`)).toEqual([
          [3],
        ]);
      });

      it.runIf(view)('lists a view with a key', async () => {
        expect(await values('filmList', 'search=PENELOPE&sort=-price&fields=fid,price')).toEqual(
          await sql(
            `select fid, trim_scale(price)::text from film_list where actors ilike '%penelope%' order by price desc, fid desc`,
          ),
        );
      });
    },
  );

  it('lists a view by its catalogue, with its key declared', async () => {
    const registry = await introspect(pool, { keys: { film_list: 'fid' } });
    const { tables } = registry;
    const source = sqlSource({ connection: pool, registry, tables, model: 'filmList' });
    const rules = defineQueryRules(registry, 'filmList', {
      filters: [
        { path: 'price', operators: ['gte'] },
        { path: 'rating', operators: ['in'] },
      ],
      sorts: ['price'],
      fields: 'all',
    });
    const { rows } = await pool.query(
      'select * from film_list where price >= 2 order by price desc, fid desc',
    );
    expect(rows.length).toBeGreaterThan(1);
    expect((await runQuery(source, 'filter[price][gte]=2&sort=-price', rules)).data).toEqual(rows);
    const skipped = registry.skipped.map(({ table }) => table);
    expect(skipped).toContain('film_counts');
    expect(skipped).not.toContain('film_list');
  });
});
