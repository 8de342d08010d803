/** Handlers of commands on a queue: send a job, retry all failed jobs, delete waiting or finished jobs. */

import {
  type BulkRun,
  type PgqCommandBegun,
  type PgqCommandResponse,
  translationKey,
} from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import {
  Accepted,
  BoardError,
  type EngineHandlers,
  type HookRequest,
  idempotencyKeyOf,
  requestMs,
  sentValue,
} from '../../core/index.ts';
import { isTimeout } from '../connect/read-errors.ts';
import { type ChangedJobs, changeJobs } from '../commands/change-jobs.ts';
import { type LockedJob, lockJobs } from '../commands/locked-jobs.ts';
import { type RestOfCommand, purgeJobs } from '../commands/purge.ts';
import { lockKey } from '../commands/sent-once.ts';
import { commandBatch } from '../listings/listing-rules.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { sendOptions } from '../commands/send-options.ts';
import type { JobSchema } from '../listings/visible-queues.ts';
import type { JobState } from '../schema/tables.ts';
import type { PgqContext } from './context.ts';
import type { CommandStep } from '../commands/writable-schemas.ts';

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

/** Begins a run for the rest; undefined where the queue has a run already. */
export type HandOver = (
  request: HookRequest,
  queueName: string,
  rest: RestOfCommand,
) => Promise<BulkRun | undefined>;

/** A request of a command on the jobs of a queue. */
interface WholeQueue {
  readonly request: HookRequest;
  readonly params: { readonly queueName: string };
  readonly signal: AbortSignal;
}

export function queueCommands({ schemas, queues }: PgqContext, handOver: HandOver) {
  /**
   * Deletes the jobs in some states. Jobs that others wait for stay unless these are deleted as well. Stops when the
   * client disconnects, and leaves the rest to a run when it takes long.
   */
  const deleting =
    (states: readonly JobState[]) =>
    ({ request, params: { queueName }, signal }: WholeQueue) =>
      schemas.openSteps(request, queueName, ['deleteJob'], async (run) => {
        const end = performance.now() + requestMs;
        const key = 'PGQ_JOB_HAS_DEPENDENTS';
        const purge = { queueName, states, report: async () => undefined };
        const isInTime = () => !signal.aborted && performance.now() < end;
        const done = await purgeJobs(run, { ...purge, until: undefined, goesOn: isInTime });
        if (done.isComplete || signal.aborted) {
          if (done.affected + done.refused === 0) {
            await run((step) => queues.requireNow(step.schema, request, queueName));
          }
          return response(done, key);
        }
        const { affected, until, block: from } = done;
        const rest = { action: 'remove', states, until, from, done: affected } as const;
        const begun = await handOver(request, queueName, rest);
        if (begun) return withRun(response({ affected, refused: 0 }, key), begun);
        const goesOn = () => !signal.aborted;
        const others = await purgeJobs(run, { ...purge, until, from, goesOn });
        return response({ ...others, affected: affected + others.affected }, key);
      });

  return {
    /** Sends a job, unless one with the key is stored; `null` when the library drops it, such as a second singleton. */
    async sendPgqJob({ request, params: { queueName }, query, body }) {
      const data = sentValue(body.data, query.raw, 'data');
      const { options = {} } = body;
      const key = idempotencyKeyOf(request);
      if (key !== undefined && options.id !== undefined) throw refusedOption('id');
      const sending = schemas.open(request, queueName, ['send'], async (step) => {
        const { deadLetter } = options;
        const shown = await queues.visibleAmong(request, deadLetter ? [deadLetter] : []);
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
    },

    /**
     * Retries every failed job, oldest first, and passes over jobs that the policy of the queue refuses. Stops when the
     * client disconnects, and leaves the rest to a run when it takes long.
     */
    retryFailedPgqJobs({ request, params: { queueName }, signal }) {
      return schemas.openSteps(request, queueName, ['retry'], async (run) => {
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
            const begun = await handOver(request, queueName, rest);
            if (begun)
              return withRun(response({ affected, refused }, 'PGQ_POLICY_CONFLICT'), begun);
          }
        } while (cursor !== null && !signal.aborted);
        return response({ affected, refused }, 'PGQ_POLICY_CONFLICT');
      });
    },

    /** Deletes every job that has not started. */
    deleteQueuedPgqJobs: deleting(queued),

    /** Deletes every completed, cancelled and failed job. */
    deleteStoredPgqJobs: deleting(stored),
  } satisfies Partial<EngineHandlers<'pgq'>>;
}
