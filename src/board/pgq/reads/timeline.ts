/**
 * Counts the jobs of a queue over time, among those that are stored. pg-boss 12.38 has indexes of a queue by the times of
 * creation and of completion; of an earlier one, any jobs of the queue are read up to the limit.
 */

import { mostFinished, tallyOf } from '../../contract/index.ts';
import type { QueueTimeline, TimelineBuckets } from '../../contract/index.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import { jobsOf } from './conditions.ts';

/** One more than the limit tells whether there are more. */
const most = mostFinished + 1;

export function queueTimeline(
  { name: schema, state, read, ...rest }: JobSchema,
  queueName: string,
  buckets: TimelineBuckets,
): Promise<QueueTimeline> {
  const { from, bucketMs, count } = buckets;
  const isIndexed = state.columns.has('instance');
  return read(async (session) => {
    const jobs = await jobsOf({ name: schema, state, read, ...rest }, session, queueName);
    const at = jobs.values.length;
    const span = (column: string): string =>
      isIndexed
        ? `and ${column} >= to_timestamp($${at + 1}::float8 / 1000)
          and ${column} < to_timestamp($${at + 2}::float8 / 1000) order by ${column} desc`
        : '';
    const counts = (series: string, column: string): string => `
      select ${series} as series, coalesce(floor((extract(epoch from at)::numeric * 1000
        - $${at + 1}::numeric) / $${at + 3}::numeric), -1)::bigint as bucket, count(*)::int as jobs
      from (select state::text as state, ${column} as at from "${schema}".job
        where ${jobs.text} ${span(column)} limit ${most}) as stored
      group by 1, 2`;
    const rows = await session.query(
      `select series, bucket, jobs from (${counts(`'added'`, 'created_on')}) as added
      where $${at + 2}::float8 is not null
      union all ${counts('state', 'completed_on')}`,
      [...jobs.values, from, from + bucketMs * count, bucketMs],
    );
    const sums = { added: 0, ended: 0 };
    const tallies = {
      added: tallyOf(buckets),
      completed: tallyOf(buckets),
      failed: tallyOf(buckets),
    };
    for (const row of rows) {
      const series = String(row['series']);
      const jobsIn = Number(row['jobs']);
      sums[series === 'added' ? 'added' : 'ended'] += jobsIn;
      const tally = new Map(Object.entries(tallies)).get(series);
      tally?.add(from + Number(row['bucket']) * bucketMs, jobsIn);
    }
    const partial: QueueTimeline['partial'] = [];
    if (sums.added === most) partial.push('added');
    if (sums.ended === most) partial.push('completed', 'failed');
    return {
      from,
      bucketMs,
      added: tallies.added.counted,
      completed: tallies.completed.counted,
      failed: tallies.failed.counted,
      examined: sums.added,
      partial,
    };
  });
}
