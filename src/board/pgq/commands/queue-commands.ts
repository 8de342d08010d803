/** Commands on a queue: send a job, retry all failed jobs, delete waiting or finished jobs. */

import type { PgqCommandResponse } from '../../contract/index.ts';
import { runQuery } from '../../../rules/index.ts';
import { postgresqlErrorClass, sqlState } from '../../../lib/index.ts';
import { BoardError, type HookRequest } from '../../core/index.ts';
import { countJobs } from '../reads/counts.ts';
import type { OpenSchema } from '../listings/installation.ts';
import { runCommand } from './job-commands.ts';
import { commandBatch } from '../listings/listing-rules.ts';
import { keysetPage } from '../listings/keyset-page.ts';
import { type SendOptions, sendOptions } from './send-options.ts';
import type { JobState } from '../schema/tables.ts';
import type { WritableSchemas } from './writable-schemas.ts';

/** States of jobs that have not started, and of jobs that have finished. */
const queued: readonly JobState[] = ['created', 'retry'];
const stored: readonly JobState[] = ['completed', 'cancelled', 'failed'];

/** Errors without a class or a SQLSTATE come from the library, which refuses the job. */
function isRefused(error: Error): boolean {
  const found = postgresqlErrorClass(error);
  return found === undefined ? sqlState(error) === undefined : found === 'refused';
}

/** A job that the library or the database refuses is an error of the request. */
function sendError(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof BoardError || !isRefused(error)) return error;
  if (/^Queue .* does not exist$/.test(error.message)) return error;
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field: 'options' },
    cause: error,
  });
}

/** The page of failed jobs of a queue after a cursor, oldest first. */
async function failedJobs(
  { listings, read }: OpenSchema,
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
      runQuery(listings.source(session, 'job'), request, listings.rules.jobStates),
    ),
  );
  return { ids: data.map(({ id = '' }) => id), next: nextCursor };
}

/** Commands on queues. */
export class QueueCommands {
  readonly #schemas: WritableSchemas;

  constructor(schemas: WritableSchemas) {
    this.#schemas = schemas;
  }

  /** Sends a job; `null` when the library drops it, such as a second singleton. */
  send(
    request: HookRequest,
    queueName: string,
    data: unknown,
    options: SendOptions | undefined,
  ): Promise<string | null> {
    return this.#schemas.open(request, queueName, ['send'], async (_schema, instance) => {
      try {
        // The library accepts any JSON, but its types only objects.
        const id = await instance.send?.(queueName, data ?? null, sendOptions(options));
        return id ?? null;
      } catch (error) {
        throw sendError(error);
      }
    });
  }

  /**
   * Retries every failed job, a thousand at a time, oldest first. Stops when a batch changes nothing, or when the
   * client disconnects.
   */
  retryFailed(
    request: HookRequest,
    queueName: string,
    signal: AbortSignal,
  ): Promise<PgqCommandResponse> {
    return this.#schemas.open(request, queueName, ['retry'], async (schema, instance) => {
      let requested = 0;
      let affected = 0;
      let cursor: string | null = null;
      do {
        const { ids, next }: Awaited<ReturnType<typeof failedJobs>> = await failedJobs(
          schema,
          queueName,
          cursor,
        );
        const changed = await runCommand(instance, 'retry', queueName, ids);
        requested += ids.length;
        affected += changed;
        cursor = changed === 0 ? null : next;
      } while (cursor !== null && !signal.aborted);
      return { requested, affected };
    });
  }

  /** Deletes every job that has not started. */
  deleteQueued(request: HookRequest, queueName: string): Promise<PgqCommandResponse> {
    return this.#schemas.open(
      request,
      queueName,
      ['deleteQueuedJobs'],
      async (schema, instance) => {
        const count = await countJobs(schema, queueName, queued);
        await instance.deleteQueuedJobs?.(queueName);
        return { requested: count, affected: count };
      },
    );
  }

  /** Deletes every completed, cancelled and failed job. */
  deleteStored(request: HookRequest, queueName: string): Promise<PgqCommandResponse> {
    return this.#schemas.open(
      request,
      queueName,
      ['deleteStoredJobs'],
      async (schema, instance) => {
        const count = await countJobs(schema, queueName, stored);
        await instance.deleteStoredJobs?.(queueName);
        return { requested: count, affected: count };
      },
    );
  }
}
