/** Requests worth trying: printed when the demo has started, and offered on its index page. */

import type { DatabaseName, ListName } from './endpoints.ts';

/** A request and what it shows. The query is in readable form; `encodeExample` makes it an address. */
export interface Example {
  readonly title: string;
  readonly database: DatabaseName;
  readonly list: ListName;
  readonly query: string;
}

export const examples: readonly Example[] = [
  {
    title: 'Filter and sort: cities of ten million and more, largest first',
    database: 'pg',
    list: 'cities',
    query: 'filter[population][gte]=10000000&sort=-population',
  },
  {
    title: 'Without regard to case: names that contain "SÃO"',
    database: 'sqlite',
    list: 'cities',
    query: 'filter[name][ilike]=SÃO&sort=name',
  },
  {
    title: 'Through a relation: the largest cities of Japan, with their country',
    database: 'pg',
    list: 'cities',
    query: 'filter[country.name]=Japan&sort=-population&includes=country',
  },
  {
    title: 'Many to many: cities where Arabic is spoken, with the country and its languages',
    database: 'pg',
    list: 'cities',
    query:
      'filter[country.languages.name]=Arabic&sort=-population&includes=country,country.languages&fields=name,population,country.name,country.nativeName,country.flag',
  },
  {
    title: 'Search in any script: countries that somebody calls 日本',
    database: 'sqlite',
    list: 'countries',
    query: 'search=日本&fields=code,name,nativeName,flag',
  },
  {
    title: 'Sort through a relation: capitals by the name of their country',
    database: 'sqlite',
    list: 'cities',
    query:
      'filter[capital]=true&sort=country.name&includes=country&fields=name,country.name,country.flag',
  },
  {
    title: 'Borders of borders: the neighbours of Switzerland and what they speak',
    database: 'pg',
    list: 'countries',
    query:
      'filter[borders.name]=Switzerland&includes=languages,borders,borders.languages&sort=name',
  },
  {
    title: 'Islands: countries without a neighbour, by area, unknown areas last',
    database: 'sqlite',
    list: 'countries',
    query: 'filter[borders][isNull]=true&sort=-area',
  },
  {
    title: 'Keyset pages: walk all cities by size, as quick at the end as at the start',
    database: 'pg',
    list: 'cities',
    query: 'sort=-population&cursor=&perPage=20',
  },
  {
    title: 'Nested to-many filter: languages spoken in a country with a city of 15 million',
    database: 'pg',
    list: 'languages',
    query: 'filter[countries.cities.population][gte]=15000000&includes=countries',
  },
  {
    title: 'A refusal: the value does not fit the field',
    database: 'pg',
    list: 'cities',
    query: 'filter[population][gte]=many',
  },
  {
    title: 'A refusal: a folded companion column does not exist for clients',
    database: 'sqlite',
    list: 'cities',
    query: 'sort=nameFolded',
  },
];

/** The query as an address takes it: percent-encoded, but for the brackets, which stay readable. */
export const encodeExample = (query: string): string =>
  encodeURI(query).replaceAll(/%5B|%5D/g, decodeURIComponent);
