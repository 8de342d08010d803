/**
 * Creates a scheduler in BullMQ's tables under an id that nobody else has. The library replaces a scheduler with the
 * same id, so the id is locked until it has created the scheduler.
 */

import { DriverRefusal } from '../model/driver.ts';
import type { SqlChangeLocation } from './changes.ts';
import { inTransaction } from './transaction.ts';

const lockStatement = `
  select pg_try_advisory_xact_lock(hashtext('sluice:scheduler'), hashtext($1)) as locked`;

const existsStatement = `select 1 from scheduler where queue = $1 and scheduler_id = $2`;

/** Runs the work while the id is locked. Refused as `exists` if a scheduler has it, or another process creates one. */
export async function claimInTables<Result>(
  { queue, pool }: SqlChangeLocation,
  id: string,
  work: () => Promise<Result>,
): Promise<Result> {
  return inTransaction(pool, async (query) => {
    const [lock] = await query(lockStatement, [JSON.stringify([queue, id])]);
    // A statement of its own, so that it sees what was committed before the lock.
    const found = await query(existsStatement, [queue, id]);
    if (lock?.['locked'] !== true || found.length > 0) throw new DriverRefusal('exists');
    return work();
  });
}
