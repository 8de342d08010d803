/**
 * The tables and functions of the PostgreSQL store. An hour of a queue is one row with its gauge and its histograms, and
 * while minutes are kept another row with sixty of them; a tick is one call of a function, which is its transaction.
 * Lists of counts are packed: each count has as many bytes as the largest one needs, the highest byte first.
 */

import { bucketCount } from '../model/histogram.ts';

/** Where the tables are. */
export interface SqlNames {
  /** Quoted schema. */
  readonly schema: string;
  /** Prefix of the tables and functions. */
  readonly prefix: string;
}

/** Version of the tables; those of another one are neither written nor changed. */
export const schemaVersion = 2;

/** Counts of a packed list: the minutes of an hour. */
export const minutesPerHour = 60;

/** The function that writes a tick, which is another one in each version. */
export const commitName = `commit_${schemaVersion}`;

/** The quoted name of a table or function. */
export const qualified = ({ schema, prefix }: SqlNames, name: string): string =>
  `"${schema}"."${prefix}${name}"`;

/** The advisory lock of a history, for changes of it. */
export const lockOf = ({ schema, prefix }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}.${prefix}', 0))`;

/** The advisory lock of all histories of a schema, for its creation. */
export const schemaLockOf = ({ schema }: SqlNames): string =>
  `pg_advisory_xact_lock(hashtextextended('sluice metrics ${schema}', 0))`;

/** A packed list from the members `<name>_at` and `<name>_by`, which hold places and counts; null without any. */
const packedFrom = (names: SqlNames, name: string, length: number): string =>
  `case when ${name}_at is not null then (
    select ${qualified(names, 'pack')}(array_agg(coalesce(n, 0)::bigint order by place))
    from generate_series(0, ${length - 1}) as place
    left join unnest(${name}_at, ${name}_by) as given_counts(at, n) on at = place) end`;

/** The members of {@link packedFrom} from rows with `at` and a count. */
const gathered = (name: string, count: string, where: string): string =>
  `array_agg(at) filter (where ${where}) as ${name}_at, array_agg(${count}) filter (where ${where}) as ${name}_by`;

/** One count of a packed list of some length. */
const countAt = (packed: string, length: number | string, place: string): string =>
  `(case octet_length(${packed}) / ${length} when 1 then get_byte(${packed}, ${place})
      when 2 then get_byte(${packed}, 2 * (${place})) * 256 + get_byte(${packed}, 2 * (${place}) + 1)
      else ('x' || lpad(encode(substr(${packed}, (${place}) * (octet_length(${packed}) / ${length}) + 1,
        octet_length(${packed}) / ${length}), 'hex'), 16, '0'))::bit(64)::bigint end)`;

/** How many minutes of a packed list are not zero. */
export const countedMinutes = (packed: string): string =>
  `(select count(*) from generate_series(0, ${minutesPerHour - 1}) as place
      where ${countAt(packed, minutesPerHour, 'place')} > 0)`;

/** Stops where the tables are of another version. */
function versionCheck(names: SqlNames): string {
  const meta = qualified(names, 'meta');
  return `do $body$
declare
  found integer;
begin
  if to_regclass('${meta}') is null then
    return;
  end if;
  select version into found from ${meta};
  if found <> ${schemaVersion} then
    raise exception 'The metrics history in ${meta} has version % of its tables, and this version of sluice has version ${schemaVersion}: drop these tables and functions, or choose another prefix', found;
  end if;
end
$body$`;
}

/**
 * Rows of the present hour and day are written at each tick, those of the past never again: their dead versions must not
 * wait until they are a share of the whole table.
 */
const storage = (fillfactor: number): string =>
  `with (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`;

