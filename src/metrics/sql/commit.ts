/** The function of the PostgreSQL store that writes a tick. */

import { bucketCount } from '../model/histogram.ts';
import {
  commitName,
  countAt,
  gathered,
  lockOf,
  minutesPerHour,
  packedFrom,
  qualified,
  schemaVersion,
} from './layout.ts';
import type { SqlNames } from './layout.ts';

const counters = ['completed', 'failed'] as const;
const kinds = ['runtime', 'waittime'] as const;

/** The columns of an hour or day. */
const valueColumns = [...counters, 'age', 'runtime_ms', 'waittime_ms', ...kinds] as const;

/** The columns of `present`, in their order. */
const minuteColumns = ['completed_minutes', 'failed_minutes'] as const;
const presentColumns = [...valueColumns, ...minuteColumns] as const;

type Column = (typeof presentColumns)[number];

/** Writes a tick: see `MetricsStore.commit`. A parameter is as the Redis store has it. */
export function commitFunction(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  return `create or replace function ${name(commitName)}(input jsonb) returns jsonb
language plpgsql as $body$
declare
  about ${name('meta')};
  today bigint := floor(extract(epoch from clock_timestamp()) / 86400);
  keep_minutes integer := (input ->> 'minutes')::integer;
  keep_hours integer := (input ->> 'hours')::integer;
  keep_days integer := (input ->> 'days')::integer;
  global_id integer;
  written boolean;
  parts ${name('present')}[];
  past ${name('present')}[];
  result jsonb;
begin
  perform ${lockOf(names)};
  select * into about from ${name('meta')};
  if about.version <> ${schemaVersion} then
    raise exception 'the metrics history has version % of its tables, not ${schemaVersion}', about.version;
  end if;
  written := input ->> 'instance' in ('', about.instance);
  update ${name('meta')} set minutes = greatest(minutes, keep_minutes), hours = greatest(hours, keep_hours),
    days = greatest(days, keep_days),
    written_at = case when written then clock_timestamp() else written_at end;
  insert into ${name('queues')} (name)
  select wanted from (
    select '__global__' as wanted union select w ->> 'q' from jsonb_array_elements(input -> 'writes') as w
  ) as names
  where not exists (select from ${name('queues')} where name = wanted)
  on conflict do nothing;
  select id into global_id from ${name('queues')} where name = '__global__';
  if written then
    with given as materialized (
      select queue.id, queue.floor, c, f, a,
        case when coalesce(queue.sampled_to, -1) = (s ->> 'from')::bigint then s -> 'hours' end as hours
      from jsonb_to_recordset(input -> 'writes') as write(q text, c jsonb, f jsonb, a jsonb, s jsonb)
      join ${name('queues')} as queue on queue.name = write.q
    ), counted as (
      select id, floor, kind, (pair ->> 0)::bigint as minute, (pair ->> 1)::bigint as n
      from given cross join lateral (values ('c', c), ('f', f)) as lists(kind, list)
      cross join jsonb_array_elements(list) as pair
    ), deltas as (
      select id, kind, minute, n - coalesce(${countAt('packed', minutesPerHour, '(minute % 60)::integer')}, 0) as delta
      from counted left join ${name('present')} as newest on newest.queue_id = id and newest.hour = minute / 60
      left join ${name('minutes')} as stored on stored.queue_id = id and stored.hour = minute / 60
      cross join lateral (
        select case kind when 'c' then coalesce(newest.completed_minutes, stored.completed)
          else coalesce(newest.failed_minutes, stored.failed) end as packed
      ) as kept
      where minute >= floor and minute / 1440 between today - keep_minutes and today + 1
    ), spread as (
      select id, kind, minute, delta, minute % 60 as at from deltas where delta > 0
      union all
      select global_id, kind, minute, sum(delta)::bigint, minute % 60 from deltas where delta > 0 group by kind, minute
    ), counts as materialized (
      select id, minute / 60 as hour, (sum(delta) filter (where kind = 'c'))::bigint as c,
        (sum(delta) filter (where kind = 'f'))::bigint as f,
        ${gathered('completed', 'delta', `kind = 'c'`)},
        ${gathered('failed', 'delta', `kind = 'f'`)}
      from spread group by id, minute / 60
    ), aged as (
      select id, (a ->> 0)::bigint as hour, (a ->> 1)::bigint as age from given
      where (a ->> 0)::bigint / 24 between today - keep_days and today + 1
    ), ages as materialized (
      select id, hour, age from aged union all select global_id, hour, max(age) from aged group by hour
    ), pairs as (
      select id, (each ->> 0)::bigint as hour, kind, (pair ->> 0)::integer as at, (pair ->> 1)::bigint as n
      from given cross join jsonb_array_elements(hours) as each
      cross join (values ('runtime', 1), ('waittime', 2)) as kinds(kind, place)
      cross join jsonb_array_elements(each -> place) as pair
      where (each ->> 0)::bigint / 24 between today - keep_days and today + 1
    ), durations as materialized (
      select id, hour, kind, at, n from pairs
      union all select global_id, hour, kind, at, sum(n)::bigint from pairs group by hour, kind, at
    ), by_hour as (
      ${partsBy(names, 'hour')}
    ), by_day as (
      insert into ${name('days')} as stored (queue_id, day, ${valueColumns.join(', ')})
      select id, bucket, ${valueColumns.join(', ')} from (${partsBy(names, 'hour / 24')}) as parts order by id, bucket
      on conflict (queue_id, day) do update set ${added(names, valueColumns, 'stored', 'excluded')}
      where ${changes('stored', 'excluded')}
    )
    select array_agg(row(by_hour.id, bucket, ${valueColumns.map((column) => `by_hour.${column}`).join(', ')},
        ${counters.map((counter) => packedFrom(names, counter, minutesPerHour)).join(', ')})::${name('present')})
      into parts
    from by_hour left join counts on counts.id = by_hour.id and counts.hour = bucket;
    ${hourWrites(names)}

    update ${name('queues')} as queue set
      completed_next = greatest(queue.completed_next, nullif(write.cn, -1)),
      failed_next = greatest(queue.failed_next, nullif(write.fn, -1)),
      sampled_to = case when write.s is not null and coalesce(queue.sampled_to, -1) = (write.s ->> 'from')::bigint
        then (write.s ->> 'to')::bigint else queue.sampled_to end,
      holder = case when queue.holder is null or queue.holder = input ->> 'holder'
        or queue.held_until < clock_timestamp() then input ->> 'holder' else queue.holder end,
      held_until = case when queue.holder is null or queue.holder = input ->> 'holder'
        or queue.held_until < clock_timestamp()
        then clock_timestamp() + make_interval(secs => (input ->> 'lease')::float8 / 1000)
        else queue.held_until end
    from jsonb_to_recordset(input -> 'writes') as write(q text, cn bigint, fn bigint, s jsonb)
    where queue.name = write.q;
  end if;
  if about.pruned_on < today then
    update ${name('meta')} set pruned_on = today;
    delete from ${name('hours')} where hour / 24 < today - keep_hours;
    delete from ${name('days')} where day < today - keep_days;
    delete from ${name('minutes')} where hour / 24 < today - keep_minutes;
    delete from ${name('present')} where hour / 24 < today - greatest(keep_minutes, keep_hours, keep_days);
  end if;
  select jsonb_object_agg(queue.name, jsonb_build_array(coalesce(queue.completed_next, -1),
    coalesce(queue.failed_next, -1), coalesce(queue.sampled_to, -1),
    case when queue.holder is not distinct from input ->> 'holder' then 1 else 0 end)) into result
  from ${name('queues')} as queue
  where queue.name in (select w ->> 'q' from jsonb_array_elements(input -> 'writes') as w);
  return jsonb_build_object('instance', about.instance, 'written', written, 'states', coalesce(result, '{}'));
end
$body$`;
}

