/** The function of the PostgreSQL store that deletes a part of the history. */

import { countAt, lockOf, minutesPerHour, qualified, type SqlNames } from './layout.ts';

/** Deletes rows up to a day, and counts them. */
function deletions(names: SqlNames, queues: string, attempts: string): string {
  const name = (table: string): string => qualified(names, table);
  return `with gone as (
    delete from ${name('hours')} where ${queues} and hour / 24 <= last_day returning 1
  ), gone_minutes as (
    delete from ${name('minutes')} where ${queues} and hour / 24 <= last_day returning 1
  ), gone_present as (
    delete from ${name('present')} where ${queues} and hour / 24 <= last_day
    returning case when num_nonnulls(completed_minutes, failed_minutes) > 0 then 2 else 1 end as keys
  ) select (select count(*) from gone) + (select count(*) from gone_minutes)
    + (select coalesce(sum(gone_present.keys), 0) from gone_present) into keys;
  with gone as (
    delete from ${name('days')} where ${queues} and day <= last_day returning 1
  ) select count(*) into fields from gone;
  if whole then
    delete from ${name('attempts')} where ${attempts};
  end if;`;
}

/** Forbids counts and durations from before the purge. */
const floored = (names: SqlNames, queues: string): string => `update ${qualified(names, 'queues')}
  set floor = greatest(floor, least((last_day + 1) * 1440, now_ms / 60000)),
    sampled_to = case when whole then now_ms else sampled_to end
  where ${queues} and name <> '__global__';`;

/**
 * Deletes the history of a queue up to a day, and takes its counts out of those of all queues; that of all queues where
 * the name is null.
 */
export function purgeFunction(names: SqlNames): string {
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
  if purged is null then
    ${deletions(names, 'true', 'true')}
    ${floored(names, 'true')}
    return jsonb_build_array(keys, fields);
  end if;
  select id into wanted from ${name('queues')} where name = purged;
  select id into global_id from ${name('queues')} where name = '__global__';
  if wanted is null then
    -- A queue that is recorded later has no counts of before either.
    insert into ${name('queues')} (name) values (purged) returning id into wanted;
  end if;
  if wanted <> global_id then
    update ${name('minutes')} as total set ${lessMinutes('completed')}, ${lessMinutes('failed')}
    from (
      select hour, completed, failed from ${name('minutes')} where queue_id = wanted union all
      select hour, completed_minutes, failed_minutes from ${name('present')} where queue_id = wanted
    ) as gone where total.queue_id = global_id and gone.hour = total.hour and gone.hour / 24 <= last_day;
    update ${name('hours')} as total set ${less('completed')}, ${less('failed')}
    from (
      select hour, completed, failed from ${name('hours')} where queue_id = wanted union all
      select hour, completed, failed from ${name('present')} where queue_id = wanted
    ) as gone where total.queue_id = global_id and gone.hour = total.hour and gone.hour / 24 <= last_day;
    update ${name('present')} as total set ${less('completed')}, ${less('failed')},
      ${lessMinutes('completed_minutes')}, ${lessMinutes('failed_minutes')}
    from ${name('present')} as gone
    where total.queue_id = global_id and gone.queue_id = wanted and gone.hour = total.hour
      and gone.hour / 24 <= last_day;
    update ${name('days')} as total set ${less('completed')}, ${less('failed')}
    from ${name('days')} as gone
    where total.queue_id = global_id and gone.queue_id = wanted and gone.day = total.day and gone.day <= last_day;
  end if;
  ${deletions(names, 'queue_id = wanted', 'queue = purged')}
  ${floored(names, 'id = wanted')}
  return jsonb_build_array(keys, fields);
end
$body$`;
}
