/** Transactions on a connection that the pool of the library or the host lends. */

import type { SqlPool, SqlRows } from './pool.ts';

/** Runs statements of a transaction. */
export type Query = (text: string, values?: readonly unknown[]) => Promise<SqlRows['rows']>;

/** A pool that lends connections. */
interface LendingPool extends SqlPool {
  connect(): Promise<{
    query(text: string, values?: readonly unknown[]): Promise<SqlRows>;
    on(event: 'error', listener: () => void): unknown;
    off(event: 'error', listener: () => void): unknown;
    /** With `true`, the connection is closed. */
    release(isBroken: boolean): void;
  }>;
}

const ignore = (): void => undefined;

/** Commits when the work has succeeded. The caller has a loan for the connection. */
export async function inTransaction<Result>(
  pool: SqlPool,
  work: (query: Query) => Promise<Result>,
): Promise<Result> {
  // A `pg` pool of the library or the host; the board declares only a part of its interface.
  const connection = await (pool as LendingPool).connect();
  connection.on('error', ignore);
  let isOpen = true;
  try {
    await connection.query('begin');
    const result = await work(async (text, values) => (await connection.query(text, values)).rows);
    await connection.query('commit');
    isOpen = false;
    return result;
  } finally {
    if (isOpen) await connection.query('rollback').then(() => (isOpen = false), ignore);
    connection.off('error', ignore);
    connection.release(isOpen);
  }
}
