/** The DDL of the tables, written by hand because Drizzle tables cannot declare collations. */

/** The differences between the two databases. */
interface Dialect {
  readonly text: string;
  readonly boolean: string;
  readonly json: string;
  readonly suffix: string;
}

const dialects = {
  // Order and equality by code point, independent of the default of the database.
  postgresql: { text: 'text COLLATE "C"', boolean: 'boolean', json: 'jsonb', suffix: '' },
  sqlite: { text: 'text', boolean: 'integer', json: 'text', suffix: ' WITHOUT ROWID' },
} satisfies { readonly [family: string]: Dialect };

/** Statements that create the tables, parents first. */
export function createTables(family: keyof typeof dialects): readonly string[] {
  const { text, boolean, json, suffix } = dialects[family];
  return [
    `CREATE TABLE countries (
      code ${text} PRIMARY KEY,
      code3 ${text} NOT NULL,
      name ${text} NOT NULL,
      name_folded ${text} NOT NULL,
      official_name ${text} NOT NULL,
      native_name ${text},
      native_name_folded ${text},
      other_names ${text},
      other_names_folded ${text},
      capital ${text},
      region ${text} NOT NULL,
      subregion ${text},
      area numeric(12, 2),
      independent ${boolean},
      landlocked ${boolean} NOT NULL,
      un_member ${boolean} NOT NULL,
      flag ${text} NOT NULL,
      currencies ${json} NOT NULL
    )`,
    `CREATE TABLE languages (
      code ${text} PRIMARY KEY,
      name ${text} NOT NULL,
      name_folded ${text} NOT NULL
    )`,
    `CREATE TABLE country_languages (
      country_code ${text} NOT NULL REFERENCES countries,
      language_code ${text} NOT NULL REFERENCES languages,
      PRIMARY KEY (country_code, language_code)
    )${suffix}`,
    `CREATE TABLE borders (
      country_code ${text} NOT NULL REFERENCES countries,
      neighbour_code ${text} NOT NULL REFERENCES countries,
      PRIMARY KEY (country_code, neighbour_code)
    )${suffix}`,
    `CREATE TABLE cities (
      id integer PRIMARY KEY,
      name ${text} NOT NULL,
      name_folded ${text} NOT NULL,
      country_code ${text} NOT NULL REFERENCES countries,
      admin_code ${text},
      feature ${text} NOT NULL,
      capital ${boolean} NOT NULL,
      population integer NOT NULL,
      latitude numeric(8, 5) NOT NULL,
      longitude numeric(8, 5) NOT NULL
    )`,
  ];
}

/** Statements that create the indexes, to be run after the rows are loaded. */
export const createIndexes: readonly string[] = [
  'CREATE INDEX cities_population ON cities (population, id)',
  'CREATE INDEX cities_name ON cities (name, id)',
  'CREATE INDEX cities_country ON cities (country_code)',
  'CREATE INDEX country_languages_language ON country_languages (language_code, country_code)',
];
