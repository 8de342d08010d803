/** The jobs that run in the queues that a sender may see, and how long those of their queue usually run. */

import { measuredJobs, mostRunning, mostRunningQueues } from '../../contract/index.ts';
import type { QueueRunning } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { scopedJobs } from './conditions.ts';
import { withinLimit } from './job-rows.ts';

type JobRow = PgqRow<'job'>;
type Job = QueueRunning['jobs'][number];

const momentOf = (text: string | null | undefined): number | null =>
  text === null || text === undefined ? null : Date.parse(text);

function jobOf({ id = '', startedOn, heartbeatSeconds, heartbeatOn }: JobRow): Job {
  return {
    id,
    // The library does not say which of its workers runs a job.
    worker: null,
    startedOn: momentOf(startedOn),
    ...(typeof heartbeatSeconds === 'number' && {
      heartbeat: { everyMs: heartbeatSeconds * 1_000, lastOn: momentOf(heartbeatOn) },
    }),
  };
}

/**
 * The median of the time that the last completed jobs of each queue ran; of no queue where that needs an index that is not
 * there.
 */
async function usualOf(
  schema: JobSchema,
  queueNames: readonly string[],
): Promise<ReadonlyMap<string, QueueRunning['usual']>> {
  if (!schema.state.columns.has('instance') || queueNames.length === 0) return new Map();
  const rows = await schema.read(async (session) => {
    const { text, values } = await scopedJobs(schema, session, queueNames);
    return session.query(
      `select queue_name, measured.* from unnest($${values.length + 1}::text[]) as queue (queue_name)
      cross join lateral (
        select percentile_disc(0.5) within group (order by ran) as ms, count(ran)::int as jobs from (
          select case when state = 'completed'
            then greatest(0, extract(epoch from completed_on - started_on)::float8 * 1000) end as ran
          from "${schema.name}".job where job.name = queue_name and completed_on is not null and (${text})
          order by completed_on desc limit ${measuredJobs}) as last
      ) as measured where jobs > 0`,
      [...values, queueNames],
    );
  });
  return new Map(
    rows.map((row) => [
      String(row['queue_name']),
      { ms: Math.round(Number(row['ms'])), jobs: Number(row['jobs']) },
    ]),
  );
}

/** The jobs that run, by queue: of all queues whose jobs the sender may see, or of one. */
export function listRunning(
  installation: Installation,
  queues: VisibleQueues,
  request: HookRequest,
  queueName: string | undefined,
): Promise<{ at: number; queues: QueueRunning[]; others: number }> {
  const at = Date.now();
  return installation.open(async (opened) => {
    const schema = await queues.scoped(opened, request);
    const chosen = queueName === undefined ? undefined : [queueName];
    const limit = await queues.ofJobs(schema, request, { queues: chosen, ofStates: true });
    if (limit.operator === 'in' && limit.names.length === 0) return { at, queues: [], others: 0 };
    const { data } = await schema.read((session) =>
      runQuery(
        schema.listings.source(session, 'job'),
        { filter: { state: { eq: 'active' } }, sort: 'createdOn,id' },
        schema.listings.rules.running,
        { ...schema.jobOptions, transformPlan: withinLimit(limit) },
      ),
    );
    const byQueue = [...Map.groupBy(data, (row) => row.queueName ?? '')].toSorted(
      ([one], [other]) => (one < other ? -1 : 1),
    );
    const busy = byQueue.slice(0, mostRunningQueues);
    const usual = await usualOf(
      schema,
      busy.map(([name]) => name),
    );
    const shown = busy.map(([name, rows]): QueueRunning => {
      const jobs = rows.map(jobOf).toSorted((a, b) => (a.startedOn ?? 0) - (b.startedOn ?? 0));
      return {
        queueName: name,
        active: jobs.length,
        jobs: jobs.slice(0, mostRunning),
        usual: usual.get(name) ?? null,
      };
    });
    return { at, queues: shown, others: byQueue.length - shown.length };
  });
}
