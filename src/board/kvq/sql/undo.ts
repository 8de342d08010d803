/**
 * The values that runs take from the jobs of BullMQ's tables, and how these get them back. All statements are of the transaction that
 * changes the jobs; `$1` is the queue.
 */

import { undoTable } from '../../core/index.ts';
import type { Refusal, SelectedPart, SelectionRun } from '../model/driver.ts';
import { exclusiveStatement, runsTable } from './change-statements.ts';
import type { Query } from './transaction.ts';

const kept = undoTable(runsTable);

/** Whether a parent in any queue awaits the job. */
const isAwaited = (job: string): string => `exists (
  select from job_dependency where child_queue = ${job}.queue and child_id = ${job}.id and status = 'pending')`;

/** Keeps for the run `$2` what the jobs `$3` have, and locks these. */
const keepStatement = `
  with held as materialized (
    select * from job where queue = $1 and id = any($3::text[]) order by id for update
  ), added as (
  insert into ${kept} (run_id, job_id, was)
  select $2, id, jsonb_build_object('state', state, 'delay', delay_ms, 'due', process_at_ms,
    'processed', processed_at_ms, 'finished', finished_at_ms, 'result', return_value, 'reason', failed_reason,
    'awaited', ${isAwaited('held')}, 'stack', stacktrace, 'starts', attempts_started, 'stalls', stalled_count, 'added', added_at_ms) from held
  returning number
  )
  select min(number)::text as first from added`;

/** Forgets the jobs `$2` of the run `$1`, which were not changed, among those kept since the number `$3`. */
const forgetStatement = `delete from ${kept} where run_id = $1 and number >= $3::bigint and job_id = any($2::text[])`;

/** The last changes of the run `$1`, at most `$2`, before the number `$3`. */
const lastStatement = `
  select number::text as place, job_id from ${kept} where run_id = $1 and number < $3::bigint
  order by number desc limit $2::integer`;

const lockStatement = `select from job where queue = $1 and id = any($2::text[]) order by id for update`;

const number = (name: string): string => `(was ->> '${name}')::bigint`;

const isDelayed = `was ->> 'state' = 'delayed'`;

/** Forgets the changes `$3` of the run `$2`, and gives those of their jobs back that still wait. */
const undoStatement = `
  with taken as (
    delete from ${kept} where run_id = $2 and number = any($3::bigint[]) returning job_id, was
  ), found as materialized (
    select job.id, was, ${isAwaited('job')} and was ->> 'awaited' = 'false' as awaited,
      job.state = 'waiting' and job.added_at_ms = ${number('added')} and job.stalled_count = ${number('stalls')}
        and job.attempts_started = ${number('starts')} and job.processed_at_ms is not distinct from
          case when ${isDelayed} then ${number('processed')} end as waits
    from job join taken on taken.job_id = job.id where job.queue = $1
  ), back as (
    update job set state = (was ->> 'state')::job_state, delay_ms = ${number('delay')},
      process_at_ms = ${number('due')}, processed_at_ms = ${number('processed')},
      finished_at_ms = ${number('finished')}, return_value = nullif(was -> 'result', 'null'::jsonb),
      failed_reason = was ->> 'reason', stacktrace = nullif(was -> 'stack', 'null'::jsonb)
    from found where job.queue = $1 and job.id = found.id and waits and not awaited
    returning job.state
  )
  select (select count(*) from taken) as taken, (select count(*) from found) as found,
    (select count(*) from found where waits and awaited) as awaited, (select count(*) from back) as back,
    -- Workers look at the time of the next delayed job.
    (select count(pg_notify('bullmq_jobs', $1)::text) from back where state = 'delayed') as told`;

/** Keeps what the jobs have before they are changed; returns the number of the first, null where there are none. */
export async function keepJobs(
  query: Query,
  queue: string,
  run: string,
  ids: Iterable<string>,
): Promise<unknown> {
  const [row] = await query(keepStatement, [queue, run, [...ids]]);
  return row?.['first'];
}

/** Forgets the jobs that were refused, of those kept since a number: of a long run, no others are read. */
export async function forgetJobs(
  query: Query,
  run: string,
  since: unknown,
  refused: ReadonlyMap<string, Refusal>,
): Promise<void> {
  await query(forgetStatement, [run, [...refused.keys()], since]);
}

/** The position before all changes. */
const first = '9223372036854775807';

/** Gives the last changes of a run back, within a transaction. */
export async function undoPart(
  query: Query,
  queue: string,
  undoes: string,
  { position = first, note }: SelectionRun,
  most: number,
): Promise<SelectedPart> {
  const nothing = { examined: 0, matched: 0, changed: 0, refused: {} };
  await note(nothing, query);
  await query(exclusiveStatement, [queue, []]);
  const last = await query(lastStatement, [undoes, most, position]);
  const lowest = last.at(-1)?.['place'];
  if (lowest === undefined) return { ...nothing, more: false };
  const numbers = last.map((row) => row['place']);
  await query(lockStatement, [queue, last.map((row) => row['job_id'])]);
  const [row = {}] = await query(undoStatement, [queue, undoes, numbers]);
  const [taken = 0, found = 0, awaited = 0, back = 0] = ['taken', 'found', 'awaited', 'back'].map(
    (name) => Number(row[name]),
  );
  const refused = { missing: taken - found, awaited, started: found - awaited - back };
  const counts = { examined: taken, matched: taken, changed: back, refused };
  await note({ ...counts, position: String(lowest) }, query);
  return { ...nothing, position: String(lowest), more: last.length === most };
}
