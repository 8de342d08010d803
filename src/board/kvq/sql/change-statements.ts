/**
 * The statements that change jobs in BullMQ's tables. Each locks its jobs and then calls a function of the library,
 * which sees the state of the jobs after the lock. `$1` is the queue; all values are bound.
 */

import type { CleanableStatus, JobCommand } from '../model/driver.ts';
import { jobRevision } from './statements.ts';

/** Whether a job is the next run of its scheduler. Past runs are ordinary jobs. */
const isAwaited = `exists (
  select 1 from scheduler
  where scheduler.queue = job.queue and scheduler.scheduler_id = job.scheduler_id
    and job.id = 'repeat:' || scheduler.scheduler_id || ':' || scheduler.next_run_ms
)`;

/** Detaches past runs from their scheduler, because the library does not remove jobs that reference one. */
const freed = (which: string): string => `freed as (
    update job set scheduler_id = null
    where queue = $1 and scheduler_id is not null and not ${isAwaited} and ${which}
    returning 1
  )`;

/**
 * Waits until no worker is finishing a job of the queue, and blocks workers from finishing until the end of the
 * transaction, like `obliterate` of the library. Otherwise a worker that waits for a job locked here, while it holds
 * one that this transaction waits for, would get a deadlock error and record its completed job as failed.
 */
const exclusive = `exclusive as materialized (
    select pg_advisory_xact_lock(hashtext('bullmq:finalization'), hashtext($1))
  )`;

const isExclusive = '(select count(*) from exclusive) = 1';

/**
 * The same for all queues that `tree` names, one after the other as the library takes them. A worker that finishes a job
 * locks it before its parent, a removal may lock the parent first.
 */
const exclusiveTree = `exclusive as materialized (
    select pg_advisory_xact_lock(hashtext('bullmq:finalization'), key)
    from (select distinct hashtext(queue) as key from tree order by key) as keys
  )`;

const lockedTree = `${exclusiveTree}, locked as materialized (
    select 1 from job join tree on tree.queue = job.queue and tree.id = job.id
    where (select count(*) from exclusive) > 0 order by job.queue, job.id for update of job
  )`;

/** The jobs of `asked` with all below them; `root` is the one to which each belongs. */
const wholeTree = `tree as (
    select id as root, $1::text as queue, id from asked
    union
    select tree.root, child.queue, child.id
    from tree join job as child on child.parent_queue = tree.queue and child.parent_id = tree.id
  )`;

/**
 * Promotes at most `$2` delayed jobs added up to `$3`, earliest due first. Skips jobs that a worker is taking, which need
 * no promotion.
 */
export const promoteAllStatement = `
  with mine as materialized (
    select id from job where queue = $1 and state = 'delayed' and added_at_ms <= $3
    order by process_at_ms, seq limit $2 for update skip locked
  )
  select count(*) as n from mine where promote($1, id) = 0`;

const isLifo = `coalesce(opts ->> 'lifo', '') = 'true'`;

/** Retries at most `$4` jobs that finished as `$2` up to `$3`, each as a single retry would. */
export const retryAllStatement = `
  with mine as materialized (
    select id, ${isLifo} as lifo from job
    where queue = $1 and state = $2::text::job_state and finished_at_ms <= $3
    order by finished_at_ms, seq limit $4 for update skip locked
  )
  select count(*) as n from mine where reprocess_job($1, id, $2, lifo, false, false) = 1`;

/** The state as the board names it. */
const jobState = `case when state = 'waiting' and priority > 0 then 'prioritized' else state::text end`;

/** Whether a parent in a queue other than those of `reach` awaits the job, directly or through parents of its queue. */
const isGuarded = (reach: string): string => `exists (
  with recursive above as (
    select parent_queue, parent_id from job_dependency
    where child_queue = job.queue and child_id = job.id and status = 'pending'
    union
    select next.parent_queue, next.parent_id
    from above join job_dependency as next on next.child_queue = above.parent_queue
      and next.child_id = above.parent_id and next.status = 'pending'
    where above.parent_queue = job.queue
  )
  select 1 from above where parent_queue <> job.queue and parent_queue <> all(${reach}::text[])
)`;

/** Results of a change of one job besides 1 and the error codes of the library. */
export const results = {
  changed: -30,
  parent: -31,
  child: -32,
  missing: -1,
  state: -3,
  active: -6,
};

/** A change of one job: common table expressions, the result, and those before the jobs are locked. */
type Change = readonly [before: string, result: string, first?: string];

/**
 * The changes of jobs `$2`. `$5` is the current time, `$6` the argument of the change. Library functions are called with
 * the jobs locked, so that workers skip them.
 */
