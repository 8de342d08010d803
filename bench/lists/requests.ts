/** The list requests, as values for hand-written code and as query strings for Sluice. */

/** Requests by filters, search and includes. */
export const firstNames = ['Q0', 'Q1', 'Q2', 'Q3', 'Q4', 'Q5', 'Q6', 'Q7'] as const;

export type FirstName = (typeof firstNames)[number];

/** Requests by groups, quantifiers, values over relations and children. */
export const nestedNames = ['Q8', 'Q9', 'Q10', 'Q11', 'Q12', 'Q13', 'Q14'] as const;

export type NestedName = (typeof nestedNames)[number];

export const requestNames = [...firstNames, ...nestedNames] as const;

export type RequestName = (typeof requestNames)[number];

/** The description of each request, for the heading of its table. */
export const requestTitles: Readonly<Record<RequestName, string>> = {
  Q0: 'users of one company (about 100), 20 rows, total',
  Q1: 'age in a range of eleven and active, newest first, page 3 of 20, total',
  Q2: 'Q1 with the company included',
  Q3: 'users with a post whose title contains zebra, by name, 20 rows, total',
  Q4: 'active, posts included, 20 rows, total',
  Q5: 'active, newest first, page 2000, total',
  Q6: '"ann" in name or email, 20 rows, total',
  Q7: 'Q5 by cursor after row 39980, no total',
  Q8: 'name begins with a first name and a letter, by name, 20 rows, total',
  Q9: 'age in a range and active, or of one company, newest first, 20 rows, total',
  Q10: 'users with one post of two conditions, by name, 20 rows, total',
  Q11: 'active users of whose posts none and every one meets a condition, by name, 20 rows, total',
  Q12: 'active, those with most posts first, 20 rows, total',
  Q13: 'active, with the first five posts by title, 20 rows, total',
  Q14: 'a computed field at least, 20 rows, total',
};

/** Rows per page in every request. */
export const perPage = 20;

/** The row before a cursor page. */
export interface After {
  readonly createdAt: Date;
  readonly id: number;
}

/** One variant of a request: typed values for hand-written code. */
export interface RequestValues {
  readonly companyId: number;
  readonly ageLow: number;
  readonly ageHigh: number;
  readonly word: string;
  readonly term: string;
  readonly page: number;
  readonly after: After;
  readonly start: string;
  readonly firstPost: number;
  readonly lastPost: number;
  readonly score: number;
}

/** Number of variants in a run, so that no contender answers from a cache of the last request. */
export const variantCount = 64;

/** Number of rows before the first cursor page. */
export const cursorOffset = 39_980;

/** The variants; `after` has the row at `cursorOffset`, then every twentieth. */
export function variants(after: readonly After[]): RequestValues[] {
  return after.map((row, index) => ({
    companyId: 1 + ((index * 37) % 1000),
    ageLow: 28 + (index % 5),
    ageHigh: 38 + (index % 5),
    word: 'zebra',
    term: 'ann',
    page: 1997 + (index % 4),
    after: row,
    start: `${['Ada', 'Chen', 'Lars', 'Omar'][index % 4]} ${['K', 'M', 'S'][index % 3]}`,
    firstPost: 150_000 + index,
    lastPost: 200_000 + index,
    score: 78_000 + index,
  }));
}

/** The page number of a request. */
export function pageOf(name: FirstName, values: RequestValues): number {
  if (name === 'Q1' || name === 'Q2') return 3;
  return name === 'Q5' ? values.page : 1;
}

/** The query string of a client. */
export function queryString(name: RequestName, values: RequestValues, cursor: string): string {
  const range = `filter[age][between]=${values.ageLow},${values.ageHigh}&filter[active][eq]=true`;
  const size = `perPage=${perPage}`;
  switch (name) {
    case 'Q0':
      return `filter[company.id][eq]=${values.companyId}&${size}`;
    case 'Q1':
      return `${range}&sort=-createdAt&page=3&${size}`;
    case 'Q2':
      return `${range}&sort=-createdAt&includes=company&page=3&${size}`;
    case 'Q3':
      return `filter[posts.title][like]=${values.word}&sort=name&${size}`;
    case 'Q4':
      return `filter[active][eq]=true&includes=posts&${size}`;
    case 'Q5':
      return `filter[active][eq]=true&sort=-createdAt&page=${values.page}&${size}`;
    case 'Q6':
      return `search=${values.term}&${size}`;
    case 'Q7':
      return `filter[active][eq]=true&sort=-createdAt&${size}&cursor=${cursor}`;
    case 'Q8':
      return `filter[name][startsWith]=${values.start}&sort=name&${size}`;
    case 'Q9':
      return `${range.replaceAll('filter', 'filter[$or][0]')}&filter[$or][1][company.id][eq]=${values.companyId}&sort=-createdAt&${size}`;
    case 'Q10':
      return `filter[posts][$some][title][like]=${values.word}&filter[posts][$some][id][gte]=${values.firstPost}&sort=name&${size}`;
    case 'Q11':
      return `filter[active][eq]=true&filter[posts][$none][title][like]=${values.word}&filter[posts][$every][id][lte]=${values.lastPost}&sort=name&${size}`;
    case 'Q12':
      return `filter[active][eq]=true&sort=-posts.$count&${size}`;
    case 'Q13':
      return `filter[active][eq]=true&includes=posts&include[posts][sort]=title&include[posts][perPage]=5&${size}`;
    case 'Q14':
      return `filter[score][gte]=${values.score}&${size}`;
  }
}
