/** Counts the jobs of a queue of BullMQ's tables over time, along the indexes of their states. */

import { mostCounted, mostFinished, tallyOf } from '../../contract/index.ts';
import type { QueueTimeline, TimelineBuckets } from '../../contract/index.ts';
import type { SqlRows } from './pool.ts';

/** Jobs of a state that ended at `$2` or later, and before `$3`: the last `$5` of them, by buckets of `$4`. */
const ended = (state: 'completed' | 'failed'): string => `
  select '${state}' as series, floor((at - $2) / $4)::int as bucket, count(*)::int as jobs
  from (select finished_at_ms::numeric as at from job
    where queue = $1 and state = '${state}' and finished_at_ms >= $2 and finished_at_ms < $3
    order by finished_at_ms desc limit $5) as stored
  group by 2`;

const states = [
  `state = 'waiting'`,
  `state = 'active'`,
  `state = 'delayed'`,
  `state = 'waiting-children'`,
  ...['completed', 'failed'].map((state) => `state = '${state}' and finished_at_ms >= $2`),
];

/** At most `$6` jobs of each state: their number, and those added in each bucket. */
const statement = `
  with stored as materialized (
    ${states
      .map((where, at) => {
        const order = where.includes('finished') ? 'order by finished_at_ms desc' : '';
        return `(select ${at} as state, added_at_ms::numeric as at from job
          where queue = $1 and ${where} ${order} limit $6)`;
      })
      .join(' union all ')}
  )
  select 'read' as series, state as bucket, count(*)::int as jobs from stored group by 2
  union all
  select 'added', floor((at - $2) / $4)::int, count(*)::int from stored
  where at >= $2 and at < $3 group by 2
  union all ${ended('completed')} union all ${ended('failed')}`;

/** One more than the limit of each tells whether there are more. */
const [mostEnded, mostRead] = [mostFinished + 1, mostCounted + 1];

/** Counts the jobs in the buckets; those that ended before the first one were added before it as well. */
export async function readTimeline(
  query: (text: string, values: unknown[]) => Promise<SqlRows['rows']>,
  queue: string,
  buckets: TimelineBuckets,
): Promise<QueueTimeline> {
  const { from, bucketMs, count } = buckets;
  const to = from + bucketMs * count;
  const rows = await query(statement, [queue, from, to, bucketMs, mostEnded, mostRead]);
  const of = (series: string) => {
    const tally = tallyOf(buckets);
    let sum = 0;
    for (const row of rows) {
      if (row['series'] !== series) continue;
      const jobs = Number(row['jobs']);
      tally.add(from + Number(row['bucket']) * bucketMs, jobs);
      sum += jobs;
    }
    return { counted: tally.counted, sum };
  };
  const [added, completed, failed] = [of('added'), of('completed'), of('failed')];
  const read = rows.filter((row) => row['series'] === 'read').map((row) => Number(row['jobs']));
  const partial: QueueTimeline['partial'] = [];
  if (read.some((jobs) => jobs === mostRead)) partial.push('added');
  if (completed.sum === mostEnded) partial.push('completed');
  if (failed.sum === mostEnded) partial.push('failed');
  return {
    from,
    bucketMs,
    added: added.counted,
    completed: completed.counted,
    failed: failed.counted,
    examined: read.reduce((sum, jobs) => sum + jobs, 0),
    partial,
  };
}
