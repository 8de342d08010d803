/** The jobs that run in the queues that a sender may see, and how long those of their queue usually run. */

import { measuredJobs, mostRunning, mostRunningQueues } from '../../contract/index.ts';
import type { QueueRunning } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import type { HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { PgqRow } from '../listings/listings.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { jobsOf } from './conditions.ts';
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

/** The median of the time that the last completed jobs of the queue ran; null where that needs an index that is not there. */
async function usualIn(schema: JobSchema, queueName: string): Promise<QueueRunning['usual']> {
  if (!schema.state.columns.has('instance')) return null;
  const [row] = await schema.read(async (session) => {
    const jobs = await jobsOf(schema, session, queueName);
    return session.query(
      `select percentile_disc(0.5) within group (order by ran) as ms, count(ran)::int as jobs from (
        select case when state = 'completed'
          then greatest(0, extract(epoch from completed_on - started_on)::float8 * 1000) end as ran
        from "${schema.name}".job where ${jobs.text} and completed_on is not null
        order by completed_on desc limit ${measuredJobs}) as last`,
      jobs.values,
    );
  });
  const jobs = Number(row?.['jobs'] ?? 0);
  return jobs === 0 ? null : { ms: Math.round(Number(row?.['ms'])), jobs };
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
    const shown: QueueRunning[] = [];
    for (const [name, rows] of byQueue.slice(0, mostRunningQueues)) {
      const jobs = rows.map(jobOf).toSorted((a, b) => (a.startedOn ?? 0) - (b.startedOn ?? 0));
      shown.push({
        queueName: name,
        active: jobs.length,
        jobs: jobs.slice(0, mostRunning),
        usual: await usualIn(schema, name),
      });
    }
    return { at, queues: shown, others: byQueue.length - shown.length };
  });
}
