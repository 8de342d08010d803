/** The statements that read BullMQ's tables. All values are bound. */

import type { JobStatus } from '../model/types.ts';

/** The filter and the order (newest first) of the jobs of a status. */
export const listings: Readonly<Record<JobStatus, readonly [where: string, order: string]>> = {
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

/** The notes of pauses; one that was made with another pause does not count. */
const pauseNotes = `
  select 'pause', note.queue, '', substr(note.value, strpos(note.value, ' ') + 1)
  from meta as note join meta as paused on paused.queue = note.queue and paused.field = 'paused'
  where note.queue = any($1) and note.field = 'sluice-pause'
    and starts_with(note.value, paused.xmin::text || ' ')`;

/** Each status is counted along the index of its state: all together would read the whole table. */
const counted = (Object.keys(listings) as JobStatus[])
  .filter((status) => status !== 'paused')
  .map(
    (status) => `select 'count' as fact, queue, '${status}' as name, count(*)::text as value
  from job where queue = any($1) and ${listings[status][0]} group by queue`,
  )
  .join(' union all ');

const counts = `${counted}
  union all
  select 'meta', queue, field, value
  from meta where queue = any($1) and field in ('paused', 'concurrency')
  union all
  select 'schedulers', queue, '', count(*)::text
  from scheduler where queue = any($1) group by queue
  union all
  select 'limit', queue, '', rate_limit_ttl(queue, 0, $2)::text
  from rate_limit where queue = any($1)
  union all ${pauseNotes}`;

const sessions = `
  union all
  select 'worker', application_name, '', ''
  from pg_stat_activity where datname = current_database() and application_name <> ''`;

/** Facts of the queues `$1` at time `$2` (epoch milliseconds), one row per fact. */
export function factsStatement(withWorkers: boolean): string {
  return withWorkers ? counts + sessions : counts;
}

/** The parts of a job of bounded size. */
export const smallParts = `job.id, job.name, job.state, job.priority, job.delay_ms, job.added_at_ms, job.attempts_made,
  job.attempts_started, job.stalled_count, job.processed_at_ms, job.processed_by, job.finished_at_ms, job.dedup_id,
  job.deferred_failure, job.parent_key, job.scheduler_id, job.lock_token, job.locked_until_ms, job.process_at_ms`;

/** The names of columns and of the parts of a job, in the order in which they are left out. */
const largeParts = [
  ['data', 'data'],
  ['return_value', 'returnvalue'],
  ['stacktrace', 'stacktrace'],
  ['opts', 'opts'],
  ['progress', 'progress'],
  ['failed_reason', 'failedReason'],
] as const;

const bytesOf = (columns: readonly string[]): string =>
  columns.map((name) => `coalesce(octet_length(job.${name}::text), 0)`).join(' + ');

/**
 * The jobs of queue `$1` that `listed` selects as status, place and id. Parts beyond `$4` bytes are null, and named in
 * `truncated`; without `$5`, so are data and results.
 */
function boundedJobs(listed: string): string {
  const columns = largeParts.map(([column, part], index) => {
    const fits = index < 2 ? 'data_fits' : 'rest_fits';
    return [
      `case when ${fits} then job.${column} end as ${column}`,
      `case when job.${column} is not null and not ${fits} then '${part}' end`,
    ] as const;
  });
  return `
    with listed as materialized (${listed}), stored as (
      select listed.*, ${bytesOf(['stacktrace', 'opts', 'progress', 'failed_reason'])} as rest,
        coalesce(pg_column_size(job.data), 0) + coalesce(pg_column_size(job.return_value), 0) as packed
      from listed join job on job.queue = $1 and job.id = listed.id
    ), summed as (
      select stored.*, sum(rest) over nth as rests, sum(packed) over nth as packs
      from stored window nth as (order by place, status, id)
    ), measured as (
      -- Compressed values are measured only as far as they could fit.
      select summed.*, case when $5 and rests + packs <= $4
        then ${bytesOf(['data', 'return_value'])} else $4 + 1 end as payload
      from summed join job on job.queue = $1 and job.id = summed.id
    ), chosen as (
      select measured.*, rests <= $4 as rest_fits,
        rests + sum(payload) over (order by place, status, id) <= $4 as data_fits
      from measured
    )
    select chosen.status, ${smallParts}, ${columns.map(([column]) => column).join(', ')},
      array_remove(array[${columns.map(([, cut]) => cut).join(', ')}], null) as truncated
    from chosen join job on job.queue = $1 and job.id = chosen.id
    order by chosen.place`;
}

/** Jobs of queue `$1`, at most `$3` of each status after the first `$2`; see {@link boundedJobs}. */
export function pagesStatement(statuses: readonly JobStatus[]): string {
  const pages = statuses.map((status) => {
    const [where, order] = listings[status];
    return `select '${status}' as status, row_number() over (order by ${order}) as place, page.id
      from (select id, seq, priority, finished_at_ms, process_at_ms from job
        where queue = $1 and ${where} order by ${order} offset $2 limit $3) as page`;
  });
  return boundedJobs(pages.join(' union all '));
}

/** Jobs `$2` of queue `$1`; `$3` is not used. See {@link boundedJobs}. */
export const boundedStatement = boundedJobs(
  `select '' as status, place, id from unnest($2::text[]) with ordinality as given(id, place)
    where $3::integer is null`,
);

/** The last `$3` lines of the log of job `$2` within `$4` bytes, newest first, and the number of stored lines. */
export const logsStatement = `
  with last as (
    select idx, octet_length(row) as bytes from job_log
    where queue = $1 and job_id = $2 order by idx desc limit $3
  ), summed as (select idx, sum(bytes) over (order by idx desc) as bytes from last)
  select row as line, (
    select count(*) from job_log where queue = $1 and job_id = $2
  ) as total
  from job_log where queue = $1 and job_id = $2
    and idx >= (select min(idx) from summed where bytes <= $4)
  order by idx desc limit $3`;

/** `$4` lines of the log of job `$2` after the first `$3`, within `$5` bytes, and the number of all lines. */
export const logPageStatement = `
  with page as (
    select idx, row, octet_length(row) as bytes from job_log
    where queue = $1 and job_id = $2 order by idx offset $3 limit $4
  ), summed as (select row, idx, sum(bytes) over (order by idx) as bytes from page)
  select fitting.row as line, counted.total
  from (select count(*) as total from job_log where queue = $1 and job_id = $2) as counted
  left join (select row, idx from summed where bytes <= $5) as fitting on true
  order by fitting.idx`;

export const jobsStatement = 'select * from job where queue = $1 and id = any($2)';

/** Why the jobs `$2` of queue `$1` have failed, without their data. */
export const reasonsStatement =
  'select id, failed_reason as reason, coalesce(finished_at_ms, added_at_ms)::float8 as at from job where queue = $1 and id = any($2)';

/** Text that changes with every change of a job or its state; workers renew the lock without a change. */
export const jobRevision = `md5(concat_ws('|', state, priority, delay_ms, attempts_made, attempts_started,
  process_at_ms, processed_at_ms, finished_at_ms, stalled_count, name, data, opts, progress, return_value,
  failed_reason))`;

/** Job `$2` of queue `$1`, its revision and the digests of its parts; with the parts as texts, if asked for. */
export function jobStatement(withTexts: boolean): string {
  const parts = ['data', 'opts', 'progress', 'return_value'].map(
    (name) =>
      `, md5(${name}::text) as ${name}_digest${withTexts ? `, ${name}::text as ${name}_text` : ''}`,
  );
  return `select *, ${jobRevision} as revision${parts.join('')}
  from job where queue = $1 and id = $2`;
}

/** Jobs `$2` of queue `$1` with the results of their children, at most `$3` child keys and failure reasons per job. */
export const flowStatement = `
  select ${smallParts}, job.opts, job.progress, counted.*, listed.child_keys, ignored.reasons
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

/** For each queue of `$1`, sessions whose name is that of the queue, or starts with it and the worker separator. */
export const workersStatement = `
  select given.queue, pid, application_name, host(client_addr) as host, client_port as port,
    extract(epoch from now() - backend_start) as age
  from unnest($1::text[]) as given(queue)
  join pg_stat_activity on datname = current_database()
    and (application_name = given.queue or starts_with(application_name, given.queue || ':w:'))
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

/** Ids that begin with `$2`, among the last `$3` completed, failed and active jobs of queue `$1`. */
export const prefixedStatement = (['completed', 'failed', 'active'] as const)
  .map((status) => {
    const [where, order] = listings[status];
    return `select id from (
      select id from job where queue = $1 and ${where} order by ${order} limit $3
    ) as latest where starts_with(id, $2)`;
  })
  .join(' union all ');

/** At most `$2` schedulers of queue `$1`, or the one named `$3`, each with its previous and next run. */
export const schedulersStatement = `
  select scheduler.*, template_data::text as data_text, template_opts::text as opts_text, pending.id as pending_id, pending.added_at_ms as pending_added,
    previous.id as previous_id
  from scheduler
  left join job as pending on pending.queue = scheduler.queue
    and pending.id = 'repeat:' || scheduler.scheduler_id || ':' || next_run_ms
  left join job as previous on previous.queue = scheduler.queue
    and previous.id = 'repeat:' || scheduler.scheduler_id || ':' || (next_run_ms - every_ms)
  where scheduler.queue = $1 and ($3::text is null or scheduler.scheduler_id = $3)
  order by next_run_ms, scheduler.scheduler_id limit $2`;
