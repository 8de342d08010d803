/**
 * Creates a scheduler in BullMQ's tables under an id that nobody else has. The library replaces a scheduler with the
 * same id, so the id is locked until it has created the scheduler.
 */

import { DriverRefusal } from '../model/driver.ts';
import type { SqlChangeLocation } from './changes.ts';
import type { SqlPool, SqlRows } from './pool.ts';

/** A pool that lends connections, for transactions. */
interface LendingPool extends SqlPool {
  connect(): Promise<{
    query(text: string, values?: unknown[]): Promise<SqlRows>;
    on(event: 'error', listener: () => void): unknown;
    off(event: 'error', listener: () => void): unknown;
    /** With `true`, the connection is closed. */
    release(isBroken: boolean): void;
  }>;
}

const lockStatement = `
  select pg_try_advisory_xact_lock(hashtext('sluice:scheduler'), hashtext($1)) as locked`;

const existsStatement = `select 1 from scheduler where queue = $1 and scheduler_id = $2`;

const ignore = (): void => undefined;

/** Runs the work while the id is locked. Refused as `exists` if a scheduler has it, or another process creates one. */
export async function claimInTables<Result>(
  { queue, pool }: SqlChangeLocation,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  // A `pg` pool of the library or the host; the board declares only a part of its interface.
  const connection = await (pool as LendingPool).connect();
  connection.on('error', ignore);
  let isBroken = true;
  try {
    await connection.query('begin');
    const [lock] = (await connection.query(lockStatement, [JSON.stringify([queue, id])])).rows;
    // A statement of its own, so that it sees what was committed before the lock.
    const { rows } = await connection.query(existsStatement, [queue, id]);
    if (lock?.['locked'] !== true || rows.length > 0) throw new DriverRefusal('exists');
    return await work();
  } finally {
    await connection.query('rollback').then(() => (isBroken = false), ignore);
    connection.off('error', ignore);
    connection.release(isBroken);
  }
}
