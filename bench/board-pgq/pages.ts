/** The measured pages, and the rows that precede them. */

import type pg from 'pg';
import { bigQueue } from './seed.ts';

/** Rows of a page. */
export const perPage = 20;

/** Variants of a page, so that consecutive runs differ. */
const variants = 50;

/** The position of a row in the listing. */
export interface Position {
  /** With microseconds, as canonical text. */
  readonly createdOn: string;
  readonly id: string;
}

/** One measured page. */
export interface PageCase {
  readonly name: string;
  readonly direction: 'after' | 'before';
  /** The start positions of its variants; `undefined` for the first page. */
  readonly positions: readonly Position[] | undefined;
}

async function positionsFrom(client: pg.Pool, offset: number): Promise<Position[]> {
  const { rows } = await client.query<Position>(
    `select to_char(created_on at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as "createdOn", id
     from pgboss.job where name = $1 and state = 'completed'
     order by created_on desc, id desc limit $2 offset $3`,
    [bigQueue, variants, offset],
  );
  return rows;
}

/** Number of completed jobs in the big queue. */
export async function completedJobs(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ count: string }>(
    `select count(*) from pgboss.job where name = $1 and state = 'completed'`,
    [bigQueue],
  );
  return Number(rows[0]?.count);
}

/** The pages; the deepest are the ten-thousandth and the last. */
export async function pageCases(pool: pg.Pool): Promise<PageCase[]> {
  const total = await completedJobs(pool);
  const deep = (10_000 - 1) * perPage - 1;
  const last = total - perPage - variants;
  return [
    { name: 'page 1', direction: 'after', positions: undefined },
    {
      name: 'page 100',
      direction: 'after',
      positions: await positionsFrom(pool, 99 * perPage - 1),
    },
    { name: 'page 10,000', direction: 'after', positions: await positionsFrom(pool, deep) },
    { name: 'last page', direction: 'after', positions: await positionsFrom(pool, last) },
    {
      name: 'page 10,000, backwards',
      direction: 'before',
      positions: await positionsFrom(pool, deep),
    },
    {
      name: 'page 2, backwards',
      direction: 'before',
      positions: await positionsFrom(pool, 2 * perPage),
    },
  ];
}
