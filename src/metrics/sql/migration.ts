/**
 * The tables and functions of the PostgreSQL store. An hour of a queue is one row with its gauge and its histograms, and
 * while minutes are kept another row with sixty of them; a tick is one call of a function, which is its transaction.
 */

/** Where the tables are. */
export interface SqlNames {
  /** Quoted schema. */
  readonly schema: string;
  /** Prefix of the tables and functions. */
  readonly prefix: string;
}

/** Version of the tables; newer ones are not written. */
export const schemaVersion = 1;

/** The quoted name of a table or function. */
export const qualified = ({ schema, prefix }: SqlNames, name: string): string =>
  `"${schema}"."${prefix}${name}"`;

/** The advisory lock of a history, for changes of it. */
export const lockOf = ({ schema, prefix }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}.${prefix}', 0))`;

/** The advisory lock of all histories of a schema, for its creation. */
export const schemaLockOf = ({ schema }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}', 0))`;

/** Pairs of bucket and count as an array of 18 counts. */
const countsFromPairs = (kind: string): string =>
  `(select array_agg(coalesce(n, 0) order by bucket) from generate_series(0, 17) as bucket
      left join flat as pairs on pairs.queue_id = keys.queue_id and pairs.hour = keys.hour
        and pairs.kind = '${kind}' and pairs.at = bucket)`;

/** Statements that create everything, or leave it as it is. They need the right to create in the schema. */
export function migrationStatements(names: SqlNames): string[] {
  const name = (table: string): string => qualified(names, table);
  return [
    `create schema if not exists "${names.schema}"`,
    `create table if not exists ${name('meta')} (
  only_row boolean primary key default true check (only_row),
  version integer not null,
  instance text not null default gen_random_uuid()::text,
  minutes integer not null default 0,
  hours integer not null default 0,
  days integer not null default 0,
  written_at timestamptz,
  pruned_on bigint not null default 0
)`,
    `insert into ${name('meta')} (version) values (${schemaVersion}) on conflict do nothing`,
    `create table if not exists ${name('queues')} (
  id integer primary key generated always as identity,
  name text not null unique,
  completed_next bigint,
  failed_next bigint,
  sampled_to bigint,
  floor bigint not null default 0,
  holder text,
  held_until timestamptz
)`,
    `create table if not exists ${name('hours')} (
  queue_id integer not null,
  hour integer not null,
  completed bigint,
  failed bigint,
  age bigint,
  runtime integer[],
  waittime integer[],
  primary key (queue_id, hour)
) with (fillfactor = 80)`,
    `create table if not exists ${name('minutes')} (
  queue_id integer not null,
  hour integer not null,
  completed integer[],
  failed integer[],
  primary key (queue_id, hour)
) with (fillfactor = 80)`,
    `create table if not exists ${name('days')} (
  queue_id integer not null,
  day integer not null,
  completed bigint,
  failed bigint,
  age bigint,
  runtime bigint[],
  waittime bigint[],
  primary key (queue_id, day)
) with (fillfactor = 80)`,
    `create table if not exists ${name('attempts')} (
  id bigint primary key generated always as identity,
  queue text not null,
  job text not null,
  attempt integer not null,
  at bigint not null,
  ms bigint,
  reason text not null
)`,
    `create index if not exists "${names.prefix}attempts_by_queue" on ${name('attempts')} (queue, id)`,
    `create or replace function ${name('add')}(one bigint[], other bigint[]) returns bigint[]
language sql immutable parallel safe as $body$
  select case when one is null then other when other is null then one else (
    select array_agg(coalesce(x, 0) + coalesce(y, 0) order by place)
    from unnest(one, other) with ordinality as both_of(x, y, place)
  ) end
$body$`,
    commitFunction(names),
    purgeFunction(names),
  ];
}

