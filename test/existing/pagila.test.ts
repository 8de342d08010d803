/** Pagila as it is: arrays, a domain, an enum, a tsvector, bytes, composite keys and views, through Drizzle and by catalogue. */

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

const ddl = `
create type mpaa_rating as enum ('G', 'PG', 'PG-13', 'R', 'NC-17');
create domain year as integer check (value >= 1901 and value <= 2155);
create table language (language_id integer primary key, name character(20) not null, last_update timestamptz not null default '2022-02-15 10:02:19Z');
create table film (
  film_id integer primary key, title text not null, description text, release_year year,
  language_id integer not null references language, rental_duration smallint not null default 3,
  rental_rate numeric(4, 2) not null default 4.99, length smallint, rating mpaa_rating default 'G',
  special_features text[], fulltext tsvector not null, revenue_projection numeric(5, 2));
create table actor (actor_id integer primary key, first_name text not null, last_name text not null);
create table film_actor (actor_id integer not null references actor, film_id integer not null references film, last_update timestamptz not null default now(), primary key (actor_id, film_id));
create table staff (staff_id integer primary key, first_name text not null, active boolean not null, picture bytea);
create view film_list as select film.film_id as fid, film.title, film.rental_rate as price, film.rating from film;
create materialized view film_counts as select rating, count(*) as films from film group by rating;
insert into language (language_id, name) values (1, 'English'), (2, 'Italian');
insert into film (film_id, title, release_year, language_id, rental_rate, length, rating, special_features, fulltext) values
  (1, 'ACADEMY DINOSAUR', 2006, 1, 0.99, 86, 'PG', '{"Deleted Scenes","Behind the Scenes"}', to_tsvector('english', 'academy dinosaur')),
  (2, 'ACE GOLDFINGER', 2006, 1, 4.99, 48, 'G', '{Trailers}', to_tsvector('english', 'ace goldfinger')),
  (3, 'Adaptation Holes', 2007, 2, 2.99, 50, 'NC-17', null, to_tsvector('english', 'adaptation holes')),
  (4, 'AFFAIR PREJUDICE', 2006, 1, 2.99, null, null, '{}', to_tsvector('english', 'affair prejudice'));
insert into actor values (1, 'PENELOPE', 'GUINESS'), (2, 'Nick', 'Wahlberg');
insert into film_actor (actor_id, film_id) values (1, 1), (1, 3), (2, 3);
insert into staff values (1, 'Mike', true, '\\x89504e47');
`;

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

const root = ['filmId', 'title', 'rating', 'specialFeatures', 'fulltext', 'rentalRate'] as const;

const found = await scratchDatabase('postgresql', 'pagila');
if ('missing' in found && everyServiceRequired()) throw new Error(found.advice);

describe.skipIf('missing' in found)('Pagila', () => {
  const database = found as ScratchDatabase;
  const pool = new pg.Pool({ connectionString: database.url, max: 2 });
  beforeAll(async () => {
    await pool.query(ddl);
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
    expect(registry.skipped).toEqual(
      new Map([['filmCounts', expect.stringMatching(/primary key/)]]),
    );
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
      await byHand('select film_id as "filmId" from film order by rating desc nulls last, film_id'),
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
      await byHand('select film_id as "filmId" from film order by rating nulls first, film_id'),
    );
    const listRules = defineQueryRules(registry, 'filmList', {
      sorts: ['price'],
      search: ['title'],
      fields: { root: { allowed: ['fid', 'price'], default: ['fid', 'price'] } },
    });
    const view = drizzleSource({ db, registry, tables: schema, model: 'filmList' });
    expect(await data(view as never, 'search=AC&sort=-price', listRules as never)).toEqual(
      await byHand(
        `select fid, price::text from film_list where title ilike '%ac%' order by price desc, fid`,
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
    ).toThrow(/"specialFeatures": opaque fields take no operator.*\n.*"fulltext": opaque fields/);
  });
});
