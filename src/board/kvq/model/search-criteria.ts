/** What a search asks for, and what it found: always with how far it looked. */

import type { JobState, JobStatus } from './types.ts';
import type { JobRecord } from './job-record.ts';
import type { SearchBudget } from './search-budget.ts';

/** All that are given must hold. */
export interface JobCriteria {
  /** Part of the job's name. */
  readonly name?: string;
  readonly statuses: readonly JobStatus[];
  /** Path into the data, with the value that must stand there as text; without one, any. */
  readonly path?: readonly string[];
  readonly value?: string;
  /** Part of the reason it failed. */
  readonly error?: string;
  /** Moments the job was added between, inclusive; epoch milliseconds. */
  readonly from?: number;
  readonly to?: number;
  /** Most jobs to give. */
  readonly limit: number;
  /** What may still be looked at; searches that share it take from it. */
  readonly budget: SearchBudget;
  /** Where to go on; what an earlier search gave as `next`. */
  readonly after?: string;
}

/** A job a search found. */
export interface FoundJob {
  readonly job: JobRecord;
  readonly state: JobState;
}

export interface FoundJobs {
  readonly found: readonly FoundJob[];
  /** Whether it is known how many jobs were looked at; the budget has counted them. */
  readonly counted: boolean;
  /** Where to go on, `null` when everything has been looked at. */
  readonly next: string | null;
}

/** What a search was told to go on from is no place in its queue. */
export class InvalidPlace extends Error {
  override readonly name = 'InvalidPlace';
}
