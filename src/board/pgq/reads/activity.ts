/** The activity of queues, from the statistics that the library keeps: it counts the jobs of each of its passes. */

import type { PgqInstance, QueueActivity } from '../../contract/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { QueueRow } from './queues.ts';

const secondsPerMinute = 60;

/** Jobs finished per minute by queue: the sum of the passes in each minute. */
type Minutes = ReadonlyMap<string, { readonly completed: number[]; readonly failed: number[] }>;

const minutesSql = (schema: string): string => `
select name, floor(extract(epoch from delta_on) / 60)::bigint as minute,
  sum(completed_delta)::bigint as completed, sum(failed_delta)::bigint as failed
from "${schema}".queue_stats
where name = any($1) and captured_on >= to_timestamp($2) and delta_on >= to_timestamp($2)
  and delta_on < to_timestamp($3)
group by 1, 2`;

/** The last full minutes of the queues, newest first; undefined where the library does not record them. */
function readMinutes(
  installation: Installation,
  names: readonly string[],
  at: number,
  minutes: number,
): Promise<Minutes | undefined> {
  return installation.open(async ({ name: schema, state, read }) => {
    if (!state.columns.get('queue_stats')?.has('completed_delta')) return undefined;
    const current = Math.floor(at / 1_000 / secondsPerMinute);
    const [from, to] = [(current - minutes) * secondsPerMinute, current * secondsPerMinute];
    const rows = await read((session) => session.query(minutesSql(schema), [names, from, to]));
    const zeros = (): number[] => Array.from({ length: minutes }, () => 0);
    const found = new Map(names.map((name) => [name, { completed: zeros(), failed: zeros() }]));
    for (const row of rows) {
      const counts = found.get(String(row['name']));
      const place = current - 1 - Number(row['minute']);
      if (!counts || place < 0 || place >= minutes) continue;
      counts.completed[place] = Number(row['completed'] ?? 0);
      counts.failed[place] = Number(row['failed'] ?? 0);
    }
    return found;
  });
}

function perMinute(row: QueueRow): QueueActivity['perMinute'] {
  const { completedDelta, failedDelta, deltaSeconds } = row;
  if (completedDelta == null || failedDelta == null || !deltaSeconds) return null;
  const rate = (count: number): number =>
    Math.round((count * secondsPerMinute * 10) / deltaSeconds) / 10;
  return { completed: rate(completedDelta), failed: rate(failedDelta), source: 'metrics' };
}

/** The activity of the queues of these rows; `instances` are null where the library does not record workers. */
export async function activityOf(
  installation: Installation,
  rows: readonly QueueRow[],
  instances: readonly PgqInstance[] | null,
  minutes: number,
): Promise<{ at: number; queues: QueueActivity[] }> {
  const at = Date.now();
  const names = rows.map(({ name = '' }) => name);
  const counted =
    minutes > 0 && names.length > 0
      ? await readMinutes(installation, names, at, minutes)
      : undefined;
  const workers = Map.groupBy(
    (instances ?? []).filter(({ live }) => live).flatMap((instance) => instance.workers),
    ({ queueName }) => queueName,
  );
  const queues = rows.map((row): QueueActivity => {
    const { name = '', readyOldestSeconds } = row;
    return {
      queueName: name,
      workers: instances && (workers.get(name)?.length ?? 0),
      oldestWaiting: readyOldestSeconds == null ? null : readyOldestSeconds * 1_000,
      perMinute: perMinute(row),
      ...(minutes > 0 && { minutes: counted?.get(name) ?? null }),
    };
  });
  return { at, queues };
}
