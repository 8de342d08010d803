/** Locks the jobs and schedules that a command decides on, until its transaction ends. The only handwritten SQL of commands. */

import type { NamedRow } from '../connect/read-channel.ts';
import type { OpenSchema } from '../listings/installation.ts';
import { jobStatesById } from '../reads/job-rows.ts';
import type { JobState } from '../schema/tables.ts';
import type { CommandStep } from './writable-schemas.ts';

/** A job that no one else changes until the transaction ends. */
export interface LockedJob {
  readonly id: string;
  readonly state: JobState;
  /** Jobs of one such key exclude each other under the policy of the queue; `null` when nothing excludes the job. */
  readonly exclusiveKey: string | null;
  /** Whether other jobs may wait for it. */
  readonly blocking: boolean;
}

/** A job of any queue. */
export interface JobRef {
  readonly queueName: string;
  readonly id: string;
}

/** Whether others may wait for a job, in a schema that may lack the column. */
const blockingIn = ({ state }: OpenSchema): string =>
  state.features.dependencies ? 'blocking' : 'false as blocking';

/** Under these policies, one job per key may wait or run. */
const keyed = `policy in ('short', 'singleton', 'stately', 'exclusive', 'key_strict_fifo')`;

export const lockedColumns = (
  schema: OpenSchema,
): string => `id::text as id, state::text as state, ${blockingIn(schema)},
  case when ${keyed} then coalesce(singleton_key, '')
    when singleton_on is not null then singleton_on::text || ' ' || coalesce(singleton_key, '') end as key`;

export const lockedJob = (row: NamedRow): LockedJob => ({
  id: String(row['id']),
  state: row['state'] as JobState,
  exclusiveKey: typeof row['key'] === 'string' ? row['key'] : null,
  blocking: row['blocking'] === true,
});

/** The ids that the sender may see. */
async function seenAmong(
  { schema }: CommandStep,
  queueName: string,
  ids: readonly string[],
): Promise<ReadonlySet<string>> {
  if (!schema.jobOptions.scope || ids.length === 0) return new Set(ids);
  return new Set((await jobStatesById(schema, queueName, ids)).keys());
}

/** Whether the sender may see all of the jobs. */
export async function seesAll(step: CommandStep, refs: readonly JobRef[]): Promise<boolean> {
  for (const [queueName, group] of Map.groupBy(refs, (ref) => ref.queueName)) {
    const ids = group.map(({ id }) => id);
    if ((await seenAmong(step, queueName, ids)).size < ids.length) return false;
  }
  return true;
}

/** The jobs that the sender may see. */
async function seen<Job extends { readonly id: string }>(
  step: CommandStep,
  queueName: string,
  jobs: readonly Job[],
): Promise<readonly Job[]> {
  const ids = await seenAmong(
    step,
    queueName,
    jobs.map(({ id }) => id),
  );
  return jobs.filter(({ id }) => ids.has(id));
}

/** Locks jobs in the order of their ids, so that no two commands wait for each other. */
export async function lockJobs(
  step: CommandStep,
  queueName: string,
  ids: readonly string[],
): Promise<readonly LockedJob[]> {
  const { schema } = step;
  const rows = await schema.read((session) =>
    session.query(
      `select ${lockedColumns(schema)} from "${schema.name}".job where name = $1 and id = any($2::uuid[]) order by job.id for update`,
      [queueName, ids],
    ),
  );
  return seen(step, queueName, rows.map(lockedJob));
}

/** The next jobs of a purge. */
interface NextJobs {
  /** Those that the sender may see. */
  readonly jobs: readonly LockedJob[];
  /** The number of jobs that were locked, and the last id. */
  readonly count: number;
  readonly last: string | undefined;
}

/** The id before all others. */
export const beforeAll = '00000000-0000-0000-0000-000000000000';

/**
 * Makes the transaction walk a queue along an index. Where statistics are old, the database would read and sort all that
 * is left of the queue again for each step. Returns the time of the transaction.
 */
export async function walkKeys({ schema }: CommandStep): Promise<string> {
  const [row] = await schema.read((session) =>
    session.query(
      `select set_config('enable_sort', 'off', true), set_config('enable_bitmapscan', 'off', true),
        set_config('jit', 'off', true), set_config('max_parallel_workers_per_gather', '0', true), now()::text as now`,
      [],
    ),
  );
  return String(row?.['now']);
}

/** Limits of the next jobs. */
interface NextLimits {
  /** Jobs created after this time are left out. */
  readonly until?: string | undefined;
  /** Whether only jobs on which others may wait are taken. Default false. */
  readonly blocking?: boolean;
}

/**
 * Locks the next jobs of a queue in some states, after an id and in the order of ids: of the column, since the text of
 * the same name has no index. Jobs that others have locked are left out.
 */
