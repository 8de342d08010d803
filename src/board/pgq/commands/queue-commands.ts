/** Commands on a queue: send a job, retry all failed jobs, delete waiting or finished jobs. */

import {
  type PgqCommandResponse,
  type SendPgqJobOptions,
  translationKey,
} from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { type ChangedJobs, changeJobs, removeRefs } from './change-jobs.ts';
import { type HeldJob, awaitedElsewhere, holdJobs, holdNextJobs } from './held-jobs.ts';
import { commandBatch } from '../listings/listing-rules.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { sendOptions } from './send-options.ts';
import type { JobSchema, VisibleQueues } from '../listings/visible-queues.ts';
import type { JobState } from '../schema/tables.ts';
import type { CommandStep, WritableSchemas } from './writable-schemas.ts';

/** States of jobs that have not started, and of jobs that have finished. */
const queued: readonly JobState[] = ['created', 'retry'];
const stored: readonly JobState[] = ['completed', 'cancelled', 'failed'];

/** foreign_key_violation: the queue, or the queue for dead letters, does not exist. */
const foreignKeyViolation = '23503';

/** Errors without a class or a SQLSTATE come from the library, which refuses the job. */
function isRefused(error: Error): boolean {
  const found = postgresqlErrorClass(error);
  return found === undefined ? sqlState(error) === undefined : found === 'refused';
}

function refusedOption(option: string, cause?: unknown): BoardError {
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field: `options.${option}` },
    cause,
  });
}

/** Maximum length of the library's reason in a response. */
const maxReasonLength = 200;

/** A job that the library or the database refuses is an error of the request. */
function sendError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BoardError) return error;
  if (isTimeout(error) || !isRefused(error)) return error;
  if (/^Queue .* does not exist$/.test(error.message)) return error;
  if (sqlState(error) === foreignKeyViolation) {
    const { constraint } = error as { constraint?: unknown };
    return constraint === 'q_fkey' ? error : refusedOption('deadLetter', error);
  }
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field: 'options' },
    // The library names the option and its rule; the database would repeat values.
    ...(sqlState(error) === undefined && { message: error.message.slice(0, maxReasonLength) }),
    cause: error,
  });
}

/** A page of the failed jobs of a queue after a cursor, oldest first. */
async function failedJobs(
  { listings, read, jobOptions }: JobSchema,
  queueName: string,
  cursor: string | null,
): Promise<{ readonly ids: string[]; readonly next: string | null }> {
  const request = {
    filter: { queueName: { eq: queueName }, state: { eq: 'failed' } },
    sort: 'createdOn,id',
    perPage: String(commandBatch),
    ...(cursor !== null && { cursor }),
  };
  const { data, nextCursor } = keysetPage(
    await read((session) =>
      runQuery(listings.source(session, 'job'), request, listings.rules.jobStates, jobOptions),
    ),
  );
  return { ids: data.map(({ id = '' }) => id), next: nextCursor };
}

/** The failed jobs among the ids, held, in the order of the ids. */
async function heldFailures(
  step: CommandStep,
  queueName: string,
  ids: readonly string[],
): Promise<HeldJob[]> {
  const held = await holdJobs(step, queueName, ids);
  const byId = new Map(held.map((job) => [job.id, job]));
  return ids.flatMap((id) => {
    const job = byId.get(id);
    return job?.state === 'failed' ? [job] : [];
  });
}

function response(
  { affected, refused }: ChangedJobs,
  key: 'PGQ_POLICY_CONFLICT' | 'PGQ_JOB_HAS_DEPENDENTS',
): PgqCommandResponse {
  return {
    requested: affected + refused,
    affected,
    ...(refused > 0 && { refused: { count: refused, reason: { key: translationKey(key) } } }),
  };
}

