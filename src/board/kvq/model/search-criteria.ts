/** The criteria of a search, and its results with the position that it reached. */

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
  /** The remaining budget, shared by the searches of one request. */
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

/** The position that a search was to continue from is not a position in its queue. */
export class InvalidPlace extends Error {
  override readonly name = 'InvalidPlace';
}
