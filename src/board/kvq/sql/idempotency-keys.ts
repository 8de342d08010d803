/**
 * Notes in BullMQ's table of deduplication ids for which body the `Idempotency-Key` of an addition stands. The digest of
 * the body has the place of the id of a job, which none has.
 */

import type { IdempotencyKeys } from '../model/driver.ts';
import type { SqlChangeLocation } from './changes.ts';
import { loanOf } from './loan.ts';

const prefix = 'sluice-once:';

/** The library leaves expired rows until the same id comes again. */
const expireStatement = `delete from dedup where queue = $1 and expire_at_ms <= $2 and dedup_id like '${prefix}%'`;

const claimStatement = `insert into dedup (queue, dedup_id, job_id, expire_at_ms) values ($1, $2, $3, $4)
  on conflict (queue, dedup_id) do update set expire_at_ms = excluded.expire_at_ms
    where dedup.job_id = excluded.job_id
  returning case when xmax = 0 then 'new' else 'same' end as found`;

const releaseStatement = `delete from dedup where queue = $1 and dedup_id = $2 and job_id = $3`;

/** The keys of a queue. */
export function keysInTables({ queue, pool }: SqlChangeLocation): IdempotencyKeys {
  return {
    claim: (key, body, lifetimeMs) =>
      loanOf(pool).change(async () => {
        const now = Date.now();
        await pool.query(expireStatement, [queue, now]);
        const values = [queue, prefix + key, body, now + lifetimeMs];
        const found = (await pool.query(claimStatement, values)).rows[0]?.['found'];
        return found === 'new' || found === 'same' ? found : 'other';
      }),
    release: (key, body) =>
      loanOf(pool).change(async () => {
        await pool.query(releaseStatement, [queue, prefix + key, body]);
      }),
  };
}