/** The readings of a tick for each hour or day of a queue: one row each. */
function partsBy(names: SqlNames, bucket: string): string {
  const isCount = `at < ${bucketCount}`;
  return `select id, bucket, c as completed, f as failed, age, runtime_ms, waittime_ms,
        ${kinds.map((kind) => `${packedFrom(names, kind, bucketCount)} as ${kind}`).join(', ')}
      from (
        select id, bucket, sum(c)::bigint as c, sum(f)::bigint as f, max(age) as age,
          ${kinds.map((kind) => gathered(kind, 'n', `kind = '${kind}' and ${isCount}`)).join(', ')},
          ${kinds.map((kind) => `(sum(n) filter (where kind = '${kind}' and not ${isCount}))::bigint as ${kind}_ms`).join(', ')}
        from (
          select id, ${bucket} as bucket, c, f, null::bigint as age, null as kind, null::integer as at, null::bigint as n from counts
          union all select id, ${bucket}, null, null, age, null, null, null from ages
          union all select id, ${bucket}, null, null, null, kind, at, sum(n)::bigint from durations group by id, ${bucket}, kind, at
        ) as readings group by id, bucket
      ) as sums`;
}

/** The columns of a row with what another one adds to it. */
function added(names: SqlNames, columns: readonly Column[], row: string, more: string): string {
  const packed = (column: string, length: number): string =>
    `${qualified(names, 'add')}(${row}.${column}, ${more}.${column}, ${length})`;
  const sumOf = (column: string): string => {
    if (column === 'runtime' || column === 'waittime') return packed(column, bucketCount);
    if (column.endsWith('_minutes')) return packed(column, minutesPerHour);
    if (column === 'age') return `greatest(${row}.age, ${more}.age)`;
    return `coalesce(${row}.${column} + ${more}.${column}, ${row}.${column}, ${more}.${column})`;
  };
  return columns.map((column) => `${column} = ${sumOf(column)}`).join(', ');
}

