/** Commands on a queue: send a job, retry all failed jobs, delete waiting or finished jobs. */

import {
  type BulkRun,
  type PgqCommandBegun,
  type PgqCommandResponse,
  type SendPgqJobOptions,
  translationKey,
} from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import {
  Accepted,
  BoardError,
  type HookRequest,
  idempotencyKeyOf,
  requestMs,
} from '../../core/index.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { type ChangedJobs, changeJobs } from './change-jobs.ts';
import { type LockedJob, lockJobs } from './locked-jobs.ts';
import { purgeJobs } from './purge.ts';
import { lockKey } from './sent-once.ts';
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

/** The failed jobs among the ids, locked, in the order of the ids. */
async function lockedFailures(
  step: CommandStep,
  queueName: string,
  ids: readonly string[],
): Promise<LockedJob[]> {
  const locked = await lockJobs(step, queueName, ids);
  const byId = new Map(locked.map((job) => [job.id, job]));
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

const withRun = (begun: PgqCommandResponse, run: BulkRun): Accepted<PgqCommandBegun> =>
  new Accepted({ ...begun, run });

/** The rest of a command on a whole queue, which the request does not wait for. */
export interface RestOfCommand {
  readonly action: 'remove' | 'retry';
  /** The states of the jobs to delete. */
  readonly states?: readonly JobState[];
  /** Jobs created later stay. Default: those created from now on. */
  readonly until?: string;
  /** The block of the table at which the deletion has stopped. */
  readonly from?: number | undefined;
  /** Jobs that the request has changed already. */
  readonly done: number;
}

/** Begins a run for the rest; undefined where the queue has a run already. */
export type HandOver = (
  request: HookRequest,
  queueName: string,
  rest: RestOfCommand,
) => Promise<BulkRun | undefined>;

/** The job that was sent; with a key, or the one that had the key already. */
export interface SentJob {
  readonly id: string | null;
  readonly added?: boolean;
}

type Commanded = PgqCommandResponse | Accepted<PgqCommandBegun>;

type PurgeArguments = [request: HookRequest, queueName: string, signal: AbortSignal];

/** Commands on queues. */
export class QueueCommands {
  readonly #schemas: WritableSchemas;
  readonly #queues: VisibleQueues;
  readonly #handOver: HandOver;

  constructor(schemas: WritableSchemas, queues: VisibleQueues, handOver: HandOver) {
    this.#schemas = schemas;
    this.#queues = queues;
    this.#handOver = handOver;
  }

  /** Sends a job, unless one with the key is stored; `null` when the library drops it, such as a second singleton. */
  async send(
    request: HookRequest,
    queueName: string,
    data: unknown,
    options: SendPgqJobOptions = {},
  ): Promise<SentJob> {
    const key = idempotencyKeyOf(request);
    if (key !== undefined && options.id !== undefined) throw refusedOption('id');
    const sending = this.#schemas.open(request, queueName, ['send'], async (step) => {
      const { deadLetter } = options;
      const shown = await this.#queues.visibleAmong(request, deadLetter ? [deadLetter] : []);
      if (deadLetter && !shown.has(deadLetter)) throw refusedOption('deadLetter');
      const locked = key ? await lockKey(step, queueName, key, data, options) : undefined;
      if (locked?.isSent) return { id: locked.id, added: false };
      const { instance, transaction, own = instance } = step;
      const given = { ...sendOptions(options), ...(locked && { id: locked.id }), ...transaction };
      // The library accepts any JSON, but its types only objects.
      const id = (await own.send?.(queueName, data ?? null, given)) ?? null;
      return { id, ...(locked && { added: id !== null }) };
    });
    try {
      return await sending;
    } catch (error) {
      throw sendError(error);
    }
  }

  /**
   * Retries every failed job, oldest first, and passes over jobs that the policy of the queue refuses. Stops when the
   * client disconnects, and leaves the rest to a run when it takes long.
   */
  retryFailed(request: HookRequest, queueName: string, signal: AbortSignal): Promise<Commanded> {
    return this.#schemas.openSteps(request, queueName, ['retry'], async (run) => {
      const end = performance.now() + requestMs;
      let affected = 0;
      let refused = 0;
      let cursor: string | null = null;
      do {
        const after = cursor;
        const done: ChangedJobs & { next: string | null } = await run(async (step) => {
          const { ids, next } = await failedJobs(step.schema, queueName, after);
          const jobs = await lockedFailures(step, queueName, ids);
          return { ...(await changeJobs(step, 'retry', queueName, jobs, signal)), next };
        });
        affected += done.affected;
        refused += done.refused;
        cursor = done.next;
        if (cursor !== null && performance.now() > end && !signal.aborted) {
          const rest = { action: 'retry', done: affected } as const;
          const begun = await this.#handOver(request, queueName, rest);
          if (begun) return withRun(response({ affected, refused }, 'PGQ_POLICY_CONFLICT'), begun);
        }
      } while (cursor !== null && !signal.aborted);
      return response({ affected, refused }, 'PGQ_POLICY_CONFLICT');
    });
  }

  /** Deletes every job that has not started. */
  deleteQueued(...args: PurgeArguments): Promise<Commanded> {
    return this.#purge(queued, ...args);
  }

  /** Deletes every completed, cancelled and failed job. */
  deleteStored(...args: PurgeArguments): Promise<Commanded> {
    return this.#purge(stored, ...args);
  }

  /**
   * Deletes the jobs in some states. Jobs that others wait for stay unless these are deleted as well. Stops when the
   * client disconnects, and leaves the rest to a run when it takes long.
   */
  #purge(
    states: readonly JobState[],
    request: HookRequest,
    queueName: string,
    signal: AbortSignal,
  ): Promise<Commanded> {
    return this.#schemas.openSteps(request, queueName, ['deleteJob'], async (run) => {
      const end = performance.now() + requestMs;
      const key = 'PGQ_JOB_HAS_DEPENDENTS';
      const purge = { queueName, states, report: async () => undefined };
      const isInTime = () => !signal.aborted && performance.now() < end;
      const done = await purgeJobs(run, { ...purge, until: undefined, goesOn: isInTime });
      if (done.isComplete || signal.aborted) {
        if (done.affected + done.refused === 0) {
          await run((step) => this.#queues.requireNow(step.schema, request, queueName));
        }
        return response(done, key);
      }
      const { affected, until, block: from } = done;
      const rest = { action: 'remove', states, until, from, done: affected } as const;
      const begun = await this.#handOver(request, queueName, rest);
      if (begun) return withRun(response({ affected, refused: 0 }, key), begun);
      const goesOn = () => !signal.aborted;
      const others = await purgeJobs(run, { ...purge, until, from, goesOn });
      return response({ ...others, affected: affected + others.affected }, key);
    });
  }
}
