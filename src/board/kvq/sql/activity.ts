/** Reads what goes on in queues of BullMQ's tables in one statement. */

import { isRecord } from '../../../lib/index.ts';
import type { ActivityResult, StoredMetrics } from '../model/activity.ts';
import { fitsSessionName, workerMark } from './facts.ts';
import type { SqlRows } from './pool.ts';

/** Since when a waiting job could run: its delay has passed, and its last attempt has started. */
const since = `greatest(added_at_ms + coalesce((opts->>'delay')::numeric, 0)::bigint, processed_at_ms)`;

/** The queue of a session of a worker: its name before the mark. */
const queueOfSession = `left(application_name, strpos(application_name, '${workerMark}') - 1)`;

/** The first job of a queue to run, and the first one with a priority. */
const firstWaiting = (where: string): string =>
  `(select ${since} from job where queue = given.name and state = 'waiting' and ${where} order by priority, seq limit 1)`;

const finished = (state: 'completed' | 'failed'): string =>
  `(select count(*) from job where queue = given.name and state = '${state}' and finished_at_ms >= $2)`;

const metrics = (kind: 'completed' | 'failed'): string =>
  `(select json_build_object('prevTS', prev_ts, 'prevCount', prev_count, 'count', count, 'data', data[1:$3])
    from metrics where metrics.queue = given.name and kind = '${kind}')`;

/** Activity of the queues `$1`: jobs finished since `$2`, and the metrics of `$3` minutes. */
export function activityStatement(withWorkers: boolean): string {
  const sessions = `select ${queueOfSession} as queue, count(*)::text as workers from pg_stat_activity
    where datname = current_database() and strpos(application_name, '${workerMark}') > 0 group by 1`;
  return `
  with sessions as materialized (${withWorkers ? sessions : 'select null as queue, null as workers'})
  select given.name,
    least(${firstWaiting('priority = 0')}, ${firstWaiting('priority > 0')})::text as since,
    ${finished('completed')}::text as completed, ${finished('failed')}::text as failed,
    ${metrics('completed')} as completed_metrics, ${metrics('failed')} as failed_metrics, sessions.workers
  from unnest($1::text[]) as given(name) left join sessions on sessions.queue = given.name`;
}

function metricsOf(value: unknown): StoredMetrics | null {
  if (!isRecord(value)) return null;
  const number = (part: unknown): number => Number(part ?? 0) || 0;
  const { data } = value;
  return {
    prevTS: number(value['prevTS']),
    prevCount: number(value['prevCount']),
    count: number(value['count']),
    data: Array.isArray(data) ? data.map(number) : [],
  };
}

/** The activity of the queues from the rows of {@link activityStatement}, in order. */
export function activitiesOf(
  names: readonly string[],
  rows: SqlRows['rows'],
  withWorkers: boolean,
): ActivityResult[] {
  const byName = new Map(rows.map((row) => [String(row['name']), row]));
  return names.map((name) => {
    const row = byName.get(name);
    if (!row) return { error: new Error('The queue was not read.') };
    return {
      activity: {
        waitingSince: row['since'] === null ? null : Number(row['since']),
        workers: withWorkers && fitsSessionName(name) ? Number(row['workers'] ?? 0) : null,
        completed: metricsOf(row['completed_metrics']),
        failed: metricsOf(row['failed_metrics']),
        kept: { completed: Number(row['completed']), failed: Number(row['failed']) },
      },
    };
  });
}
