/** The statements that read BullMQ's tables. All values are bound. */

import type { JobStatus } from '../model/types.ts';

const counts = `
  select 'count' as fact, queue,
    case when state = 'waiting' and priority > 0 then 'prioritized' else state::text end as name,
    count(*)::text as value
  from job where queue = any($1) group by 2, 3
  union all
  select 'meta', queue, field, value
  from meta where queue = any($1) and field in ('paused', 'concurrency')
  union all
  select 'schedulers', queue, '', count(*)::text
  from scheduler where queue = any($1) group by queue
  union all
  select 'limit', queue, '', rate_limit_ttl(queue, 0, $2)::text
  from rate_limit where queue = any($1)`;

const sessions = `
  union all
  select 'worker', application_name, '', ''
  from pg_stat_activity where datname = current_database() and application_name <> ''`;

/** Facts of the queues `$1` at time `$2` (epoch milliseconds), one row per fact. */
export function factsStatement(withWorkers: boolean): string {
  return withWorkers ? counts + sessions : counts;
}

/** The filter and the order (newest first) of the jobs of a status. */
const listings: Readonly<Record<JobStatus, readonly [where: string, order: string]>> = {
  active: [`state = 'active'`, 'seq desc'],
  waiting: [`state = 'waiting' and priority = 0`, 'seq desc'],
  prioritized: [`state = 'waiting' and priority > 0`, 'priority desc, seq desc'],
  'waiting-children': [`state = 'waiting-children'`, 'seq desc'],
  completed: [`state = 'completed'`, 'finished_at_ms desc, seq desc'],
  failed: [`state = 'failed'`, 'finished_at_ms desc, seq desc'],
  delayed: [`state = 'delayed'`, 'process_at_ms desc, seq desc'],
  // The library keeps the jobs of a paused queue as waiting.
  paused: ['false', 'seq desc'],
};

/** Jobs of queue `$1`, at most `$3` of each status after the first `$2`. */
export function pagesStatement(statuses: readonly JobStatus[]): string {
  const pages = statuses.map((status) => {
    const [where, order] = listings[status];
    return `select '${status}' as status, row_number() over (order by ${order}) as place, page.*
      from (select * from job where queue = $1 and ${where}
        order by ${order} offset $2 limit $3) as page`;
  });
  return `select * from (${pages.join(' union all ')}) as listed order by place`;
}

export const jobsStatement = 'select * from job where queue = $1 and id = any($2)';

export const jobStatement = 'select * from job where queue = $1 and id = $2';

/** Jobs `$2` of queue `$1` with the results of their children, at most `$3` child keys and failure reasons per job. */
export const flowStatement = `
  select job.*, counted.*, listed.child_keys, ignored.reasons
  from job
  cross join lateral (
    select count(*) filter (where status = 'processed') as processed,
      count(*) filter (where status = 'pending' and exists (
        select 1 from job as child where child.queue = child_queue and child.id = child_id
      )) as unprocessed,
      count(*) filter (where status = 'ignored') as ignored,
      count(*) filter (where status = 'failed') as failed
    from job_dependency where parent_queue = job.queue and parent_id = job.id
  ) as counted
  cross join lateral (
    select coalesce(array_agg(child_key), '{}') as child_keys
    from (
      select child_key from job_dependency
      where parent_queue = job.queue and parent_id = job.id
      order by status, child_id limit $3
    ) as first
  ) as listed
  cross join lateral (
    select jsonb_object_agg(child_key, coalesce(value #>> '{}', '')) as reasons
    from (
      select child_key, value from job_dependency
      where parent_queue = job.queue and parent_id = job.id and status = 'ignored'
      order by child_id limit $3
    ) as first
  ) as ignored
  where job.queue = $1 and job.id = any($2)`;

/** Sessions whose name is `$1`, or starts with `$1` and the worker separator. */
export const workersStatement = `
  select pid, application_name, host(client_addr) as host, client_port as port,
    extract(epoch from now() - backend_start) as age
  from pg_stat_activity
  where datname = current_database()
    and (application_name = $1 or starts_with(application_name, $1 || ':w:'))
  order by pid`;

export const statsStatement = `
  select current_setting('server_version') as version, current_setting('port') as port,
    extract(epoch from now() - pg_postmaster_start_time()) as uptime,
    count(*) as connected,
    count(*) filter (where wait_event_type = 'Lock') as blocked
  from pg_stat_activity where backend_type = 'client backend'`;

/** Jobs finished per minute, as counted by the library. `$1` queue, `$2` `completed` or `failed`. */
export const metricsStatement = `
  select count, prev_ts, prev_count, data, cardinality(data) as points
  from metrics where queue = $1 and kind = $2`;

export const countFinishedStatement = `
  select count(*) as count from job
  where queue = $1 and state = $2::job_state and finished_at_ms <= $3`;

/** At most `$2` schedulers of queue `$1`, or the one named `$3`, each with its previous and next run. */
export const schedulersStatement = `
  select scheduler.*, pending.id as pending_id, pending.added_at_ms as pending_added,
    previous.id as previous_id
  from scheduler
  left join job as pending on pending.queue = scheduler.queue
    and pending.id = 'repeat:' || scheduler.scheduler_id || ':' || next_run_ms
  left join job as previous on previous.queue = scheduler.queue
    and previous.id = 'repeat:' || scheduler.scheduler_id || ':' || (next_run_ms - every_ms)
  where scheduler.queue = $1 and ($3::text is null or scheduler.scheduler_id = $3)
  order by next_run_ms, scheduler.scheduler_id limit $2`;
