/** Commands on jobs given by id, through the API of pg-boss, and the states in which each is allowed. */

import type { PgqCommandResponse } from '../../contract/index.ts';
import { sqlState } from '../../../lib/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import type { OpenSchema } from '../listings/installation.ts';
import { jobStatesById } from '../reads/job-rows.ts';
import { requireJobId } from '../reads/jobs.ts';
import type { PgBossInstance } from '../connect/pg-boss.ts';
import type { JobState } from '../schema/tables.ts';
import type { WritableSchemas } from './writable-schemas.ts';

/** A command on jobs by id. */
export type JobAction = 'retry' | 'cancel' | 'resume' | 'delete';

/** The job states in which each command is allowed. */
const allowed: { readonly [Action in JobAction]: readonly JobState[] } = {
  retry: ['failed'],
  cancel: ['created', 'retry', 'active'],
  resume: ['cancelled'],
  delete: ['created', 'retry', 'completed', 'cancelled', 'failed'],
};

const methods = {
  retry: 'retry',
  cancel: 'cancel',
  resume: 'resume',
  delete: 'deleteJob',
} as const;

/** unique_violation: the policy of the queue allows one such job, and it exists already. */
const uniqueViolation = '23505';

function affectedOf(result: unknown): number {
  const affected = (result as { affected?: unknown } | null)?.affected;
  return typeof affected === 'number' ? affected : 0;
}

/**
 * Runs the command; if the policy of the queue refuses the batch, runs it job by job, so that the allowed ones succeed.
 */
export async function runCommand(
  instance: PgBossInstance,
  action: JobAction,
  queueName: string,
  ids: readonly string[],
): Promise<number> {
  if (ids.length === 0) return 0;
  try {
    return affectedOf(await instance[methods[action]]?.(queueName, [...ids]));
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    if (ids.length === 1) return 0;
  }
  let affected = 0;
  for (const id of ids) affected += await runCommand(instance, action, queueName, [id]);
  return affected;
}

function conflict(action: JobAction, state: JobState, jobId: string): BoardError {
  if (action === 'delete' && state === 'active') {
    return new BoardError('JOB_IS_ACTIVE', {
      message: { key: 'JOB_IS_ACTIVE_DETAILS', options: { jobId } },
    });
  }
  return new BoardError('PGQ_JOB_STATE_CONFLICT', { options: { action, state } });
}

async function stateOf(schema: OpenSchema, queueName: string, jobId: string): Promise<JobState> {
  const state = (await jobStatesById(schema, queueName, [jobId])).get(jobId.toLowerCase());
  if (!state) throw new BoardError('JOB_NOT_FOUND');
  return state;
}

/** Commands on jobs by id. */
export class JobCommands {
  readonly #schemas: WritableSchemas;

  constructor(schemas: WritableSchemas) {
    this.#schemas = schemas;
  }

  /** One job; a state that does not allow the command is a conflict. */
  single(
    request: HookRequest,
    action: JobAction,
    queueName: string,
    jobId: string,
  ): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, [methods[action]], async (schema, instance) => {
      requireJobId(jobId);
      const state = await stateOf(schema, queueName, jobId);
      if (!allowed[action].includes(state)) throw conflict(action, state, jobId);
      const affected = await runCommand(instance, action, queueName, [jobId]);
      if (affected > 0) return { requested: 1, affected };
      // The job has changed in the meantime, or the policy of the queue does not allow the command.
      throw conflict(action, await stateOf(schema, queueName, jobId), jobId);
    });
  }

  /** Up to a hundred jobs; jobs in other states do not count as affected. */
  bulk(
    request: HookRequest,
    action: JobAction,
    queueName: string,
    ids: readonly string[],
  ): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, [methods[action]], async (schema, instance) => {
      const requested = ids.length;
      if (action !== 'delete') {
        return { requested, affected: await runCommand(instance, action, queueName, ids) };
      }
      // The library would delete an active job while its handler runs.
      const states = await jobStatesById(schema, queueName, ids);
      const free = [...states].filter(([, state]) => state !== 'active').map(([id]) => id);
      return { requested, affected: await runCommand(instance, action, queueName, free) };
    });
  }
}
