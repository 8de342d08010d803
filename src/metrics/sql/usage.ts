/** Measures the storage of the PostgreSQL store: the bytes of each table, apportioned by the size of the rows. */

import type { QueueUsageRow } from '../../board/core/index.ts';
import { isoDay } from '../model/time.ts';
import { qualified, type SqlNames } from './layout.ts';

/** Storage of each queue; see {@link usageRow}. */
export function usageStatement(names: SqlNames): string {
  const name = (table: string): string => qualified(names, table);
  const size = (table: string): string => `pg_total_relation_size('${name(table)}')::float8`;
  return `with minute_rows as (
        select queue_id, counted, pg_column_size(stored.*) as bytes from ${name('minutes')} as stored
        union all
        select queue_id, ${name('counted')}(completed_minutes, failed_minutes), coalesce(pg_column_size(completed_minutes), 0)
          + coalesce(pg_column_size(failed_minutes), 0) from ${name('present')}
        where num_nonnulls(completed_minutes, failed_minutes) > 0
      ), hour_rows as (
        select queue_id, hour, pg_column_size(stored.*) as bytes from ${name('hours')} as stored
        union all select queue_id, hour, pg_column_size(stored.*) from ${name('present')} as stored
      ), minutes as (
        select queue_id, count(*)::float8 as keys, sum(bytes) as bytes, sum(counted)::float8 as minutes
        from minute_rows group by queue_id
      ), hours as (
        select queue_id, count(*)::float8 as keys, sum(bytes) as bytes, array_agg(distinct hour / 24) as days
        from hour_rows group by queue_id
      ), days as (
        select queue_id, count(*)::float8 as keys, sum(pg_column_size(stored.*)) as bytes
        from ${name('days')} as stored group by queue_id
      ), scales as (
        select ${size('minutes')} / greatest(1, (select sum(bytes) from minutes)) as minute_scale,
          (${size('hours')} + ${size('present')}) / greatest(1, (select sum(bytes) from hours)) as hour_scale,
          ${size('days')} / greatest(1, (select sum(bytes) from days)) as day_scale
      )
      select name, coalesce(minutes.minutes, 0) as minutes, coalesce(hours.days, '{}') as days,
        coalesce(minutes.keys, 0) as minute_keys,
        coalesce(round(minutes.bytes * minute_scale), 0)::float8 as minute_bytes,
        coalesce(hours.keys, 0) as hour_keys, coalesce(round(hours.bytes * hour_scale), 0)::float8 as hour_bytes,
        coalesce(days.keys, 0) as day_keys, coalesce(round(days.bytes * day_scale), 0)::float8 as day_bytes
      from ${name('queues')} as queue cross join scales
      left join minutes on minutes.queue_id = queue.id
      left join hours on hours.queue_id = queue.id left join days on days.queue_id = queue.id`;
}

/** The storage of a queue from a row of {@link usageStatement}. */
export function usageRow(row: Readonly<Record<string, unknown>>): QueueUsageRow {
  const tier = (kind: string) => ({
    keys: Number(row[`${kind}_keys`]),
    bytes: Number(row[`${kind}_bytes`]),
  });
  return {
    queue: String(row['name']),
    minutes: Number(row['minutes']),
    days: (row['days'] as number[]).map(isoDay),
    tiers: { minute: tier('minute'), hour: tier('hour'), day: tier('day') },
  };
}
