/**
 * Counts the failed jobs of a queue of BullMQ's tables, along the index of the time at which they failed. As in Redis, digits
 * tell jobs apart only in reasons that may name the queue of a child.
 */

import { mostReleaseBytes, reasonBytes, releaseLength } from '../../core/index.ts';
import type { FailureQuery, StoredFailures } from '../model/failures.ts';
import { InvalidPosition } from '../model/search-criteria.ts';
import type { SqlRows } from './pool.ts';

/** Jobs per statement, and where whole jobs are read. */
const [chunk, wholeChunk] = [4_000, 100];

/** The release in the data; null where it is not read, or the data is large. */
const release = `case when pg_column_size(data) <= ${mostReleaseBytes}
  and jsonb_typeof(data -> 'release') in ('string', 'number')
  then nullif(left(data ->> 'release', ${releaseLength}), '') end`;

/** The next `$6` failed jobs of queue `$1` since `$2` after the position `$3`, `$4`; in buckets of `$7` from `$5`. */
const failuresStatement = (reads: FailureQuery['reads']): string => `
  with failure as materialized (
    select id, name, left(failed_reason, ${reasonBytes}) as reason, finished_at_ms::numeric as at, seq,
      ${reads === 'reasons' ? 'null::text' : release} as release,
      ${reads === 'jobs' ? 'data::text' : 'null::text'} as data,
      ${reads === 'jobs' ? 'seq' : '0'} as own,
      greatest(-1, floor((finished_at_ms::numeric - $5::numeric) / $7::numeric))::int as bucket
    from job where queue = $1 and state = 'failed' and finished_at_ms >= $2::numeric::bigint
      and (finished_at_ms, seq) < ($3::bigint, $4::bigint)
    order by finished_at_ms desc, seq desc limit $6
  )
  select (array_agg(reason order by at desc, seq desc))[1] as reason, name, release, bucket, count(*)::int as count, min(at)::text as first_at, max(at)::text as last_at,
    (array_agg(id order by at desc, seq desc))[1] as id, min(data) as data,
    (select count(*) from failure)::int as examined,
    (select at || ' ' || seq from failure order by at, seq limit 1) as position
  from failure group by case when position('child ' in reason) > 0 then reason
    else translate(reason, '123456789', '000000000') end, name, release, bucket, own`;

/** Behind every job of one time. */
const lastSeq = '9223372036854775807';

function placeIn(after: string | null, at: number): readonly [at: string, seq: string] {
  if (after === null) return [String(at), lastSeq];
  const [, ended, seq] = /^(\d{1,16}) (\d{1,18})$/.exec(after) ?? [];
  if (ended === undefined || seq === undefined) {
    throw new InvalidPosition('The position is not one of failed jobs.');
  }
  return [ended, seq];
}

/** Counts the next failed jobs. */
export async function readFailures(
  query: (text: string, values: unknown[]) => Promise<SqlRows['rows']>,
  queue: string,
  { since, at, from, bucketMs, reads, after }: FailureQuery,
): Promise<StoredFailures> {
  const size = reads === 'jobs' ? wholeChunk : chunk;
  const [ended, seq] = placeIn(after, at);
  const values = [queue, Math.ceil(since), ended, seq, from, size, bucketMs];
  const rows = await query(failuresStatement(reads), values);
  const examined = Number(rows[0]?.['examined'] ?? 0);
  return {
    failures: rows.map((row) => ({
      reason: String(row['reason'] ?? ''),
      name: String(row['name']),
      release: row['release'] === null ? null : String(row['release']),
      bucket: Number(row['bucket']),
      count: Number(row['count']),
      firstAt: Number(row['first_at']),
      lastAt: Number(row['last_at']),
      id: String(row['id']),
      ...(reads === 'jobs' && { data: String(row['data']) }),
    })),
    examined,
    next: examined < size ? null : String(rows[0]?.['position']),
  };
}