export async function lockNextJobs(
  step: CommandStep,
  queueName: string,
  states: readonly JobState[],
  after: string,
  count: number,
  { until, blocking = false }: NextLimits = {},
): Promise<NextJobs> {
  const { schema } = step;
  const rows = await schema.read((session) =>
    session.query(
      `select ${lockedColumns(schema)} from "${schema.name}".job
      where name = $1 and state::text = any($2::text[]) and id > $3::uuid
        and ($5::timestamptz is null or created_on <= $5::timestamptz) ${blocking ? 'and blocking' : ''}
      order by job.id limit $4 for update skip locked`,
      [queueName, states, after, count, until ?? null],
    ),
  );
  const locked = rows.map(lockedJob);
  const jobs = await seen(step, queueName, locked);
  return { jobs, count: locked.length, last: locked.at(-1)?.id };
}

/**
 * Locks the jobs that wait for jobs of a queue, and those that wait for them in turn, in the order of queues and ids;
 * without the given ones. A job is awaited until the library has told those that wait for it, which follows its completion.
 */
export async function lockDependents(
  { schema }: CommandStep,
  queueName: string,
  jobs: readonly LockedJob[],
): Promise<readonly JobRef[]> {
  if (!jobs.some(({ blocking }) => blocking)) return [];
  const rows = await schema.read((session) =>
    session.query(
      `with recursive waiting as (
        select d.child_name, d.child_id from "${schema.name}".job_dependency d
        join "${schema.name}".job parent on parent.name = d.parent_name and parent.id = d.parent_id
        where d.parent_name = $1 and d.parent_id = any($2::uuid[]) and parent.blocking
        union
        select d.child_name, d.child_id from waiting w
        join "${schema.name}".job_dependency d on d.parent_name = w.child_name and d.parent_id = w.child_id
      )
      select job.name, job.id::text as id from "${schema.name}".job
      join waiting on waiting.child_name = job.name and waiting.child_id = job.id
      where job.blocked and not (job.name = $1 and job.id = any($2::uuid[]))
      order by job.name, job.id for update of job`,
      [queueName, jobs.map(({ id }) => id)],
    ),
  );
  return rows.map((row) => ({ queueName: String(row['name']), id: String(row['id']) }));
}

/**
 * The ids of jobs for which, directly or through others, a job waits that is not among them. The jobs that wait are
 * found downwards, and those for which they wait upwards, each once, whatever the number of paths between them.
 */
export async function awaitedElsewhere(
  { schema }: CommandStep,
  queueName: string,
  jobs: readonly Pick<LockedJob, 'id' | 'blocking'>[],
): Promise<ReadonlySet<string>> {
  const blocking = jobs.filter((job) => job.blocking).map(({ id }) => id);
  if (blocking.length === 0) return new Set();
  const [job, dependency] = [`"${schema.name}".job`, `"${schema.name}".job_dependency`];
  const rows = await schema.read((session) =>
    session.query(
      `with recursive below as (
        select d.child_name as name, d.child_id as id from ${job} parent
        join ${dependency} d on d.parent_name = parent.name and d.parent_id = parent.id
        where parent.name = $1 and parent.id = any($2::uuid[]) and parent.blocking
        union
        select d.child_name, d.child_id from below
        join ${dependency} d on d.parent_name = below.name and d.parent_id = below.id
      ), above as (
        select below.name, below.id from below
        join ${job} child on child.name = below.name and child.id = below.id
        where child.blocked and not (child.name = $1 and child.id = any($3::uuid[]))
        union
        select d.parent_name, d.parent_id from above
        join ${dependency} d on d.child_name = above.name and d.child_id = above.id
      )
      select above.id::text as id from above
      join ${job} parent on parent.name = above.name and parent.id = above.id
      where above.name = $1 and above.id = any($2::uuid[]) and parent.blocking`,
      [queueName, blocking, jobs.map(({ id }) => id)],
    ),
  );
  return new Set(rows.map((row) => String(row['id'])));
}

/** Locks a schedule, if there is one. */
export async function lockSchedule(
  { schema }: CommandStep,
  queueName: string,
  key: string,
): Promise<void> {
  await schema.read((session) =>
    session.query(
      `select 1 from "${schema.name}".schedule where name = $1 and key = $2 for update`,
      [queueName, key],
    ),
  );
}

/**
 * Takes the key of a schedule that does not exist yet, and tells whether it was free. A row of its own, which the library
 * replaces in the same transaction, keeps it from everyone; a library that writes on another connection would wait for
 * that row, so that a lock keeps it from other boards.
 */
export async function claimSchedule(
  { schema, instance, own }: CommandStep,
  queueName: string,
  key: string,
): Promise<boolean> {
  const ask = (text: string, values: unknown[]) =>
    schema.read((session) => session.query(text, values));
  const table = `"${schema.name}".schedule`;
  if (instance !== own) {
    const claimed = await ask(
      `insert into ${table} (name, key, cron) values ($1, $2, '* * * * *') on conflict do nothing returning name`,
      [queueName, key],
    );
    return claimed.length > 0;
  }
  const [lock] = await ask(
    `select pg_try_advisory_xact_lock(hashtext('sluice:schedule'), hashtext($1)) as locked`,
    [JSON.stringify([schema.name, queueName, key])],
  );
  // A statement of its own, so that it sees what was committed before the lock.
  const found = await ask(`select 1 from ${table} where name = $1 and key = $2`, [queueName, key]);
  return lock?.['locked'] === true && found.length === 0;
}
