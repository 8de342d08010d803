/** A stored job in the format of its library, from which responses are built. */

import type { JobStatus } from './types.ts';

/** The field names are those of the libraries, because formatters and external links receive this object. */
export interface JobRecord {
  readonly id: string;
  readonly name: string;
  readonly data: unknown;
  readonly opts: Readonly<Record<string, unknown>>;
  readonly progress: unknown;
  readonly delay: number;
  readonly priority: number;
  /** When the job was added; epoch milliseconds, like all times here. */
  readonly timestamp: number;
  readonly attemptsMade: number;
  readonly attemptsStarted: number;
  readonly stalledCounter: number;
  readonly processedOn: number | null;
  readonly processedBy: string | null;
  readonly finishedOn: number | null;
  readonly failedReason: string | null;
  /** Oldest first, as stored. */
  readonly stacktrace: readonly string[];
  readonly returnvalue: unknown;
  readonly deduplicationId: string | null;
  readonly deferredFailure: string | null;
  /** Qualified name and id of the parent, `<prefix>:<queue>:<id>`. */
  readonly parentKey: string | null;
  /** Key of the scheduler that added the job. */
  readonly repeatJobKey: string | null;
  /** Names of the parts that were left out, because the read would have been too large. */
  readonly truncated?: readonly string[];
  /** Whether the job is active without a lock: its worker is gone. */
  readonly isOrphaned?: boolean;
  /** When a delayed job runs, as its queue has it: a retry or a change counts from then, not from when it was added. */
  readonly runsAt?: number;
}

/** A page of one state, newest first. */
export interface JobPage {
  readonly status: JobStatus;
  readonly jobs: readonly JobRecord[];
}

/** The record of a job that has just been added, or that a template would add. */
export function newRecord(
  id: string,
  { name, data, opts }: Pick<JobRecord, 'name' | 'data' | 'opts'>,
): JobRecord {
  return {
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
  };
}
