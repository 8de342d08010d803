/** The requests whose plans are tested: each order with each filter, on each page. */

import { companies, count, ofQuarter } from './world.ts';

export const perPage = 20;
/** Rows before a page by cursor, where the list has as many; half of the list elsewhere. */
const deepRows = 100_000;
/** The page by number, where the list has it; the second page elsewhere. */
const deepPage = 100;

/** An order of the list; `nulls` is the place of rows without a value. */
export interface Order {
  readonly sort: 'createdAt' | 'seenAt';
  readonly direction: 'asc' | 'desc';
  readonly nulls: 'first' | 'last' | null;
}

const directions = ['asc', 'desc'] as const;
export const orders: readonly Order[] = directions.flatMap((direction) => [
  { sort: 'createdAt', direction, nulls: null },
  { sort: 'seenAt', direction, nulls: 'first' },
  { sort: 'seenAt', direction, nulls: 'last' },
]);

/** A filter; `rows` is the number of items that meet it, or one more or less. */
export interface Filter {
  readonly name: string;
  readonly request: string;
  readonly rows: number;
  /** Whether the condition is on rows of another table. */
  readonly isThrough: boolean;
  /** Whether so few rows meet it that they are found first, and sorted. */
  readonly isFew: boolean;
}

export const filters: readonly Filter[] = [
  { name: 'no filter', request: '', rows: count, isThrough: false, isFew: false },
  { name: 'a kind', request: 'filter[kind]=1', rows: ofQuarter, isThrough: false, isFew: false },
  {
    name: 'a country of companies',
    request: 'filter[company.country]=DE',
    rows: ofQuarter,
    isThrough: true,
    isFew: false,
  },
  {
    name: 'one company by name',
    request: 'filter[company.name]=c77',
    rows: count / companies,
    isThrough: true,
    isFew: true,
  },
  {
    name: 'a frequent mark',
    request: 'filter[marks.label]=often',
    rows: ofQuarter,
    isThrough: true,
    isFew: false,
  },
  {
    name: 'a rare mark',
    request: 'filter[marks.label]=m77',
    rows: 100,
    isThrough: true,
    isFew: true,
  },
];

/** A page; `after` rows are before its cursor, in the direction of the walk. */
export interface Page {
  readonly name: string;
  readonly request: string;
  readonly after: number;
  readonly isBackwards: boolean;
  /** Rows that are skipped by their number. */
  readonly offset: number;
}

const pageOf = (name: string, rest: Partial<Page>): Page => ({
  name,
  request: '',
  after: 0,
  isBackwards: false,
  offset: 0,
  ...rest,
});

/** The pages of a filter's list. */
export function pagesOf({ rows }: Filter): readonly Page[] {
  const after = Math.min(deepRows, rows / 2);
  const page = deepPage * perPage <= rows ? deepPage : 2;
  return [
    pageOf('first page', {}),
    pageOf('by cursor', { after: 2 * perPage }),
    pageOf('by cursor, deep', { after }),
    pageOf('by cursor, deep, backwards', { after, isBackwards: true }),
    pageOf('by number', { request: `&page=${page}`, offset: (page - 1) * perPage }),
    pageOf('children', { request: '&includes=marks' }),
  ];
}