/** Whether a row adds anything to another one: a row that stays as it is gets no new version. */
const changes = (row: string, more: string): string =>
  `(num_nonnulls(${[...counters, ...kinds].map((column) => `${more}.${column}`).join(', ')}) > 0
        or ${more}.age > coalesce(${row}.age, -1))`;

/**
 * Adds `parts` to the hours. The newest hour of a queue is its row of `present`; the row that it replaces, and parts of
 * earlier hours, are `past` and go to their tables.
 */
function hourWrites(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  const given = `unnest(parts) as part`;
  const newest = `(select queue_id, max(hour) as hour from unnest(parts) group by queue_id) as newest`;
  const minutes = minuteColumns.map((column, index) => `${column} as ${counters[index]}`);
  return `past := array(
      select part from ${given} join ${newest} using (queue_id) left join ${name('present')} as old using (queue_id)
      where part.hour is distinct from old.hour and part.hour < greatest(newest.hour, old.hour)
    );
    update ${name('present')} as stored set ${added(names, presentColumns, 'stored', 'part')}
    from ${given} where part.queue_id = stored.queue_id and part.hour = stored.hour and ${changes('stored', 'part')};
    past := past || array(
      select stored from ${name('present')} as stored join ${newest} using (queue_id) where stored.hour < newest.hour
    );
    insert into ${name('hours')} as stored (queue_id, hour, ${valueColumns.join(', ')})
    select queue_id, hour, ${valueColumns.join(', ')} from unnest(past) order by queue_id, hour
    on conflict (queue_id, hour) do update set ${added(names, valueColumns, 'stored', 'excluded')};
    insert into ${name('minutes')} as stored (queue_id, hour, ${counters.join(', ')})
    select queue_id, hour, ${minutes.join(', ')} from unnest(past)
    where num_nonnulls(${minuteColumns.join(', ')}) > 0 order by queue_id, hour
    on conflict (queue_id, hour) do update set ${counters
      .map(
        (counter) =>
          `${counter} = ${name('add')}(stored.${counter}, excluded.${counter}, ${minutesPerHour})`,
      )
      .join(', ')};
    insert into ${name('present')} as stored
    select part.* from ${given} join ${newest} using (queue_id) left join ${name('present')} as old using (queue_id)
    where part.hour = newest.hour and coalesce(old.hour < part.hour, true) order by queue_id
    on conflict (queue_id) do update set hour = excluded.hour, ${presentColumns
      .map((column) => `${column} = excluded.${column}`)
      .join(', ')};`;
}
