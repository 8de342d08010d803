/** Handlers of commands on jobs given by id, through the API of pg-boss. */

import type { PgqSkippedJob } from '../../contract/index.ts';
import { BoardError, type EngineHandlers, type HookRequest } from '../../core/index.ts';
import { findJob, requireJobId } from '../reads/job-rows.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import type { JobState } from '../schema/tables.ts';
import { type LockedJob, lockDependents, lockJobs, seesAll } from '../commands/locked-jobs.ts';
import {
  type JobAction,
  allowedStates,
  changeJobs,
  methods,
  removeRefs,
} from '../commands/change-jobs.ts';
import type { CommandStep } from '../commands/writable-schemas.ts';
import type { PgqContext } from './context.ts';

/** Conditions and consent of the client, from the body. */
interface JobConditions {
  readonly expectedState?: JobState | undefined;
  readonly ifUnchanged?: string | undefined;
  /** Whether jobs that wait for a removed job are removed as well. */
  readonly removeDependents?: boolean | undefined;
}

function conflict(action: JobAction, state: JobState, jobId: string): BoardError {
  if (action === 'delete' && state === 'active') {
    return new BoardError('JOB_IS_ACTIVE', {
      message: { key: 'JOB_IS_ACTIVE_DETAILS', options: { jobId } },
    });
  }
  return new BoardError('PGQ_JOB_STATE_CONFLICT', { options: { action, state } });
}

/** The jobs of a bulk command that it has left, each once, and why. */
async function skippedOf(
  step: CommandStep,
  action: JobAction,
  queueName: string,
  ids: readonly string[],
  locked: readonly LockedJob[],
  affected: number,
): Promise<PgqSkippedJob[]> {
  const statesOf = (jobs: readonly LockedJob[]) =>
    new Map(jobs.map(({ id, state }) => [id, state]));
  const [before, allowed] = [statesOf(locked), allowedStates[action]];
  const tried = locked.filter(({ state }) => allowed.includes(state)).map(({ id }) => id);
  const refused = affected < tried.length;
  const after = statesOf(refused ? await lockJobs(step, queueName, tried) : []);
  return [...new Set(ids)].flatMap((id) => {
    const key = id.toLowerCase();
    const state = before.get(key);
    if (state === undefined) return [{ id, code: 'JOB_NOT_FOUND' }];
    if (!allowed.includes(state)) return [{ id, code: conflict(action, state, id).key, state }];
    return after.get(key) === state ? [{ id, code: 'PGQ_POLICY_CONFLICT', state }] : [];
  });
}

/** Requires that the job is still as the client has seen it. */
async function requireUnchanged(
  { schema }: CommandStep,
  queueName: string,
  { id, state }: LockedJob,
  { expectedState, ifUnchanged }: JobConditions,
  values: ShownValues,
): Promise<void> {
  const changed = () => new BoardError('JOB_CHANGED', { options: { state } });
  if (expectedState !== undefined && expectedState !== state) throw changed();
  if (ifUnchanged === undefined) return;
  const row = await findJob(schema, queueName, id);
  if (!row || values.versionOf({ queueName, jobId: id }, row) !== ifUnchanged) throw changed();
}

/** A request of a command on one job. */
interface SingleContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string; readonly jobId: string };
  readonly body: JobConditions;
}

/** A request of a command on several jobs. */
interface BulkContext {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string };
  readonly body: { readonly ids: readonly string[] } & JobConditions;
}

export function jobCommands({ schemas, queues, values }: PgqContext) {
  /** Removes the jobs that would wait forever for jobs that are removed, or refuses. */
  const freeDependents = async (
    request: HookRequest,
    step: CommandStep,
    queueName: string,
    jobs: readonly LockedJob[],
    { removeDependents = false }: JobConditions,
  ): Promise<void> => {
    const waiting = await lockDependents(step, queueName, jobs);
    if (waiting.length === 0) return;
    const names = new Set(waiting.map((ref) => ref.queueName));
    const shown = await queues.visibleAmong(request, names, 'job.remove');
    const seen = shown.size === names.size && (await seesAll(step, waiting));
    if (!removeDependents || !seen) {
      throw new BoardError('PGQ_JOB_HAS_DEPENDENTS', { options: { count: waiting.length } });
    }
    await removeRefs(step, waiting);
  };

  /** One job; a state that does not allow the command is a conflict. */
  const single =
    (action: JobAction) =>
    ({ request, params: { queueName, jobId }, body: conditions }: SingleContext) =>
      schemas.open(request, queueName, [methods[action]], async (step) => {
        requireJobId(jobId);
        const [job] = await lockJobs(step, queueName, [jobId]);
        if (!job) {
          await queues.requireNow(step.schema, request, queueName);
          throw new BoardError('JOB_NOT_FOUND');
        }
        await requireUnchanged(step, queueName, job, conditions, values);
        if (!allowedStates[action].includes(job.state)) throw conflict(action, job.state, jobId);
        if (action === 'delete') await freeDependents(request, step, queueName, [job], conditions);
        const { affected } = await changeJobs(step, action, queueName, [job]);
        // The policy of the queue does not allow the command.
        if (affected === 0) throw conflict(action, job.state, jobId);
        return { requested: 1, affected };
      });

  /** Up to a hundred jobs; those that it cannot change are skipped. */
  const bulk =
    (action: JobAction) =>
    ({ request, params: { queueName }, body: { ids, ...conditions } }: BulkContext) =>
      schemas.open(request, queueName, [methods[action]], async (step) => {
        const locked = await lockJobs(step, queueName, ids);
        if (locked.length === 0) await queues.requireNow(step.schema, request, queueName);
        const jobs = locked.filter(({ state }) => allowedStates[action].includes(state));
        if (action === 'delete') await freeDependents(request, step, queueName, jobs, conditions);
        const { affected } = await changeJobs(step, action, queueName, jobs);
        const skipped = await skippedOf(step, action, queueName, ids, locked, affected);
        return { requested: ids.length, affected, ...(skipped.length > 0 && { skipped }) };
      });

  return {
    retryPgqJobs: bulk('retry'),
    retryPgqJob: single('retry'),
    cancelPgqJobs: bulk('cancel'),
    cancelPgqJob: single('cancel'),
    resumePgqJobs: bulk('resume'),
    resumePgqJob: single('resume'),
    removePgqJobs: bulk('delete'),
    removePgqJob: single('delete'),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
