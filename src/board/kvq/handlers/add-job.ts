/** Adds a job for a client and validates its options before the library receives them. */

import { isStorableText } from '../../../schema/index.ts';
import { storableValue } from '../../contract/index.ts';
import { BoardError, digestOf, rounding } from '../../core/index.ts';
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

/** Milliseconds for which the body of a key is known after that: longer than an addition takes. */
const bodyMargin = 60_000;

/** The key is the deduplication id of the job, which the library keeps in the same step as the job. */
function withKey({ driver }: BoardQueue, job: NewJob, key: string): NewJob {
  const name = driver.type === 'legacy' ? 'debounce' : 'deduplication';
  if (job.opts[name] !== undefined) throw invalidBody(`options.${name}`);
  return {
    ...job,
    opts: { ...job.opts, [name]: { id: `idempotency-key:${key}`, ttl: keyLifetime } },
  };
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

/**
 * Adds a job requested by a client, once for all requests with the key. Throws `INVALID_REQUEST_BODY` for input that the
 * queue cannot accept, and `IDEMPOTENCY_KEY_REUSED` if the key stands for another body.
 */
export async function addJob(
  queue: BoardQueue,
  given: NewJob,
  key: string | undefined,
): Promise<AddedJob> {
  const job = await validJob(queue, key === undefined ? given : withKey(queue, given, key));
  const { acceptsRepeat, keys } = queue.driver;
  if (job.opts['repeat'] !== undefined && !acceptsRepeat) throw invalidBody('options.repeat');
  const body = digestOf([given.name, given.data, given.opts]);
  const claim = key && (await keys?.claim(key, body, keyLifetime + bodyMargin));
  if (claim === 'other') throw new BoardError('IDEMPOTENCY_KEY_REUSED');
  try {
    return await addStoredJob(queue, job);
  } catch (error) {
    if (!isRefusedJob(error)) throw error;
    // The client may correct the body. A note that stays expires.
    if (key && claim === 'new') await keys?.release(key, body).catch(() => undefined);
    throw invalidBody(refusedPart(job), error);
  }
}

/** The part of the body that the datastore has refused. */
export function refusedPart({ name, data }: NewJob): string {
  if (!isStorableText(name)) return 'name';
  return storableValue.safeParse(data).success ? 'options' : 'data';
}
