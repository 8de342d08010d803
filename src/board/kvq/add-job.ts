/** Adds a job on a client's behalf: what it brings is checked before the library sees it. */

import * as z from 'zod';
import { BoardError } from '../core/index.ts';
import type { BoardQueue } from './board-queue.ts';
import type { NewJob } from './driver.ts';
import type { LocatedJob } from './store.ts';
import { isUnreachable } from './unreachable.ts';

const moment = z.number().min(0).max(8.64e15);
const keep = z.union([
  z.boolean(),
  z.int(),
  z.looseObject({ age: z.number().optional(), count: z.number().optional() }),
]);

/**
 * Options whose wrong types the libraries would store, and then stumble over. Those that are not named here are
 * passed on as they are.
 */
const JobOptions = z.looseObject({
  attempts: z.int().min(0).max(1_000_000).optional(),
  delay: moment.optional(),
  timestamp: moment.optional(),
  priority: z.int().min(0).max(2_097_151).optional(),
  lifo: z.boolean().optional(),
  jobId: z.string().min(1).max(1_000).optional(),
  backoff: z
    .union([z.number(), z.looseObject({ type: z.string(), delay: z.number().optional() })])
    .optional(),
  removeOnComplete: keep.optional(),
  removeOnFail: keep.optional(),
  keepLogs: z.int().min(0).optional(),
  stackTraceLimit: z.int().min(0).optional(),
  sizeLimit: z.int().min(0).optional(),
  timeout: z.number().optional(),
  parent: z.looseObject({ id: z.string(), queue: z.string() }).optional(),
  deduplication: z.looseObject({ id: z.string(), ttl: z.number().optional() }).optional(),
  repeat: z.looseObject({}).optional(),
});

/** The request's body is at fault, at this field. */
export function invalidBody(field: string, cause?: unknown): BoardError {
  return new BoardError('INVALID_REQUEST_BODY', {
    code: 'INVALID_REQUEST',
    options: { field },
    cause,
  });
}

/** Whether the datastore refused a value, rather than failed: PostgreSQL's data exceptions, errors of a script. */
export function isRefusedValue(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if ('code' in error && typeof error.code === 'string') return error.code.startsWith('22');
  return (
    error.name === 'ReplyError' && /script|not an integer|not a valid float/i.test(error.message)
  );
}

/** Whether the library itself would not take the job. */
function isRefusedJob(error: unknown): boolean {
  const fromServer = error instanceof Error && (error.name === 'ReplyError' || 'severity' in error);
  return isRefusedValue(error) || (!fromServer && !isUnreachable(error));
}

/** What stands for a job that was gone before it could be read back: it ran, and nothing of it is kept. */
function gone(id: string, { name, data, opts }: NewJob): LocatedJob {
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

/** Adds the job and reads it back. Throws `INVALID_REQUEST_BODY` for what the queue cannot take. */
export async function addJob(queue: BoardQueue, job: NewJob): Promise<LocatedJob> {
  const data = job.data === undefined ? {} : job.data;
  const failure = queue.dataSchema.failureIn(data);
  if (failure !== null) throw invalidBody(failure);
  const checked = JobOptions.safeParse(job.opts);
  if (!checked.success) {
    throw invalidBody(['options', ...(checked.error.issues[0]?.path ?? [])].map(String).join('.'));
  }
  const { driver } = queue;
  let id: string;
  try {
    id = await driver.add({ ...job, data });
  } catch (error) {
    throw isRefusedJob(error) ? invalidBody('options', error) : error;
  }
  return (await driver.store.job(id)) ?? gone(id, { ...job, data });
}