/** Writes a tick: see `MetricsStore.commit`. A parameter is as the Redis store has it. */
function commitFunction(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  return `create or replace function ${name('commit')}(input jsonb) returns jsonb
language plpgsql as $body$
declare
  about ${name('meta')};
  today bigint := floor(extract(epoch from clock_timestamp()) / 86400);
  keep_minutes integer := (input ->> 'minutes')::integer;
  keep_hours integer := (input ->> 'hours')::integer;
  keep_days integer := (input ->> 'days')::integer;
  global_id integer;
  written boolean;
  result jsonb;
begin
  perform ${lockOf(names)};
  select * into about from ${name('meta')};
  if about.version > ${schemaVersion} then
    raise exception 'the metrics history has a newer version';
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
    with given as (
      select queue.id, queue.floor, write.c, write.f
      from jsonb_to_recordset(input -> 'writes') as write(q text, c jsonb, f jsonb)
      join ${name('queues')} as queue on queue.name = write.q
    ), counted as (
      select id, floor, 'c' as kind, (pair ->> 0)::bigint as minute, (pair ->> 1)::bigint as n
      from given cross join jsonb_array_elements(c) as pair
      union all
      select id, floor, 'f', (pair ->> 0)::bigint, (pair ->> 1)::bigint
      from given cross join jsonb_array_elements(f) as pair
    ), deltas as (
      select id, kind, minute, n - coalesce((case kind when 'c' then stored.completed
        else stored.failed end)[minute % 60 + 1], 0) as delta
      from counted left join ${name('minutes')} as stored on stored.queue_id = id and stored.hour = minute / 60
      where minute >= floor and minute / 1440 between today - keep_minutes and today + 1
    ), spread as (
      select id, kind, minute, delta from deltas where delta > 0
      union all
      select global_id, kind, minute, sum(delta) from deltas where delta > 0 group by kind, minute
    ), rows as (
      select id, minute / 60 as hour, sum(delta) filter (where kind = 'c') as c,
        sum(delta) filter (where kind = 'f') as f,
        array_agg(minute % 60) filter (where kind = 'c') as c_at, array_agg(delta) filter (where kind = 'c') as c_by,
        array_agg(minute % 60) filter (where kind = 'f') as f_at, array_agg(delta) filter (where kind = 'f') as f_by
      from spread group by id, minute / 60
    ), by_minute as (
      insert into ${name('minutes')} as stored (queue_id, hour, completed, failed)
      select id, hour,
        case when c is not null then (
          select array_agg(coalesce(n, 0) order by place) from generate_series(0, 59) as place
          left join unnest(c_at, c_by) as changed(at, n) on at = place) end,
        case when f is not null then (
          select array_agg(coalesce(n, 0) order by place) from generate_series(0, 59) as place
          left join unnest(f_at, f_by) as changed(at, n) on at = place) end
      from rows order by id, hour
      on conflict (queue_id, hour) do update set
        completed = ${name('add')}(stored.completed, excluded.completed)::integer[],
        failed = ${name('add')}(stored.failed, excluded.failed)::integer[]
    ), by_hour as (
      insert into ${name('hours')} as stored (queue_id, hour, completed, failed)
      select id, hour, c, f from rows order by id, hour
      on conflict (queue_id, hour) do update set
        completed = case when excluded.completed is null then stored.completed
          else coalesce(stored.completed, 0) + excluded.completed end,
        failed = case when excluded.failed is null then stored.failed
          else coalesce(stored.failed, 0) + excluded.failed end
    )
    insert into ${name('days')} as stored (queue_id, day, completed, failed)
    select id, hour / 24, sum(c), sum(f) from rows group by 1, 2 order by 1, 2
    on conflict (queue_id, day) do update set
      completed = case when excluded.completed is null then stored.completed
        else coalesce(stored.completed, 0) + excluded.completed end,
      failed = case when excluded.failed is null then stored.failed
        else coalesce(stored.failed, 0) + excluded.failed end;

    with given as (
      select queue.id, (write.a ->> 0)::bigint as hour, (write.a ->> 1)::bigint as age
      from jsonb_to_recordset(input -> 'writes') as write(q text, a jsonb)
      join ${name('queues')} as queue on queue.name = write.q
      where write.a is not null and (write.a ->> 0)::bigint / 24 between today - keep_days and today + 1
    ), spread as (
      select id, hour, age from given union all select global_id, hour, max(age) from given group by hour
    ), by_hour as (
      insert into ${name('hours')} as stored (queue_id, hour, age)
      select id, hour, max(age) from spread group by 1, 2 order by 1, 2
      on conflict (queue_id, hour) do update set age = excluded.age
        where stored.age is null or stored.age < excluded.age
    )
    insert into ${name('days')} as stored (queue_id, day, age)
    select id, hour / 24, max(age) from spread group by 1, 2 order by 1, 2
    on conflict (queue_id, day) do update set age = excluded.age
      where stored.age is null or stored.age < excluded.age;

    with given as (
      select queue.id, write.s -> 'hours' as hours
      from jsonb_to_recordset(input -> 'writes') as write(q text, s jsonb)
      join ${name('queues')} as queue on queue.name = write.q
      where write.s is not null and coalesce(queue.sampled_to, -1) = (write.s ->> 'from')::bigint
    ), pairs as (
      select id, (each ->> 0)::bigint as hour, kind, (pair ->> 0)::integer as at, (pair ->> 1)::bigint as n
      from given cross join jsonb_array_elements(hours) as each
      cross join (values ('runtime', 1), ('waittime', 2)) as kinds(kind, place)
      cross join jsonb_array_elements(each -> place) as pair
    ), flat as (
      select queue_id, hour, kind, at, sum(n) as n
      from (
        select id as queue_id, hour, kind, at, n from pairs
        union all select global_id, hour, kind, at, n from pairs
      ) as both_of
      where hour / 24 between today - keep_days and today + 1
      group by 1, 2, 3, 4
    ), keys as (
      select queue_id, hour, bool_or(kind = 'runtime') as ran, bool_or(kind = 'waittime') as waited
      from flat group by 1, 2
    ), arrays as materialized (
      select queue_id, hour, case when ran then ${countsFromPairs('runtime')} end as runtime,
        case when waited then ${countsFromPairs('waittime')} end as waittime
      from keys
    ), by_hour as (
      insert into ${name('hours')} as stored (queue_id, hour, runtime, waittime)
      select queue_id, hour, runtime, waittime from arrays order by 1, 2
      on conflict (queue_id, hour) do update set
        runtime = ${name('add')}(stored.runtime, excluded.runtime)::integer[],
        waittime = ${name('add')}(stored.waittime, excluded.waittime)::integer[]
    ), day_flat as (
      select queue_id, hour / 24 as day, kind, at, sum(n) as n from flat group by 1, 2, 3, 4
    )
    insert into ${name('days')} as stored (queue_id, day, runtime, waittime)
    select queue_id, day,
      case when bool_or(kind = 'runtime') then (
        select array_agg(coalesce(n, 0) order by bucket) from generate_series(0, 17) as bucket
        left join day_flat as inner_flat on inner_flat.queue_id = outer_flat.queue_id
          and inner_flat.day = outer_flat.day and inner_flat.kind = 'runtime' and inner_flat.at = bucket) end,
      case when bool_or(kind = 'waittime') then (
        select array_agg(coalesce(n, 0) order by bucket) from generate_series(0, 17) as bucket
        left join day_flat as inner_flat on inner_flat.queue_id = outer_flat.queue_id
          and inner_flat.day = outer_flat.day and inner_flat.kind = 'waittime' and inner_flat.at = bucket) end
    from day_flat as outer_flat group by queue_id, day order by 1, 2
    on conflict (queue_id, day) do update set
      runtime = ${name('add')}(stored.runtime, excluded.runtime),
      waittime = ${name('add')}(stored.waittime, excluded.waittime);

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

/** Deletes the history of a queue up to a day, and takes its counts out of those of all queues. */
function purgeFunction(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  const less = (column: string): string =>
    `${column} = nullif(coalesce(total.${column}, 0) - coalesce(gone.${column}, 0), 0)`;
  const lessMinutes = (column: string): string => `${column} = case when gone.${column} is null
        or total.${column} is null then total.${column}
        else (select case when bool_or(n > 0) then array_agg(n order by place)::integer[] end from (
          select place, greatest(0, coalesce(x, 0) - coalesce(y, 0)) as n
          from unnest(total.${column}, gone.${column}) with ordinality as both_of(x, y, place)) as left_over) end`;
  return `create or replace function ${name('purge')}(purged text, last_day bigint, whole boolean) returns jsonb
language plpgsql as $body$
declare
  wanted integer;
  global_id integer;
  keys bigint := 0;
  fields bigint := 0;
  now_ms bigint := floor(extract(epoch from clock_timestamp()) * 1000);
begin
  perform ${lockOf(names)};
  select id into wanted from ${name('queues')} where name = purged;
  select id into global_id from ${name('queues')} where name = '__global__';
  if wanted is null then
    -- A queue that is recorded later has no counts of before either.
    insert into ${name('queues')} (name) values (purged) returning id into wanted;
  end if;
  if wanted <> global_id then
    update ${name('minutes')} as total set ${lessMinutes('completed')}, ${lessMinutes('failed')}
    from ${name('minutes')} as gone
    where total.queue_id = global_id and gone.queue_id = wanted and gone.hour = total.hour
      and gone.hour / 24 <= last_day;
    update ${name('hours')} as total set ${less('completed')}, ${less('failed')}
    from ${name('hours')} as gone
    where total.queue_id = global_id and gone.queue_id = wanted and gone.hour = total.hour
      and gone.hour / 24 <= last_day;
    update ${name('days')} as total set ${less('completed')}, ${less('failed')}
    from ${name('days')} as gone
    where total.queue_id = global_id and gone.queue_id = wanted and gone.day = total.day and gone.day <= last_day;
  end if;
  with gone as (
    delete from ${name('hours')} where queue_id = wanted and hour / 24 <= last_day returning 1
  ), gone_minutes as (
    delete from ${name('minutes')} where queue_id = wanted and hour / 24 <= last_day returning 1
  ) select (select count(*) from gone) + (select count(*) from gone_minutes) into keys;
  with gone as (
    delete from ${name('days')} where queue_id = wanted and day <= last_day returning 1
  ) select count(*) into fields from gone;
  if whole then
    delete from ${name('attempts')} where queue = purged;
  end if;
  update ${name('queues')} set floor = greatest(floor, least((last_day + 1) * 1440, now_ms / 60000)),
    sampled_to = case when whole then now_ms else sampled_to end
  where id = wanted and name <> '__global__';
  return jsonb_build_array(keys, fields);
end
$body$`;
}