/** Deletes the next jobs of a purge, except those that jobs outside of it wait for. */
async function purgeStep(
  step: CommandStep,
  queueName: string,
  states: readonly JobState[],
  after: string,
): Promise<ChangedJobs & { readonly count: number; readonly last: string | undefined }> {
  const { jobs, count, last } = await holdNextJobs(step, queueName, states, after, commandBatch);
  const awaited = await awaitedElsewhere(step, queueName, jobs, states);
  const refs = jobs.filter(({ id }) => !awaited.has(id)).map(({ id }) => ({ queueName, id }));
  const affected = await removeRefs(step, refs);
  return { affected, refused: awaited.size, count, last };
}

/** The id before all others. */
const beforeAll = '00000000-0000-0000-0000-000000000000';

type PurgeArguments = [request: HookRequest, queueName: string, signal: AbortSignal];

/** Commands on queues. */
export class QueueCommands {
  readonly #schemas: WritableSchemas;
  readonly #queues: VisibleQueues;

  constructor(schemas: WritableSchemas, queues: VisibleQueues) {
    this.#schemas = schemas;
    this.#queues = queues;
  }

  /** Sends a job; `null` when the library drops it, such as a second singleton. */
  async send(
    request: HookRequest,
    queueName: string,
    data: unknown,
    options: SendPgqJobOptions = {},
  ): Promise<string | null> {
    const sending = this.#schemas.open(request, queueName, ['send'], async (step) => {
      const { deadLetter } = options;
      const shown = await this.#queues.visibleAmong(request, deadLetter ? [deadLetter] : []);
      if (deadLetter && !shown.has(deadLetter)) throw refusedOption('deadLetter');
      const { instance, transaction, own = instance } = step;
      const given = { ...sendOptions(options), ...transaction };
      // The library accepts any JSON, but its types only objects.
      return (await own.send?.(queueName, data ?? null, given)) ?? null;
    });
    try {
      return await sending;
    } catch (error) {
      throw sendError(error);
    }
  }

  /**
   * Retries every failed job, a thousand at a time, oldest first, and passes over jobs that the policy of the queue
   * refuses. Stops when the client disconnects.
   */
  retryFailed(
    request: HookRequest,
    queueName: string,
    signal: AbortSignal,
  ): Promise<PgqCommandResponse> {
    return this.#schemas.openSteps(request, queueName, ['retry'], async (run) => {
      let affected = 0;
      let refused = 0;
      let cursor: string | null = null;
      do {
        const after = cursor;
        const done: ChangedJobs & { next: string | null } = await run(async (step) => {
          const { ids, next } = await failedJobs(step.schema, queueName, after);
          const jobs = await heldFailures(step, queueName, ids);
          return { ...(await changeJobs(step, 'retry', queueName, jobs, signal)), next };
        });
        affected += done.affected;
        refused += done.refused;
        cursor = done.next;
      } while (cursor !== null && !signal.aborted);
      return response({ affected, refused }, 'PGQ_POLICY_CONFLICT');
    });
  }

  /** Deletes every job that has not started. */
  deleteQueued(...args: PurgeArguments): Promise<PgqCommandResponse> {
    return this.#purge(queued, ...args);
  }

  /** Deletes every completed, cancelled and failed job. */
  deleteStored(...args: PurgeArguments): Promise<PgqCommandResponse> {
    return this.#purge(stored, ...args);
  }

  /**
   * Deletes the jobs in some states, a thousand at a time, in the order of ids. Jobs that others wait for stay unless
   * these are deleted as well. Stops when the client disconnects.
   */
  #purge(
    states: readonly JobState[],
    request: HookRequest,
    queueName: string,
    signal: AbortSignal,
  ): Promise<PgqCommandResponse> {
    return this.#schemas.openSteps(request, queueName, ['deleteJob'], async (run) => {
      let affected = 0;
      let refused = 0;
      let after = beforeAll;
      let count = 0;
      do {
        const done = await run(async (step) => {
          const found = await purgeStep(step, queueName, states, after);
          if (found.count === 0) await this.#queues.requireNow(step.schema, request, queueName);
          return found;
        });
        affected += done.affected;
        refused += done.refused;
        ({ count, last: after = after } = done);
      } while (count === commandBatch && !signal.aborted);
      return response({ affected, refused }, 'PGQ_JOB_HAS_DEPENDENTS');
    });
  }
}
