/**
 * The statements that change jobs in BullMQ's tables. Each locks its jobs and then calls a function of the library,
 * which sees the state of the jobs after the lock. `$1` is the queue; all values are bound.
 */

import type { CleanableStatus } from '../model/driver.ts';

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

/** Promotes job `$2`. */
export const promoteStatement = `
  with mine as materialized (select id from job where queue = $1 and id = $2 for update)
  select promote($1, $2) as n from (select count(*) from mine) as locked`;

/** Promotes at most `$2` jobs, earliest due first. Skips jobs that a worker is taking, which need no promotion. */
export const promoteAllStatement = `
  with mine as materialized (
    select id from job where queue = $1 and state = 'delayed'
    order by process_at_ms, seq limit $2 for update skip locked
  )
  select count(*) as n from mine where promote($1, id) = 0`;

/**
 * Retries at most `$4` jobs that finished as `$2` before `$3`, with all their attempts, like the bulk retry of the
 * library.
 */
export const retryAllStatement = `
  with mine as materialized (
    select id from job
    where queue = $1 and state = $2::text::job_state and finished_at_ms <= $3
    order by finished_at_ms, seq limit $4 for update skip locked
  )
  select count(*) as n from mine where reprocess_job($1, id, $2, false, true, true) = 1`;

/** Removes job `$2` and its children; `$3` is the current time. */
export const removeStatement = `
  with recursive tree as (
    select queue, id from job where queue = $1 and id = $2
    union
    select child.queue, child.id
    from tree join job as child on child.parent_queue = tree.queue and child.parent_id = tree.id
  ), mine as materialized (
    select job.id from job join tree on tree.queue = job.queue and tree.id = job.id
    order by job.queue, job.id for update of job
  ), ${freed(`id = $2 and (select count(*) from mine) > 0
      and (lock_token is null or locked_until_ms <= $3)`)}
  select remove($1, $2, true) as n
  from (select count(*) from mine) as locked, (select count(*) from freed) as detached`;

/** Removes the children of job `$2` that have not been processed. */
export const removeUnprocessedStatement = `
  with recursive tree as (
    select child_queue as queue, child_id as id from job_dependency
    where parent_queue = $1 and parent_id = $2 and status = 'pending'
    union
    select child.child_queue, child.child_id
    from tree join job_dependency as child
      on child.parent_queue = tree.queue and child.parent_id = tree.id and child.status = 'pending'
  ), mine as materialized (
    select job.id from job join tree on tree.queue = job.queue and tree.id = job.id
    order by job.queue, job.id for update of job
  )
  select remove_unprocessed_children($1, $2)::text from (select count(*) from mine) as locked`;

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

/** Ids of at most `$4` active jobs that started before `$2` and whose lock expired before `$3`. */
export const stalledStatement = `
  select id from job
  where queue = $1 and state = 'active' and coalesce(processed_at_ms, added_at_ms) <= $2
    and (lock_token is null or locked_until_ms <= $3)
  order by seq limit $4`;

/** Removes all waiting and delayed jobs, except the next runs of schedulers. */
export const drainStatement = `
  with ${exclusive}, mine as materialized (
    select id from job where queue = $1 and state in ('waiting', 'delayed') and ${isExclusive}
    order by process_at_ms, id for update
  ), ${freed('id = any(array(select id from mine))')}
  select drain($1, true)::text
  from (select count(*) from mine) as locked, (select count(*) from freed) as detached`;

/** The library's name of a status, and the jobs that were in that status at `$2`. */
const cleaned: Readonly<Record<CleanableStatus, readonly [type: string, where: string]>> = {
  completed: ['completed', `state = 'completed' and finished_at_ms <= $2`],
  failed: ['failed', `state = 'failed' and finished_at_ms <= $2`],
  delayed: ['delayed', `state = 'delayed' and added_at_ms <= $2 and not ${isAwaited}`],
  waiting: [
    'wait',
    `state = 'waiting' and priority = 0 and added_at_ms <= $2 and not ${isAwaited}`,
  ],
  prioritized: [
    'prioritized',
    `state = 'waiting' and priority > 0 and added_at_ms <= $2 and not ${isAwaited}`,
  ],
  // The library keeps the jobs of a paused queue as waiting, and has a separate operation for active jobs.
  paused: ['paused', 'false'],
  active: ['active', 'false'],
};

/** Removes at most `$3` jobs that were in a status at `$2`. */
export function cleanStatement(status: CleanableStatus): string {
  const [type, where] = cleaned[status];
  return `
    with ${exclusive}, first as materialized (
      select id from job where queue = $1 and ${where} and ${isExclusive} order by seq limit $3
    ), mine as materialized (
      select id from job
      where queue = $1 and id = any(array(select id from first)) and ${where}
      order by process_at_ms, id for update
    ), ${freed('id = any(array(select id from mine))')}
    select count(*) as n
    from (select count(*)::integer as size from mine) as locked,
      (select count(*)::integer as size from freed) as detached,
      -- References the others so that it runs after them and sees their changes.
      lateral clean($1, '${type}', $2, greatest(locked.size, 1) + 0 * detached.size)
    where locked.size > 0`;
}
