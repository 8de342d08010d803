/** The SQLite tables of the demo, as a Drizzle application declares them. */

import { relations } from 'drizzle-orm';
import { integer, numeric, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

import { manyToMany } from '../src/adapters/drizzle/index.ts';
import { features, regions } from './data/enums.ts';

export const countries = sqliteTable('countries', {
  /** ISO 3166-1 alpha-2. */
  code: text('code').primaryKey(),
  code3: text('code3').notNull(),
  name: text('name').notNull(),
  nameFolded: text('name_folded').notNull(),
  officialName: text('official_name').notNull(),
  nativeName: text('native_name'),
  nativeNameFolded: text('native_name_folded'),
  otherNames: text('other_names'),
  otherNamesFolded: text('other_names_folded'),
  capital: text('capital'),
  region: text('region', { enum: regions }).notNull(),
  subregion: text('subregion'),
  /** Square kilometres. */
  area: numeric('area'),
  independent: integer('independent', { mode: 'boolean' }),
  landlocked: integer('landlocked', { mode: 'boolean' }).notNull(),
  unMember: integer('un_member', { mode: 'boolean' }).notNull(),
  flag: text('flag').notNull(),
  /** ISO 4217. */
  currencies: text('currencies', { mode: 'json' }).$type<string[]>().notNull(),
});

export const languages = sqliteTable('languages', {
  /** ISO 639-3. */
  code: text('code').primaryKey(),
  name: text('name').notNull(),
  nameFolded: text('name_folded').notNull(),
});

export const countryLanguages = sqliteTable(
  'country_languages',
  {
    countryCode: text('country_code')
      .notNull()
      .references(() => countries.code),
    languageCode: text('language_code')
      .notNull()
      .references(() => languages.code),
  },
  (table) => [primaryKey({ columns: [table.countryCode, table.languageCode] })],
);

export const borders = sqliteTable(
  'borders',
  {
    countryCode: text('country_code')
      .notNull()
      .references(() => countries.code),
    neighbourCode: text('neighbour_code')
      .notNull()
      .references(() => countries.code),
  },
  (table) => [primaryKey({ columns: [table.countryCode, table.neighbourCode] })],
);

export const cities = sqliteTable('cities', {
  /** GeoNames identifier. */
  id: integer('id').primaryKey(),
  name: text('name').notNull(),
  nameFolded: text('name_folded').notNull(),
  countryCode: text('country_code')
    .notNull()
    .references(() => countries.code),
  adminCode: text('admin_code'),
  /** GeoNames feature code. */
  feature: text('feature', { enum: features }).notNull(),
  capital: integer('capital', { mode: 'boolean' }).notNull(),
  population: integer('population').notNull(),
  latitude: numeric('latitude').notNull(),
  longitude: numeric('longitude').notNull(),
});

export const countryRelations = relations(countries, ({ many }) => ({ cities: many(cities) }));

export const cityRelations = relations(cities, ({ one }) => ({
  country: one(countries, { fields: [cities.countryCode], references: [countries.code] }),
}));

export const countryLanguage = manyToMany(countries, 'languages', {
  through: countryLanguages,
  target: languages,
});

export const languageCountry = manyToMany(languages, 'countries', {
  through: countryLanguages,
  target: countries,
});

export const countryBorders = manyToMany(countries, 'borders', {
  through: borders,
  target: countries,
  from: borders.countryCode,
  to: borders.neighbourCode,
});
