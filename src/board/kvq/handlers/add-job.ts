/** Adds a job for a client and validates its options before the library receives them. */

import { isStorableText } from '../../../schema/index.ts';
import { storableValue } from '../../contract/index.ts';
import { BoardError, rounding } from '../../core/index.ts';
import type { HookRequest } from '../../core/index.ts';
import type { BoardQueue } from '../queue/board-queue.ts';
import type { NewJob } from '../model/driver.ts';
import { newRecord } from '../model/job-record.ts';
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
export function isRefusedJob(error: unknown): boolean {
  return isRefusedValue(error) || (!isFromServer(error) && !isUnavailable(error));
}

/**
 * Adds a job requested by the host and reads it back. If it cannot be read any more, the response repeats the request:
 * after an error, the client would add the job again.
 */
export async function addStoredJob({ driver }: BoardQueue, job: NewJob): Promise<AddedJob> {
  const { jobId, deduplication, debounce, timestamp } = job.opts;
  const mayExist = [jobId, deduplication, debounce].some((option) => option !== undefined);
  // No other job of this process has the time, by which the added job is told from an existing one.
  const marked =
    mayExist && timestamp === undefined
      ? { ...job, opts: { ...job.opts, timestamp: newMoment() } }
      : job;
  const id = await driver.add(marked);
  const located = await driver.store.job(id).catch(() => null);
  const unread: LocatedJob = {
    state: 'unknown',
    job: newRecord(id, { ...marked, data: rounding(marked.data) }),
  };
  if (!mayExist) return { ...(located ?? unread), added: true };
  // The time of the client tells nothing.
  if (!located || marked === job) return located ?? unread;
  return { ...located, added: located.job.timestamp === marked.opts['timestamp'] };
}

/** A job that was added or, if `added` is false, existed already; undefined if it cannot be told. */
export interface AddedJob extends LocatedJob {
  readonly added?: boolean;
}

let lastMoment = 0;

/** The current time in milliseconds, and later than any other result. */
function newMoment(): number {
  lastMoment = Math.max(Date.now(), lastMoment + 1);
  return lastMoment;
}

/** Milliseconds for which a repeated request with the same key adds no second job. */
const keyLifetime = 24 * 3_600_000;

/**
 * The options of a job that is added once per `Idempotency-Key` header: the key is its deduplication id, which the
 * library keeps in the same step as the job.
 */
export function withIdempotencyKey(
  { driver }: BoardQueue,
  options: NewJob['opts'],
  { headers }: HookRequest,
): NewJob['opts'] {
  const key = headers['idempotency-key'];
  if (key === undefined) return options;
  const invalid = (field: string): BoardError => invalidBody(field);
  if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key)) {
    throw invalid('Idempotency-Key');
  }
  const name = driver.type === 'legacy' ? 'debounce' : 'deduplication';
  if (options[name] !== undefined) throw invalid(`options.${name}`);
  return { ...options, [name]: { id: `idempotency-key:${key}`, ttl: keyLifetime } };
}

/** The job with data. Throws `INVALID_REQUEST_BODY` if the queue cannot accept its data or options. */
export async function validJob(queue: BoardQueue, job: NewJob): Promise<NewJob> {
  const data = job.data === undefined ? {} : job.data;
  const failure = await queue.dataSchema.failureIn(rounding(data));
  if (failure !== null) throw invalidBody(failure);
  const checked = JobOptions.safeParse(job.opts);
  if (!checked.success) {
    throw invalidBody(['options', ...(checked.error.issues[0]?.path ?? [])].map(String).join('.'));
  }
  return { ...job, data };
}

/** Adds a job requested by a client. Throws `INVALID_REQUEST_BODY` for input that the queue cannot accept. */
export async function addJob(queue: BoardQueue, given: NewJob): Promise<AddedJob> {
  const job = await validJob(queue, given);
  if (job.opts['repeat'] !== undefined && !queue.driver.acceptsRepeat) {
    throw invalidBody('options.repeat');
  }
  try {
    return await addStoredJob(queue, job);
  } catch (error) {
    throw isRefusedJob(error) ? invalidBody(refusedPart(job), error) : error;
  }
}

/** The part of the body that the datastore has refused. */
export function refusedPart({ name, data }: NewJob): string {
  if (!isStorableText(name)) return 'name';
  return storableValue.safeParse(data).success ? 'options' : 'data';
}