const changes: Readonly<Record<JobCommand['act'], Change>> = {
  retry: [
    `, argument as (select $5::bigint)`,
    `reprocess_job($1, mine.id, $6, lifo, false, false)`,
  ],
  promote: [`, argument as (select $5::bigint, $6::text)`, `promote($1, mine.id) + 1`],
  data: [
    `, changed as (
      update job set data = $6::jsonb from mine
      where job.queue = $1 and job.id = mine.id and mine.fits and $5::bigint > 0 returning 1
    )`,
    '(select count(*) from changed)',
  ],
  delay: ['', `change_delay($1, mine.id, $6::bigint, $5::bigint) + 1`],
  priority: [
    `, argument as (select $5::bigint)`,
    `change_priority($1, mine.id, $6::integer, false) + 1`,
  ],
  release: [
    `, argument as (select $6::text), changed as (
      update job set state = 'waiting', seq = -nextval('job_seq'), lock_token = null,
        locked_until_ms = null, stalled_marked = false
      from mine where job.queue = $1 and job.id = mine.id and mine.fits and job.state = 'active'
        and (job.lock_token is null or job.locked_until_ms <= $5::bigint)
      returning job.id
    ), told as materialized (
      select pg_notify('bullmq_jobs', $1)::text,
        publish_event($1, 'waiting', jsonb_build_object('jobId', id, 'prev', 'active'))::text
      from changed
    )`,
    `case when stored <> 'active' then -3 when (select count(*) from told) = 0 then -6 else 1 end`,
  ],
  // `$6` is the array of queues within the reach of the sender.
  remove: [
    `, ${freed(`id in (select id from mine where fits)
      and (lock_token is null or locked_until_ms <= $5::bigint)`)}`,
    `case
      when exists (
        select 1 from job_dependency where child_queue = $1 and child_id = mine.id and status = 'pending'
          and parent_queue <> $1 and parent_queue <> all($6::text[])
      ) then -31
      when exists (
        select 1 from tree where root = mine.id and queue <> $1 and queue <> all($6::text[])
      ) then -32
      -- The jobs are freed before the function reads them.
      when (select count(*) from freed) < 0 then -1
      else case when remove($1, mine.id, true) > 0 then 1 else -6 end
    end`,
    `, ${wholeTree}, ${lockedTree}`,
  ],
};

/** The table of runs over many jobs, in the schema of the library. */
export const runsTable = 'sluice_kvq_runs';

/** Keeps workers from finishing jobs of the queue, and those below the jobs `$2`; see {@link exclusive}. */
export const exclusiveStatement = `
  with recursive asked as (select unnest(array[null] || $2::text[]) as id), ${wholeTree}, ${exclusiveTree}
  select from exclusive`;

/**
 * Changes those of the jobs `$2` whose state is the one in the array `$3` and whose revision the one in `$4`, where these
 * are not null. Returns the result `n` of each job that there is, and its state before the change.
 */
export function changeStatement(act: JobCommand['act']): string {
  const [before, result, first] = changes[act];
  return `
    with recursive asked as (
      select * from unnest($2::text[], $3::text[], $4::text[]) as asked (id, wanted, revision)
    )${first ?? ''}, mine as materialized (
      select job.queue, job.id, job.state as stored, ${isLifo} as lifo, ${jobState} as state,
        (wanted is null or ${jobState} = wanted)
          and (asked.revision is null or ${jobRevision} = asked.revision) as fits
      from job join asked on asked.id = job.id
      where job.queue = $1${first ? ' and (select count(*) from locked) > 0' : ''}
      order by job.id for update of job
    )${before}
    select id, state, case when not fits then ${results.changed} else (${result}) end as n from mine`;
}

/** Removes the children of job `$2` that have not been processed. */
export const removeUnprocessedStatement = `
  with recursive tree as (
    select child_queue as queue, child_id as id from job_dependency
    where parent_queue = $1 and parent_id = $2 and status = 'pending'
    union
    select child.child_queue, child.child_id
    from tree join job_dependency as child
      on child.parent_queue = tree.queue and child.parent_id = tree.id and child.status = 'pending'
  ), ${lockedTree}
  select remove_unprocessed_children($1, $2)::text from (select count(*) from locked) as counted`;

/**
 * Removes references of job `$2` to missing children, and releases it when it waits for none any more: the library
 * would leave it waiting forever. `$3` is the current time.
 */
