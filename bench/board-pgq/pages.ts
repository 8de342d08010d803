/** The measured pages, and the rows that precede them. */

import type pg from 'pg';
import { bigQueue } from './seed.ts';

/** Rows of a page. */
export const perPage = 20;

/** Variants of a page, so that consecutive runs differ. */
const variants = 50;

/** The position of a row in the listing. */
export interface Place {
  /** With microseconds, as canonical text. */
  readonly createdOn: string;
  readonly id: string;
}

/** One measured page. */
export interface PageCase {
  readonly name: string;
  readonly direction: 'after' | 'before';
  /** The start positions of its variants; `undefined` for the first page. */
  readonly places: readonly Place[] | undefined;
}

async function placesFrom(client: pg.Pool, offset: number): Promise<Place[]> {
  const { rows } = await client.query<Place>(
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
    { name: 'page 1', direction: 'after', places: undefined },
    { name: 'page 100', direction: 'after', places: await placesFrom(pool, 99 * perPage - 1) },
    { name: 'page 10,000', direction: 'after', places: await placesFrom(pool, deep) },
    { name: 'last page', direction: 'after', places: await placesFrom(pool, last) },
    { name: 'page 10,000, backwards', direction: 'before', places: await placesFrom(pool, deep) },
    { name: 'page 2, backwards', direction: 'before', places: await placesFrom(pool, 2 * perPage) },
  ];
}
