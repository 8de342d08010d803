/** The base of queues that a host writes for a library or a table that the board does not know. */

import type { AdapterJob, LocatedAdapterJob } from './adapter-job.ts';
import type { JobState, JobStatus } from '../model/types.ts';

/** A job that a client adds. */
export interface AdapterNewJob {
  /** Name of the job. */
  readonly name: string;
  /** Data of the job, as JSON. */
  readonly data: unknown;
  /** Options of the job, as the person wrote them. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * The result of a command on a job: `done`, or why the job is as it was. `missing`: there is none; `state`: its state does
 * not allow the command; `active`: a worker is processing it; `changed`: `fits` returned false.
 */
export type AdapterOutcome = 'done' | 'missing' | 'state' | 'active' | 'changed';

/**
 * Tells whether the job is still as the client has seen it. A command calls it in the step in which it changes the job, such
 * as a transaction that holds the row: between a read and a write there is always a worker.
 */
export type JobFits = (job: AdapterJob, state: JobState) => boolean;

/**
 * A queue that the board shows. A method that throws or rejects means that the queue is unavailable: the board answers 503,
 * and other queues are not affected. Pass it to `customQueue`.
 */
export abstract class QueueAdapter {
  /** The name of the queue. */
  abstract readonly name: string;
  /** The states of jobs, in the order of the tabs. */
  readonly statuses: readonly JobStatus[] = ['active', 'waiting', 'completed', 'failed', 'delayed'];
  /** Where the jobs are. */
  readonly datastore: 'kv' | 'sql' = 'kv';

  /** The number of jobs in each state; an absent state counts as 0. */
  abstract counts(): Promise<Readonly<Partial<Record<JobStatus, number>>>>;
  /** Jobs of a state from `start` to `end` (inclusive, zero-based), newest first. */
  abstract jobs(status: JobStatus, start: number, end: number): Promise<readonly AdapterJob[]>;
  /** A job with its state; `null` when there is none. */
  abstract job(id: string): Promise<LocatedAdapterJob | null>;

  /** Whether workers take no jobs. Default: never. */
  async isPaused(): Promise<boolean> {
    return false;
  }

  /** The log of a job, oldest line first. Default: none. */
  async logs(_id: string): Promise<readonly string[]> {
    return [];
  }
}

/** A queue that the board also changes. */
export abstract class WritableQueueAdapter extends QueueAdapter {
  /** Adds a job and returns its id. An error means that the job is refused (400), unless it tells of a lost connection (503). */
  abstract add(job: AdapterNewJob): Promise<string>;
  /** Removes a job that no worker is processing. */
  abstract remove(id: string, fits: JobFits): Promise<AdapterOutcome>;
  /** Moves a failed or completed job to the waiting ones. */
  abstract retry(id: string, fits: JobFits): Promise<AdapterOutcome>;
  /** Moves a delayed job to the waiting ones. */
  abstract promote(id: string, fits: JobFits): Promise<AdapterOutcome>;
  /** Replaces the data of a job. */
  abstract updateData(id: string, data: unknown, fits: JobFits): Promise<AdapterOutcome>;
  /** Pauses the queue: no job starts until `resume`. */
  abstract pause(): Promise<void>;
  /** Lets jobs of a paused queue start again. */
  abstract resume(): Promise<void>;
}
