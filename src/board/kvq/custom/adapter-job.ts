/** A job as an adapter of a host gives it, and the record that the board makes of it. */

import { createHash } from 'node:crypto';
import type { JobRecord } from '../model/job-record.ts';
import type { JobState } from '../model/types.ts';

/** A job. Times are milliseconds since 1970. */
export interface AdapterJob {
  /** Identifier, unique in the queue. */
  readonly id: string;
  /** Name of the job. */
  readonly name: string;
  /** When it was added. */
  readonly timestamp: number;
  /** Any JSON. Default null. */
  readonly data?: unknown;
  /** Options of the job. Default none. */
  readonly opts?: Readonly<Record<string, unknown>>;
  /** A number, text, boolean or object. Default 0. */
  readonly progress?: unknown;
  /** Milliseconds from `timestamp` after which it may run. Default 0. */
  readonly delay?: number;
  /** Default 0. */
  readonly priority?: number;
  /** Attempts that have ended. Default 0. */
  readonly attemptsMade?: number;
  /** When it started, in milliseconds since 1970; null or absent before that. */
  readonly processedOn?: number | null;
  /** When it finished, in milliseconds since 1970; null or absent before that. */
  readonly finishedOn?: number | null;
  /** Message of the last error; null or absent without one. */
  readonly failedReason?: string | null;
  /** Oldest first. Default none. */
  readonly stacktrace?: readonly string[];
  /** Any JSON. Default null. */
  readonly returnvalue?: unknown;
}

/** A job with its state. */
export interface LocatedAdapterJob {
  /** The job. */
  readonly job: AdapterJob;
  /** The state that the job is in. */
  readonly state: JobState;
}

export function recordOf(job: AdapterJob): JobRecord {
  return {
    id: job.id,
    name: job.name,
    data: job.data ?? null,
    opts: job.opts ?? {},
    progress: job.progress ?? 0,
    delay: job.delay ?? 0,
    priority: job.priority ?? 0,
    timestamp: job.timestamp,
    attemptsMade: job.attemptsMade ?? 0,
    attemptsStarted: job.attemptsMade ?? 0,
    stalledCounter: 0,
    processedOn: job.processedOn ?? null,
    processedBy: null,
    finishedOn: job.finishedOn ?? null,
    failedReason: job.failedReason ?? null,
    stacktrace: job.stacktrace ?? [],
    returnvalue: job.returnvalue ?? null,
    deduplicationId: null,
    deferredFailure: null,
    parentKey: null,
    repeatJobKey: null,
  };
}

/** A text that changes with every change of a job or its state. */
export function revisionOf(job: AdapterJob, state: JobState): string {
  return createHash('sha256')
    .update(JSON.stringify([state, recordOf(job)]))
    .digest('base64url')
    .slice(0, 22);
}