/** Statements that create everything, or leave it as it is. They need the right to create in the schema. */
export function migrationStatements(names: SqlNames): string[] {
  const name = (table: string): string => qualified(names, table);
  return [
    versionCheck(names),
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
) ${storage(50)}`,
    `create table if not exists ${name('hours')} (
  queue_id integer not null,
  hour integer not null,
  completed bigint,
  failed bigint,
  age bigint,
  runtime_ms bigint,
  waittime_ms bigint,
  runtime bytea,
  waittime bytea,
  primary key (queue_id, hour)
) ${storage(90)}`,
    `create table if not exists ${name('minutes')} (
  queue_id integer not null,
  hour integer not null,
  completed bytea,
  failed bytea,
  primary key (queue_id, hour)
) ${storage(90)}`,
    `create table if not exists ${name('days')} (
  queue_id integer not null,
  day integer not null,
  completed bigint,
  failed bigint,
  age bigint,
  runtime_ms bigint,
  waittime_ms bigint,
  runtime bytea,
  waittime bytea,
  primary key (queue_id, day)
) ${storage(50)}`,
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
    `create or replace function ${name('pack')}(counts bigint[]) returns bytea
language sql immutable parallel safe as $body$
  select string_agg(substr(int8send(n), 9 - bytes), ''::bytea order by place)
  from unnest(counts) with ordinality as each(n, place), (
    select case when max(n) < 256 then 1 when max(n) < 65536 then 2 when max(n) < 4294967296 then 4 else 8 end as bytes
    from unnest(counts) as n
  ) as largest
$body$`,
    `create or replace function ${name('add')}(one bytea, other bytea, length integer) returns bytea
language sql immutable parallel safe as $body$
  select case when one is null then other when other is null then one else (
    select ${name('pack')}(array_agg(${countAt('one', 'length', 'place')}::bigint
      + ${countAt('other', 'length', 'place')} order by place))
    from generate_series(0, length - 1) as place
  ) end
$body$`,
    commitFunction(names),
    purgeFunction(names),
  ];
}

/** Writes a tick: see `MetricsStore.commit`. A parameter is as the Redis store has it. */
function commitFunction(names: SqlNames): string {
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
      select id, floor, 'c' as kind, (pair ->> 0)::bigint as minute, (pair ->> 1)::bigint as n
      from given cross join jsonb_array_elements(c) as pair
      union all
      select id, floor, 'f', (pair ->> 0)::bigint, (pair ->> 1)::bigint
      from given cross join jsonb_array_elements(f) as pair
    ), deltas as (
      select id, kind, minute, n - coalesce(${countAt('packed', minutesPerHour, '(minute % 60)::integer')}, 0) as delta
      from counted left join ${name('minutes')} as stored on stored.queue_id = id and stored.hour = minute / 60
      cross join lateral (
        select case kind when 'c' then stored.completed else stored.failed end as packed
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
    ), by_minute as (
      insert into ${name('minutes')} as stored (queue_id, hour, completed, failed)
      select id, hour, ${packedFrom(names, 'completed', minutesPerHour)},
        ${packedFrom(names, 'failed', minutesPerHour)}
      from counts order by id, hour
      on conflict (queue_id, hour) do update set
        completed = ${name('add')}(stored.completed, excluded.completed, ${minutesPerHour}),
        failed = ${name('add')}(stored.failed, excluded.failed, ${minutesPerHour})
    ), by_hour as (
      ${tierWrite(names, 'hour', 'hour')}
    )
    ${tierWrite(names, 'day', 'hour / 24')};

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

/** Adds what a tick has read of an hour or day of a queue: one new version of its row, and none where nothing changes. */
function tierWrite(names: SqlNames, tier: 'hour' | 'day', bucket: string): string {
  const kinds = ['runtime', 'waittime'] as const;
  const isCount = `at < ${bucketCount}`;
  const more = (column: string): string =>
    `${column} = coalesce(stored.${column} + excluded.${column}, stored.${column}, excluded.${column})`;
  const add = qualified(names, 'add');
  return `insert into ${qualified(names, `${tier}s`)} as stored
        (queue_id, ${tier}, completed, failed, age, runtime, runtime_ms, waittime, waittime_ms)
      select id, bucket, c, f, age,
        ${kinds.map((kind) => `${packedFrom(names, kind, bucketCount)}, ${kind}_ms`).join(', ')}
      from (
        select id, bucket, sum(c)::bigint as c, sum(f)::bigint as f, max(age) as age,
          ${kinds.map((kind) => gathered(kind, 'n', `kind = '${kind}' and ${isCount}`)).join(', ')},
          ${kinds.map((kind) => `(sum(n) filter (where kind = '${kind}' and not ${isCount}))::bigint as ${kind}_ms`).join(', ')}
        from (
          select id, ${bucket} as bucket, c, f, null::bigint as age, null as kind, null::integer as at, null::bigint as n from counts
          union all select id, ${bucket}, null, null, age, null, null, null from ages
          union all select id, ${bucket}, null, null, null, kind, at, sum(n)::bigint from durations group by id, ${bucket}, kind, at
        ) as parts group by id, bucket
      ) as read order by id, bucket
      on conflict (queue_id, ${tier}) do update set ${more('completed')}, ${more('failed')},
        age = greatest(stored.age, excluded.age),
        ${kinds.map((kind) => `${kind} = ${add}(stored.${kind}, excluded.${kind}, ${bucketCount}), ${more(`${kind}_ms`)}`).join(', ')}
      where num_nonnulls(excluded.completed, excluded.failed, excluded.runtime, excluded.waittime) > 0
        or excluded.age > coalesce(stored.age, -1)`;
}

/** Deletes the history of a queue up to a day, and takes its counts out of those of all queues. */
function purgeFunction(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  const less = (column: string): string =>
    `${column} = nullif(coalesce(total.${column}, 0) - coalesce(gone.${column}, 0), 0)`;
  const lessMinutes = (column: string): string => `${column} = case when gone.${column} is null
        or total.${column} is null then total.${column}
        else (select case when bool_or(n > 0) then ${name('pack')}(array_agg(n order by place)) end from (
          select place, greatest(0::bigint, ${countAt(`total.${column}`, minutesPerHour, 'place')}
            - ${countAt(`gone.${column}`, minutesPerHour, 'place')}) as n
          from generate_series(0, ${minutesPerHour - 1}) as place) as left_over) end`;
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
