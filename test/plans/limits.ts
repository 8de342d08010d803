/**
 * How much a page may read and sort, and the cells in which a database does more, each with its reason. The table is
 * printed with the tests; `docs/profile.md` explains it to users.
 */

import type { DatabaseFamily } from '../../src/index.ts';
import { type Filter, type Order, type Page, perPage } from './requests.ts';
import { unseen } from './world.ts';

/** Rows of a page, with the one that tells whether others follow. */
export const pageRows = perPage + 1;

export interface Cell {
  readonly order: Order;
  readonly filter: Filter;
  readonly page: Page;
}

/** The work of a statement, at most. */
export interface Limit {
  readonly sorted: number;
  readonly read: number;
}

/** Rows that are read along an index for each row that meets a condition of a quarter of them, which lie in clumps. */
const perRow = 25;
/** Rows that the tests before a page count, of each of two tables. */
const probed = 2 * 1001;

/** The work that an ordinary page may do. */
const usual = ({ filter, page }: Cell): Limit => {
  const rows = page.offset + pageRows;
  return { sorted: pageRows, read: (filter.isThrough ? perRow : 3) * rows };
};

export interface Exception {
  readonly families: readonly DatabaseFamily[];
  /** The cells, in words. */
  readonly cells: string;
  readonly holds: (cell: Cell) => boolean;
  /** The work of such a cell, given that of an ordinary one. */
  readonly limit: (cell: Cell, usual: Limit) => Limit;
  readonly reason: string;
}

const all = ['postgresql', 'mysql', 'sqlite'] as const;
const unlimited = ['mysql', 'sqlite'] as const;

/** Whether rows without a value are elsewhere than an ascending index of the family has them. */
const isMoved = ({ order: { direction, nulls } }: Cell, usualPlace: 'first' | 'last'): boolean =>
  nulls !== null && (direction === 'asc') !== (nulls === usualPlace);

export const exceptions: readonly Exception[] = [
  {
    families: all,
    cells: 'a rare value through a relation',
    holds: ({ filter }) => filter.isFew,
    limit: ({ filter: { rows } }, { read }) => ({
      sorted: 2 * rows + pageRows,
      read: read + 6 * rows,
    }),
    reason: 'no index has their order: all of the few rows are read and sorted',
  },
  {
    families: unlimited,
    cells: 'a value through a relation',
    holds: ({ filter }) => filter.isThrough,
    limit: (_, { sorted, read }) => ({ sorted: Math.max(sorted, 1000), read: read + 3 * probed }),
    reason:
      'the planner does not weigh the limit: up to 1,001 rows with the value are counted first, and sorted where they are fewer',
  },
  {
    families: unlimited,
    cells: 'a column with nulls, by cursor',
    holds: ({ order, page }) => order.nulls !== null && page.offset === 0,
    limit: (_, { sorted, read }) => ({ sorted: Math.max(sorted, 2 * pageRows), read: 2 * read }),
    reason:
      'a limit takes no expression: the rows with a value and those without are each read to the end of a page',
  },
  {
    families: ['sqlite'],
    cells: 'rows without a value, by cursor',
    holds: ({ order, page }) => order.nulls !== null && page.after > 0,
    limit: ({ order, page }, { read }) => ({
      sorted: Infinity,
      read: order.nulls === 'first' && page.after < unseen ? read + 6 * unseen : read,
    }),
    reason:
      'where they are on the page, the planner may skip through another index and sort them; otherwise they are not read',
  },
  {
    families: ['mysql'],
    cells: 'nulls elsewhere than in the index, by number',
    holds: (cell) => isMoved(cell, 'first') && cell.page.offset > 0,
    limit: ({ page }, { sorted, read }) => ({
      sorted: Math.max(sorted, 2 * (page.offset + pageRows)),
      read: 4 * read,
    }),
    reason: 'a limit takes no expression: both parts are read to the end of the page, and sorted',
  },
  {
    families: ['postgresql'],
    cells: 'nulls elsewhere than in the index, a value through a relation',
    holds: (cell) => isMoved(cell, 'last') && cell.filter.isThrough,
    limit: ({ page }, { sorted, read }) => ({
      sorted: Math.max(sorted, 5 * (page.offset + pageRows)),
      read: read + 2 * 21_000,
    }),
    reason:
      'the planner does not know how many rows the first part leaves to the second, and intersects indexes',
  },
];

/** The limit of a cell on a database. */
export const limitOf = (family: DatabaseFamily, cell: Cell): Limit =>
  exceptions.reduce(
    (limit, exception) =>
      exception.families.includes(family) && exception.holds(cell)
        ? exception.limit(cell, limit)
        : limit,
    usual(cell),
  );
