/** Adds a job on a client's behalf: what it brings is checked before the library sees it. */

import { isStorableText } from '../../../schema/index.ts';
import { storableValue } from '../../contract/index.ts';
import { BoardError } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { NewJob } from '../model/driver.ts';
import { JobOptions } from './job-options.ts';
import { isFromServer, isRefusedValue } from '../errors/refused-value.ts';
import type { LocatedJob } from '../model/store.ts';
import { isUnavailable } from '../errors/unavailable.ts';

/** The request's body is at fault, at this field. */
export function invalidBody(field: string, cause?: unknown): BoardError {
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field },
    cause,
  });
}

/** Whether the library itself would not take the job. */
function isRefusedJob(error: unknown): boolean {
  return isRefusedValue(error) || (!isFromServer(error) && !isUnavailable(error));
}

/** Replaces a job that could not be read back: usually it has run already and was not kept. */
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
 * Adds a job of the host's own making, and reads it back. What cannot be read any more is answered as it was sent: an
 * error would make the client add it once more.
 */
export async function addStoredJob({ driver }: BoardQueue, job: NewJob): Promise<LocatedJob> {
  const id = await driver.add(job);
  const located = await driver.store.job(id).catch(() => null);
  return located ?? unread(id, job);
}

/** Adds a client's job. Throws `INVALID_REQUEST_BODY` for what the queue cannot take. */
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

/** Which part of the body a datastore has refused. */
function refusedPart({ name, data }: NewJob): string {
  if (!isStorableText(name)) return 'name';
  return storableValue.safeParse(data).success ? 'options' : 'data';
}
