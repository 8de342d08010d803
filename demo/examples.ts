/** Example requests: printed at the start of the demo, and offered on its index page. */

import type { DatabaseName, ListName } from './endpoints.ts';

/** A request and its title. The query is in readable form; `encodeExample` encodes it for an address. */
export interface Example {
  readonly title: string;
  readonly database: DatabaseName;
  readonly list: ListName;
  readonly query: string;
}

export const examples: readonly Example[] = [
  {
    title: 'Filter and sort: cities with at least ten million inhabitants, largest first',
    database: 'pg',
    list: 'cities',
    query: 'filter[population][gte]=10000000&sort=-population',
  },
  {
    title: 'Case-insensitive: names that contain "SÃO"',
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
    title: 'Search in any script: countries with the name 日本',
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
    title: 'Nested includes: the neighbours of Switzerland, their neighbours and languages',
    database: 'pg',
    list: 'countries',
    query:
      'filter[borders.name]=Switzerland&includes=languages,borders,borders.languages&sort=name',
  },
  {
    title: 'Empty relation: countries without a neighbour, by area, unknown areas last',
    database: 'sqlite',
    list: 'countries',
    query: 'filter[borders][isNull]=true&sort=-area',
  },
  {
    title: 'Keyset pages: all cities by size, as fast at the end as at the start',
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
    title: 'Groups: capitals, or cities of ten million, outside Asia',
    database: 'pg',
    list: 'cities',
    query:
      'filter[$or][0][capital]=true&filter[$or][1][population][gte]=10000000&filter[country.region][ne]=Asia&sort=-population',
  },
  {
    title: 'The same child: countries whose capital has ten million inhabitants',
    database: 'sqlite',
    list: 'countries',
    query:
      'filter[cities][$some][capital]=true&filter[cities][$some][population][gte]=10000000&sort=name',
  },
  {
    title: 'Values over relations: countries by their cities of a million, with the largest',
    database: 'pg',
    list: 'countries',
    query:
      'filter[cities.$count.large][gte]=10&sort=-cities.$count.large&fields=name,flag,cities.$count.large,cities.$max.population',
  },
  {
    title: 'Children as asked for: the three largest cities of each country of Oceania',
    database: 'sqlite',
    list: 'countries',
    query:
      'filter[region]=Oceania&includes=cities&include[cities][sort]=-population&include[cities][perPage]=3&fields=name,cities.name,cities.population',
  },
  {
    title: 'Prefix: cities whose name begins with "san", in either case, largest first',
    database: 'sqlite',
    list: 'cities',
    query: 'filter[name][istartsWith]=san&sort=-population',
  },
  {
    title: 'Computed: cities of five million, those nearest to the equator first',
    database: 'pg',
    list: 'cities',
    query:
      'filter[population][gte]=5000000&sort=degreesFromEquator&fields=name,countryCode,degreesFromEquator',
  },
  {
    title: 'Arrays: countries that pay in euros or in dollars of the United States',
    database: 'sqlite',
    list: 'countries',
    query: 'filter[currencies][hasAny]=EUR,USD&sort=name&fields=name,flag,currencies',
  },
  {
    title: 'One text: capitals of Africa or Europe with more than three million inhabitants',
    database: 'pg',
    list: 'cities',
    query:
      'where=capital = true and population > 3000000 and (country.region = Africa or country.region = Europe)&sort=-population',
  },
  {
    title: 'Refused: the request costs more than the budget of the endpoint',
    database: 'pg',
    list: 'cities',
    query:
      'filter[$or][0][country.borders.name][ilike]=land&filter[$or][1][country.languages.name][ilike]=an&filter[$or][2][country.borders.name][like]=an&filter[$or][3][country.languages.name][like]=en',
  },
  {
    title: 'Refused: the value does not match the type of the field',
    database: 'pg',
    list: 'cities',
    query: 'filter[population][gte]=many',
  },
  {
    title: 'Refused: a folded companion column is not visible to clients',
    database: 'sqlite',
    list: 'cities',
    query: 'sort=nameFolded',
  },
];

/** The percent-encoded query for an address; brackets stay readable. */
export const encodeExample = (query: string): string =>
  encodeURI(query).replaceAll(/%5B|%5D/g, decodeURIComponent);
