/**
 * The tables of the PostgreSQL store. A tick is one call of a function, which is its transaction. It writes the newest hour
 * of a queue in the one row that the queue has in `present`. When a later hour begins, that row goes to `hours`, and its
 * sixty minutes to `minutes`: rows there are written once, and stay dense without a vacuum. An hour of a queue is either
 * in `present` or in these tables, which have none that is later. Lists of counts are packed: each count has as many bytes
 * as the largest one needs, the highest byte first.
 */

import { commitFunction } from './commit.ts';
import {
  countAt,
  countedMinutes,
  lockOf,
  qualified,
  schemaLockOf,
  schemaVersion,
} from './layout.ts';
import type { SqlNames } from './layout.ts';
import { purgeFunction } from './purge.ts';

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
 * Rows that are written at each tick have room for their next version on the same page, which then needs no entry of the
 * index and no vacuum. Dead rows must not wait until they are a share of the whole table.
 */
const storage = (fillfactor: number): string =>
  `with (fillfactor = ${fillfactor}, autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 2000)`;

/** Columns of the totals of a span. */
const totals = `completed bigint,
  failed bigint,
  age bigint,
  runtime_ms bigint,
  waittime_ms bigint,
  runtime bytea,
  waittime bytea`;

/** Statements that create everything, or leave it as it is. They need the right to create in the schema. */
export function migrationStatements(names: SqlNames): string[] {
  const name = (table: string): string => qualified(names, table);
  return [
    // Migrations at once wait for each other.
    `select ${schemaLockOf(names)}`,
    `select ${lockOf(names)}`,
    versionCheck(names),
    `create schema if not exists "${names.schema}"`,
    `create or replace function ${name('counted')}(completed bytea, failed bytea) returns smallint
language sql immutable parallel safe as $body$
  select (${countedMinutes('completed')} + ${countedMinutes('failed')})::smallint
$body$`,
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
  ${totals},
  primary key (queue_id, hour)
) ${storage(100)}`,
    `create table if not exists ${name('minutes')} (
  queue_id integer not null,
  hour integer not null,
  completed bytea,
  failed bytea,
  counted smallint not null generated always as (${name('counted')}(completed, failed)) stored,
  primary key (queue_id, hour)
) ${storage(100)}`,
    `create table if not exists ${name('present')} (
  queue_id integer primary key,
  hour integer not null,
  ${totals},
  completed_minutes bytea,
  failed_minutes bytea
) ${storage(30)}`,
    `create table if not exists ${name('days')} (
  queue_id integer not null,
  day integer not null,
  ${totals},
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
