/** The reasons that hold a job back: its time, the jobs that it depends on, those of its key or group, and those that run first. */

import { requireJobId } from '../reads/job-rows.ts';
import type { JobHold, JobHolds } from '../../contract/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { Installation } from '../listings/installation.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import { jobsOf } from '../reads/conditions.ts';
import { readWorkedQueues } from '../reads/instances.ts';

/** Jobs that are read to count those that run first at most, and active ones of a group. */
const mostCounted = 10_000;

/** The states of a job of the same key before whose end another does not begin, by policy. */
const holding = {
  singleton: ['active'],
  stately: ['active'],
  key_strict_fifo: ['active', 'retry', 'failed'],
} as const;

/** The states of a job in which no other of its key is added, by policy. */
const refusing: Readonly<Record<string, readonly string[]>> = {
  short: ['created'],
  stately: ['created'],
  exclusive: ['created', 'retry', 'active'],
};

/** A job and the others that it waits for. */
interface HeldJob {
  readonly state: string;
  readonly policy: string;
  readonly key: string;
  /** Whether its time slot is taken for its key. */
  readonly hasSlot: boolean;
  readonly startsAt: number;
  readonly blocked: boolean;
  readonly pending: number;
  /** Jobs that run first, among those that were read. */
  readonly ahead: number;
  readonly capped: boolean;
  /** The job of the same key that must end first. */
  readonly holder: string | null;
  /** Active jobs of its group. */
  readonly grouped: number;
}

/** Reads the job and the others in one statement, as far as the sender may see them. */
async function readHeld(
  schema: JobSchema,
  queueName: string,
  id: string,
): Promise<HeldJob | undefined> {
  const { name, state, read } = schema;
  const known = state.columns.get('job');
  const column = (column: string, absent: string): string => (known?.has(column) ? column : absent);
  const [row] = await read(async (session) => {
    const { text, values } = await jobsOf(schema, session, queueName);
    const place = values.length + 1;
    const from = `from "${name}".job where ${text}`;
    const holds = Object.entries(holding).map(
      ([policy, states]) => `policy = '${policy}' and state in ('${states.join("', '")}')`,
    );
    return session.query(
      `select own.*, ahead.*, (
        select id::text ${from} and id <> own.job_id and ${column('policy', `''`)} = own.job_policy
          and coalesce(singleton_key, '') = own.key and (${holds.join(' or ')}) limit 1
      ) as holder, (
        select count(*)::int from (
          select 1 ${from} and state = 'active' and ${column('group_id', 'null')}::text = own.of_group limit ${mostCounted}
        ) as grouped
      ) as grouped
      from (
        select id as job_id, state::text as job_state, ${column('policy', `''`)} as job_policy,
          coalesce(singleton_key, '') as key, ${column('singleton_on', 'null')} is not null as has_slot,
          extract(epoch from start_after)::float8 * 1000 as starts_at, priority as own_priority,
          created_on as own_created, ${column('group_id', 'null')}::text as of_group,
          ${column('blocked', 'false')} as is_blocked, ${column('pending_dependencies', '0')} as pending
        ${from} and id = $${place}::uuid
      ) as own cross join lateral (
        select count(*)::int as read, count(*) filter (
          where priority > own_priority
            or priority = own_priority and (created_on, id) < (own_created, job_id)
        )::int as ahead
        from (
          select priority, created_on, id ${from} and state < 'active' and start_after <= now()
            and not ${column('blocked', 'false')} limit ${mostCounted}
        ) as ready
      ) as ahead`,
      [...values, id],
    );
  });
  return (
    row && {
      state: String(row['job_state']),
      policy: String(row['job_policy']),
      key: String(row['key']),
      hasSlot: row['has_slot'] === true,
      startsAt: Number(row['starts_at']),
      blocked: row['is_blocked'] === true,
      pending: Number(row['pending']),
      ahead: Number(row['ahead']),
      capped: Number(row['read']) >= mostCounted,
      holder: typeof row['holder'] === 'string' ? row['holder'] : null,
      grouped: Number(row['grouped']),
    }
  );
}

/** The reasons that hold a queued job back. */
function holdsOf(job: HeldJob, isWorked: boolean): JobHold[] {
  const { state, blocked, startsAt: until, holder, grouped, ahead, capped } = job;
  if (state !== 'created' && state !== 'retry') return [];
  if (blocked) return [{ reason: 'children', count: job.pending }];
  if (until > Date.now()) return [{ reason: state === 'retry' ? 'backoff' : 'delayed', until }];
  return [
    ...(isWorked ? [] : [{ reason: 'no-worker' as const }]),
    ...(holder === null ? [] : [{ reason: 'singleton' as const, jobId: holder }]),
    ...(grouped > 0 ? [{ reason: 'group' as const, count: grouped }] : []),
    ...(ahead > 0 ? [{ reason: 'order' as const, count: ahead, ...(capped && { capped }) }] : []),
  ];
}

/** @param showsWorkers whether the board tells which queues have workers */
export function readHolds(
  installation: Installation,
  queues: VisibleQueues,
  request: HookRequest,
  { queueName, jobId }: { readonly queueName: string; readonly jobId: string },
  showsWorkers: boolean,
): Promise<JobHolds> {
  return installation.open(async (opened) => {
    const schema = await queues.require(opened, request, queueName);
    requireJobId(jobId);
    const job = await readHeld(schema, queueName, jobId);
    if (!job) throw new BoardError('JOB_NOT_FOUND');
    const { state, policy, key, hasSlot } = job;
    const waits = state === 'created' || state === 'retry';
    const worked = showsWorkers && waits ? await readWorkedQueues(installation) : null;
    // The end of a time slot is not stored; that of a job which has ended may be over.
    const isRefusing =
      refusing[policy]?.includes(state) || (hasSlot && (waits || state === 'active'));
    return {
      holds: holdsOf(job, worked?.has(queueName) !== false),
      ...(isRefusing && { deduplication: { key, jobId: jobId.toLowerCase(), until: null } }),
    };
  });
}