export const releaseStatement = `
  with gone as (
    delete from job_dependency
    where parent_queue = $1 and parent_id = $2 and status = 'pending'
      and not exists (select 1 from job where job.queue = child_queue and job.id = child_id)
  ), parent as materialized (
    select queue, id from job
    where queue = $1 and id = $2 and state = 'waiting-children' and pending_deps = 0 for update
  )
  select move_parent_to_wait(queue, id, $3)::text from parent`;

/** Whether the queue is paused. */
export const pausedStatement = `select 1 from meta where queue = $1 and field = 'paused'`;

/**
 * Keeps `$2` beside the pause, in the library's table: it goes with the queue. It begins with the transaction of the
 * pause, so that it does not count for another one.
 */
export const pauseNoteStatement = `
  insert into meta (queue, field, value)
  select queue, 'sluice-pause', xmin::text || ' ' || $2::text from meta where queue = $1 and field = 'paused'
  on conflict (queue, field) do update set value = excluded.value`;

/** Removes at most `$2` jobs of a paused queue, without active ones if not `$3`, and after the last of them the queue. */
export const obliterateStatement = `
  with first as materialized (
    select count(*) as jobs from (select from job where queue = $1 limit $2::integer) as batch
  )
  select jobs, obliterate($1, $2::integer, $3::boolean) as n from first`;

/** The jobs that were in a status at `$2`; `$3` is the current time. */
const cleaned: Readonly<Record<CleanableStatus, string>> = {
  completed: `state = 'completed' and finished_at_ms <= $2`,
  failed: `state = 'failed' and finished_at_ms <= $2`,
  delayed: `state = 'delayed' and added_at_ms <= $2 and not ${isAwaited}`,
  waiting: `state = 'waiting' and priority = 0 and added_at_ms <= $2 and not ${isAwaited}`,
  prioritized: `state = 'waiting' and priority > 0 and added_at_ms <= $2 and not ${isAwaited}`,
  // The library keeps the jobs of a paused queue as waiting.
  paused: 'false',
  // Jobs that a worker is processing stay.
  active: `state = 'active' and coalesce(processed_at_ms, added_at_ms) <= $2
    and (lock_token is null or locked_until_ms <= $3)`,
};

/**
 * Removes at most `$4` jobs that were in a status at `$2`, except children that a parent in a queue other than those of
 * `$5` awaits. A parent without other children continues; one of the same queue is removed, as by the library.
 */
export function cleanStatement(status: CleanableStatus): string {
  const where = cleaned[status];
  return `
    with ${exclusive}, first as materialized (
      select id from job where queue = $1 and ${where} and ${isExclusive} and $3::bigint > 0
        and not ${isGuarded('$5')} order by seq limit $4
    ), mine as materialized (
      select queue, id, dedup_id from job
      where queue = $1 and id = any(array(select id from first)) and ${where}
      order by process_at_ms, id for update
    ), unlinked as (
      delete from job_dependency using mine
      where child_queue = mine.queue and child_id = mine.id
      returning parent_queue, parent_id, status
    ), above as materialized (
      select job.queue, job.id, job.state, job.dedup_id, job.pending_deps - fewer.n as left_over
      from job join (
        select parent_queue, parent_id, count(*) filter (where status = 'pending') as n
        from unlinked group by 1, 2
      ) as fewer on fewer.parent_queue = job.queue and fewer.parent_id = job.id
      where not exists (select 1 from mine where mine.queue = job.queue and mine.id = job.id)
      order by job.queue, job.id for update of job
    ), ended as (
      delete from job using above
      where job.queue = above.queue and job.id = above.id and above.queue = $1
        and above.left_over <= 0 and above.state = 'waiting-children'
      returning job.queue, job.id, job.dedup_id
    ), counted as (
      update job set pending_deps = greatest(above.left_over, 0) from above
      where job.queue = above.queue and job.id = above.id
        and not (above.queue = $1 and above.left_over <= 0 and above.state = 'waiting-children')
      returning job.queue, job.id, job.pending_deps, job.state
    ), gone as (
      delete from job using mine where job.queue = mine.queue and job.id = mine.id
      returning job.queue, job.id, job.dedup_id
    ), unlisted as materialized (
      select dedup_on_removal(queue, id, dedup_id)::text
      from (select * from gone union all select * from ended) as removed
    ), released as materialized (
      select move_parent_to_wait(queue, id, $3)::text from counted
      where pending_deps = 0 and state = 'waiting-children'
    )
    select count(*) + 0 * (select count(*) from released) as n from unlisted`;
}

/** Counts the jobs that {@link cleanStatement} spares because of their parents. */
export function sparedStatement(status: CleanableStatus): string {
  return `
    select count(*) as n from job
    where queue = $1 and ${cleaned[status]} and $3::bigint > 0 and ${isGuarded('$4')}`;
}
