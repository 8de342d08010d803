/** Commands on jobs given by id, through the API of pg-boss, and the states in which each is allowed. */

import type { PgqCommandResponse, PgqSkippedJob } from '../../contract/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import { findJob } from '../reads/job-rows.ts';
import type { ShownValues } from '../reads/shown-values.ts';
import { requireJobId } from '../reads/jobs.ts';
import type { VisibleQueues } from '../listings/visible-queues.ts';
import type { JobState } from '../schema/tables.ts';
import { type LockedJob, lockDependents, lockJobs, seesAll } from './locked-jobs.ts';
import { type JobAction, changeJobs, methods, removeRefs } from './change-jobs.ts';
import type { CommandStep, WritableSchemas } from './writable-schemas.ts';

export const allowedStates: { readonly [Action in JobAction]: readonly JobState[] } = {
  retry: ['failed'],
  cancel: ['created', 'retry', 'active'],
  resume: ['cancelled'],
  delete: ['created', 'retry', 'completed', 'cancelled', 'failed'],
};

/** Conditions and consent of the client, from the body. */
export interface JobConditions {
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

/** Commands on jobs by id. */
export class JobCommands {
  readonly #schemas: WritableSchemas;
  readonly #queues: VisibleQueues;
  readonly #values: ShownValues;

  constructor(schemas: WritableSchemas, queues: VisibleQueues, values: ShownValues) {
    this.#values = values;
    this.#schemas = schemas;
    this.#queues = queues;
  }

  /** One job; a state that does not allow the command is a conflict. */
  single(
    request: HookRequest,
    action: JobAction,
    path: { readonly queueName: string; readonly jobId: string },
    conditions: JobConditions,
  ): Promise<PgqCommandResponse> {
    const { queueName, jobId } = path;
    return this.#schemas.open(request, queueName, [methods[action]], async (step) => {
      requireJobId(jobId);
      const [job] = await lockJobs(step, queueName, [jobId]);
      if (!job) {
        await this.#queues.requireNow(step.schema, request, queueName);
        throw new BoardError('JOB_NOT_FOUND');
      }
      await requireUnchanged(step, queueName, job, conditions, this.#values);
      if (!allowedStates[action].includes(job.state)) throw conflict(action, job.state, jobId);
      if (action === 'delete')
        await this.#freeDependents(request, step, queueName, [job], conditions);
      const { affected } = await changeJobs(step, action, queueName, [job]);
      // The policy of the queue does not allow the command.
      if (affected === 0) throw conflict(action, job.state, jobId);
      return { requested: 1, affected };
    });
  }

  /** Up to a hundred jobs; those that it cannot change are skipped. */
  bulk(
    request: HookRequest,
    action: JobAction,
    queueName: string,
    { ids, ...conditions }: { readonly ids: readonly string[] } & JobConditions,
  ): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, [methods[action]], async (step) => {
      const locked = await lockJobs(step, queueName, ids);
      if (locked.length === 0) await this.#queues.requireNow(step.schema, request, queueName);
      const jobs = locked.filter(({ state }) => allowedStates[action].includes(state));
      if (action === 'delete')
        await this.#freeDependents(request, step, queueName, jobs, conditions);
      const { affected } = await changeJobs(step, action, queueName, jobs);
      const skipped = await skippedOf(step, action, queueName, ids, locked, affected);
      return { requested: ids.length, affected, ...(skipped.length > 0 && { skipped }) };
    });
  }

  /** Removes the jobs that would wait forever for jobs that are removed, or refuses. */
  async #freeDependents(
    request: HookRequest,
    step: CommandStep,
    queueName: string,
    jobs: readonly LockedJob[],
    { removeDependents = false }: JobConditions,
  ): Promise<void> {
    const waiting = await lockDependents(step, queueName, jobs);
    if (waiting.length === 0) return;
    const names = new Set(waiting.map((ref) => ref.queueName));
    const shown = await this.#queues.visibleAmong(request, names, 'job.remove');
    const seen = shown.size === names.size && (await seesAll(step, waiting));
    if (!removeDependents || !seen) {
      throw new BoardError('PGQ_JOB_HAS_DEPENDENTS', { options: { count: waiting.length } });
    }
    await removeRefs(step, waiting);
  }
}
