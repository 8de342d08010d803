/** Adds a job for a client and validates its options before the library receives them. */

import { isStorableText } from '../../../schema/index.ts';
import { storableValue } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { NewJob } from '../model/driver.ts';
import { JobOptions } from './job-options.ts';
import { isFromServer, isRefusedValue } from '../errors/refused-value.ts';
import type { LocatedJob } from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';

/** The refusal of a request body because of this field. */
export function invalidBody(field: string, cause?: unknown): BoardError {
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field },
    cause,
  });
}

/** Whether the library itself would refuse the job. */
function isRefusedJob(error: unknown): boolean {
  return isRefusedValue(error) || (!isFromServer(error) && !isUnavailable(error));
}

/** Stands in for a job that could not be read back, usually because it has already run and was removed. */
function unread(id: string, { name, data, opts }: NewJob): LocatedJob {
  return {
    state: 'unknown',
    job: {
      id,
      name,
      data,
      opts,
      progress: 0,
      delay: Number(opts['delay'] ?? 0),
      priority: Number(opts['priority'] ?? 0),
      timestamp: Date.now(),
      attemptsMade: 0,
      attemptsStarted: 0,
      stalledCounter: 0,
      processedOn: null,
      processedBy: null,
      finishedOn: null,
      failedReason: null,
      stacktrace: [],
      returnvalue: null,
      deduplicationId: null,
      deferredFailure: null,
      parentKey: null,
      repeatJobKey: null,
    },
  };
}

/**
 * Adds a job requested by the host and reads it back. If it cannot be read any more, the response repeats the request:
 * after an error, the client would add the job again.
 */
export async function addStoredJob({ driver }: BoardQueue, job: NewJob): Promise<LocatedJob> {
  const id = await driver.add(job);
  const located = await driver.store.job(id).catch(() => null);
  return located ?? unread(id, job);
}

/** Adds a job requested by a client. Throws `INVALID_REQUEST_BODY` for input that the queue cannot accept. */
export async function addJob(queue: BoardQueue, job: NewJob): Promise<LocatedJob> {
  const data = job.data === undefined ? {} : job.data;
  const failure = await queue.dataSchema.failureIn(data);
  if (failure !== null) throw invalidBody(failure);
  const checked = JobOptions.safeParse(job.opts);
  if (!checked.success) {
    throw invalidBody(['options', ...(checked.error.issues[0]?.path ?? [])].map(String).join('.'));
  }
  try {
    return await addStoredJob(queue, { ...job, data });
  } catch (error) {
    throw isRefusedJob(error) ? invalidBody(refusedPart(job), error) : error;
  }
}

/** The part of the body that the datastore has refused. */
function refusedPart({ name, data }: NewJob): string {
  if (!isStorableText(name)) return 'name';
  return storableValue.safeParse(data).success ? 'options' : 'data';
}
